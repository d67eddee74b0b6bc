"""Turns what is done in the compose panel into edits of the experiment's file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QMenu

from collector.agents.agent import MODALITIES
from collector.anomalies.model import CATEGORIES
from collector.model.message import _
from collector.model.phone.phone_setup import read_locale
from collector.model.seeds import DEFAULT_SEED
from collector.run.experiment import edits
from collector.run.experiment.keys import DEFAULT_WORD, RULES_WORD
from collector.run.experiment.model import DEFAULT_EARLY_STOP
from rule_editor.widgets.menu_text import menu_text
from rule_editor.widgets.popup_menu import PopupMenu
from studio.bridge.runs.experiment_reading import LoadedExperiment
from studio.theme import theme
from studio.views.conditions.popup_menus import ask_for_text, open_below
from studio.views.run.compose.agent_form_dialog import AgentFormDialog, FormAgent
from studio.views.run.compose.compose_rows import language_name, modality_rows, next_seed
from studio.views.run.compose.task_selection_dialog import TaskSelection, TaskSelectionDialog
from studio.views.run.compose.variation_form import VariationChoiceForm, VariationMode, variation_form
from studio.views.run.experiment_panel import ExperimentPanel
from studio.views.run.session import RunSession
from studio.views.services import WindowServices
from studio.widgets.inject.anomaly_entries import category_icon, category_words


class ComposeController(QObject):
    """Listens to the panel. Every edit is one named step of the history."""

    def __init__(
        self, session: RunSession, panel: ExperimentPanel, services: WindowServices, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._session, self._panel, self._services = session, panel, services
        panel.agent_switched.connect(partial(self._switch, edits.AGENTS))
        panel.condition_switched.connect(partial(self._switch, edits.CONDITIONS))
        panel.variation_switched.connect(self._switch_variation)
        panel.goal_style_switched.connect(self._switch_goal_style)
        panel.modality_switched.connect(self._switch_modality)
        panel.language_chips.chosen.connect(self._remove_language)
        panel.language_chips.add_wanted.connect(self._ask_language)
        panel.task_chips.chosen.connect(self.choose_tasks)
        panel.seed_chips.chosen.connect(self._remove_seed)
        panel.seed_chips.add_wanted.connect(self._ask_seed)
        for section, act in (
            (panel.tasks, self.choose_tasks), (panel.agents, self._offer_agents),
            (panel.conditions, self._offer_conditions), (panel.variations, self._offer_combinations),
        ):  # fmt: skip
            assert section.button is not None
            section.button.clicked.connect(act)
        for field, key, title, usual in (
            (panel.budget, "budget", _("change the step budget"), 0),
            (panel.early_stop, "early_stop", _("change the early stop"), DEFAULT_EARLY_STOP),
            (panel.repeats, "repeats", _("change the repeats"), 1),
        ):
            field.valueChanged.connect(partial(self._set_number, key, title, usual))

    def _edit(self, title: str, change: Callable[[str], str], merge_key: str = "") -> None:
        """Make an edit; what the file did not take is shown as it was."""
        document = self._session.experiments.document
        before = document.text if document is not None else ""
        self._session.edit(title, change, merge_key)
        if document is not None and document.text == before:
            self._session.edit_refused.emit()

    # -- agents and conditions -------------------------------------------------
    def _switch(self, key: str, name: str, is_on: bool) -> None:
        title = _("choose {name}", name=name) if is_on else _("leave out {name}", name=name)
        self._edit(title, lambda text: edits.switch(text, key, name, is_on))

    @Slot()
    def _offer_agents(self) -> None:
        """Offer every kind of agents; one that is in the file already gets a name of its own."""
        loaded, button = self._session.loaded, self._panel.agents.button
        if loaded is None or button is None or self._session.is_active:
            return
        menu = PopupMenu(button)
        for kind in loaded.scene.kinds.values():
            action = menu.addAction(menu_text(_(kind.title)))
            action.setToolTip(kind.description)
            action.triggered.connect(partial(self._add_agent, kind.id))
        menu.setToolTipsVisible(True)
        open_below(menu, button)

    def _add_agent(self, kind_id: str) -> None:
        loaded = self._session.loaded
        if loaded is None:
            return
        taken, name, number = set(loaded.file.agent_places), kind_id, 2
        while name in taken:
            name, number = f"{kind_id}-{number}", number + 1
        kind, project = loaded.scene.kinds[kind_id], self._services.project_library.project
        if project is not None and any(option.required for option in kind.options):
            dialog = AgentFormDialog(
                self._panel.window(), kind, name, frozenset(taken), project, self._services.tasks
            )
            dialog.entered.connect(self._take_agent)
            dialog.open()
            return
        entry: edits.Entry = kind_id if name == kind_id else {"id": name, "kind": kind_id}
        self._edit(_("add {name}", name=name), lambda text: edits.put_entry(text, edits.AGENTS, name, entry))

    @Slot(object)
    def _take_agent(self, agent: FormAgent) -> None:
        name, entry = agent.name, agent.entry
        self._edit(_("add {name}", name=name), lambda text: edits.put_entry(text, edits.AGENTS, name, entry))

    @Slot()
    def _offer_conditions(self) -> None:
        """Offer the rules of the project and every anomaly by category."""
        loaded, button = self._session.loaded, self._panel.conditions.button
        if loaded is None or button is None or self._session.is_active:
            return
        menu = PopupMenu(button)
        rules = menu.addAction(theme.icon("rules"), menu_text(_("By the rules of each task")))
        rules.triggered.connect(partial(self._add_condition, RULES_WORD))
        rules.setEnabled(bool(loaded.scene.scope.injection_rules))
        anomalies = list(loaded.scene.scope.anomalies.values())
        for category in (*CATEGORIES, ""):
            listed = [anomaly for anomaly in anomalies if anomaly.category == category]
            if listed:
                words = category_words(category) if category else _("Others")
                below: QMenu = menu.addMenu(theme.icon(category_icon(category)), menu_text(words))
                below.setToolTipsVisible(True)
                for anomaly in listed:
                    action = below.addAction(menu_text(anomaly.description or anomaly.id))
                    action.setToolTip(anomaly.id)
                    action.triggered.connect(partial(self._add_condition, anomaly.id))
        open_below(menu, button)

    def _add_condition(self, name: str) -> None:
        self._edit(_("add {name}", name=name), lambda text: edits.switch(text, edits.CONDITIONS, name, True))

    # -- tasks -----------------------------------------------------------------
    @Slot()
    def choose_tasks(self) -> None:
        """Open the dialog that chooses the tasks."""
        loaded = self._session.loaded
        if loaded is None or self._session.is_active:
            return
        written = loaded.file.root.plain.get("tasks")
        where = str(written.get("where", "")) if isinstance(written, dict) else ""
        dialog = TaskSelectionDialog(
            self._panel.window(), loaded.scene.scope, loaded.experiment.tasks, where, is_all=written == "all"
        )
        dialog.chosen.connect(self._take_tasks)
        dialog.open()

    @Slot(object)
    def _take_tasks(self, selection: TaskSelection) -> None:
        self._edit(_("choose tasks"), lambda text: edits.set_value(text, "tasks", selection.value))

    # -- axes ------------------------------------------------------------------
    def _switch_variation(self, name: str, is_on: bool) -> None:
        loaded = self._session.loaded
        if loaded is not None:
            self._set_variations(loaded, variation_form(loaded).with_tick(name, is_on=is_on))

    def _set_variations(self, loaded: LoadedExperiment, form: VariationChoiceForm) -> None:
        value = form.value(loaded.scene.scope.variations)
        self._edit(_("change the variations"), lambda text: edits.set_value(text, "variations", value))

    @Slot()
    def _offer_combinations(self) -> None:
        """Offer what can be run of the ticked variations."""
        loaded, button = self._session.loaded, self._panel.variations.button
        if loaded is None or button is None or self._session.is_active:
            return
        form, menu = variation_form(loaded), PopupMenu(button)
        for mode, words, act in (
            (VariationMode.LISTED, _("Each by itself"), partial(self._combine, VariationMode.LISTED)),
            (VariationMode.CROSSED, _("Each appearance with each content, pop-up and noise"),
             partial(self._combine, VariationMode.CROSSED)),
            (VariationMode.SAMPLED, _("A sample of these combinations..."), self._ask_sample),
        ):  # fmt: skip
            action = menu.addAction(words)
            action.setCheckable(True)
            action.setChecked(form.mode is mode)
            action.triggered.connect(act)
        open_below(menu, button)

    def _combine(self, mode: VariationMode) -> None:
        loaded = self._session.loaded
        if loaded is not None:
            self._set_variations(loaded, replace(variation_form(loaded), mode=mode))

    @Slot()
    def _ask_sample(self) -> None:
        loaded = self._session.loaded
        if loaded is None:
            return
        form, count = variation_form(loaded), len(loaded.experiment.variations)
        title = _("A sample of combinations")
        asked = _("How many, and with which seed, as in 50 123")
        usual = f"{form.sample or count} {form.seed}"
        ask_for_text(self._panel.window(), title, asked, usual, self._take_sample)

    def _take_sample(self, text: str) -> None:
        loaded, words = self._session.loaded, text.split()
        if loaded is None or not words:
            return
        if len(words) > 2 or not all(word.isdecimal() and len(word) <= 10 for word in words):
            self._services.toasts.show(
                "warn", _("{word} is no sample", word=text.strip()), _("Write it as in 50 123")
            )
            return
        count, seed = int(words[0]), int(words[1]) if len(words) == 2 else DEFAULT_SEED
        form = replace(variation_form(loaded), mode=VariationMode.SAMPLED, sample=count, seed=seed)
        self._set_variations(loaded, form)

    def _switch_goal_style(self, name: str, is_on: bool) -> None:
        experiment = self._session.experiment
        if experiment is None:
            return
        kept = [known for known in experiment.goal_styles if known != name]
        words = [known or DEFAULT_WORD for known in ([*kept, name] if is_on else kept)]
        value = None if words in ([], [DEFAULT_WORD]) else words
        self._edit(_("change the goal styles"), lambda text: edits.set_value(text, "goal_styles", value))

    def _switch_modality(self, name: str, is_on: bool) -> None:
        loaded = self._session.loaded
        if loaded is None:
            return
        before = [row.key for row in modality_rows(loaded) if row.is_on and row.key != name]
        names = [known for known in MODALITIES if known in before or (is_on and known == name)]
        self._edit(_("change what agents see"), lambda text: edits.set_value(text, "modality", names or None))

    @Slot()
    def _ask_language(self) -> None:
        if self._session.experiment is not None and not self._session.is_active:
            ask_for_text(
                self._panel.window(), _("Add a language"), _("Language of the phone, as en or zh-CN"),
                "zh-CN", self._add_language,
            )  # fmt: skip

    def _add_language(self, text: str) -> None:
        experiment, language = self._session.experiment, text.strip()
        if experiment is None or not language:
            return
        try:
            read_locale(language)
        except ValueError:
            self._services.toasts.show(
                "warn", _("{word} is no language", word=language), _("Write it as in en or zh-CN")
            )
            return
        self._set_languages(_("add a language"), [*experiment.languages, language])

    @Slot(str)
    def _remove_language(self, key: str) -> None:
        experiment = self._session.experiment
        if experiment is not None:
            left = [language for language in experiment.languages if language != key]
            self._set_languages(_("remove the language {name}", name=language_name(key)), left)

    def _set_languages(self, title: str, languages: list[str]) -> None:
        words = [language or DEFAULT_WORD for language in dict.fromkeys(languages)]
        value = None if words in ([], [DEFAULT_WORD]) else words
        self._edit(title, lambda text: edits.set_value(text, "languages", value))

    @Slot()
    def _ask_seed(self) -> None:
        experiment = self._session.experiment
        if experiment is not None and not self._session.is_active:
            ask_for_text(
                self._panel.window(), _("Add a seed"),
                _("Seed, a whole number; several with spaces between"), str(next_seed(experiment.seeds)),
                self._add_seeds,
            )  # fmt: skip

    def _add_seeds(self, text: str) -> None:
        experiment = self._session.experiment
        words = text.replace(",", " ").split()
        if experiment is None or not words:
            return
        if not all(word.isdecimal() and len(word) <= 10 for word in words):
            self._services.toasts.show(
                "warn", _("A seed is a whole number that is not negative"), _("Write it as in 124 or 124 125")
            )
            return
        seeds = list(dict.fromkeys([*experiment.seeds, *map(int, words)]))
        self._set_seeds(_("add a seed"), seeds)

    @Slot(str)
    def _remove_seed(self, key: str) -> None:
        experiment = self._session.experiment
        if experiment is not None:
            seeds = [seed for seed in experiment.seeds if str(seed) != key]
            self._set_seeds(_("remove the seed {seed}", seed=key), seeds or [DEFAULT_SEED])

    def _set_seeds(self, title: str, seeds: list[int]) -> None:
        self._edit(title, lambda text: edits.set_value(text, "seeds", seeds))

    def _set_number(self, key: str, title: str, usual: int, number: int) -> None:
        value = None if number == usual else number
        self._edit(title, lambda text: edits.set_value(text, key, value), key)
