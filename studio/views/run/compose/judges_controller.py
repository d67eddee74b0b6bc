"""The judges of an experiment in the compose panel: which ones judge its episodes, in which order."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, Slot

from collector.judge.registry import RULES_JUDGE
from collector.model.i18n import _
from collector.model.text.one_line import one_line
from collector.run.experiment import edits
from rule_editor.widgets.menu_text import menu_text
from rule_editor.widgets.popup_menu import PopupMenu
from studio.bridge.judges.judge_library import JudgeLibrary
from studio.theme import theme
from studio.views.conditions.popup_menus import add_heading, add_problem, open_below
from studio.views.run.experiment_panel import ExperimentPanel
from studio.views.run.session import RunSession
from studio.views.services import WindowServices

_LONGEST_PROBLEM = 120


class JudgesController(QObject):
    """Listens to the chips of the panel. Every edit is one named step of the history."""

    def __init__(
        self, session: RunSession, panel: ExperimentPanel, services: WindowServices, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._session, self._panel, self._services = session, panel, services
        self._library = JudgeLibrary(services.tasks, self)
        self._library.changed.connect(self._show_offer)
        self._library.failed.connect(session.failed)
        panel.judge_chips.chosen.connect(self._offer_changes)
        panel.judge_chips.add_wanted.connect(self._read_judges)

    @property
    def _judges(self) -> list[str]:
        """The judges beside the rules."""
        experiment = self._session.experiment
        return list(experiment.judges) if experiment is not None else []

    # -- one more ------------------------------------------------------------
    @Slot()
    def _read_judges(self) -> None:
        """Read the judges that there are now; they are offered then."""
        project = self._services.project_library.project
        if project is not None and self._session.experiment is not None and not self._session.is_active:
            self._library.read(project)

    @Slot()
    def _show_offer(self) -> None:
        """Offer the judges of the project, then those of the studio; one that cannot be used says why."""
        chips = self._panel.judge_chips
        if self._session.is_active or not self._panel.isVisible():
            return
        menu = PopupMenu(chips)
        menu.setToolTipsVisible(True)
        chosen = set(self._judges)
        judges = [judge for judge in self._library.judges if not judge.is_method]
        for heading, is_own in ((_("Of this project"), True), (_("Of the studio"), False)):
            listed = [judge for judge in judges if judge.is_own == is_own and judge.name not in chosen]
            if listed:
                add_heading(menu, heading)
            for judge in listed:
                if judge.problem:
                    add_problem(menu, one_line(judge.problem, _LONGEST_PROBLEM))
                    continue
                action = menu.addAction(menu_text(judge.name))
                action.setToolTip(judge.description)
                action.triggered.connect(partial(self._add, judge.name))
        if menu.isEmpty():
            add_heading(menu, _("Every judge is chosen already"))
        open_below(menu, chips.add or chips)

    def _add(self, name: str) -> None:
        self._set(_("add the judge {name}", name=name), [*self._judges, name])

    # -- one that is there ---------------------------------------------------
    @Slot(str)
    def _offer_changes(self, name: str) -> None:
        """Offer to move a judge or to remove it."""
        chips = self._panel.judge_chips
        chip = next((chip for chip in chips.chips if chip.item.key == name), None)
        if chip is None or self._session.is_active:
            return
        menu, judges = PopupMenu(chips), self._judges
        if name not in judges:
            add_heading(menu, _("The rules judge every episode"))
            open_below(menu, chip)
            return
        place = judges.index(name)
        for words, icon, to in (
            (_("Move forward"), "chevl", place - 1), (_("Move back"), "chevr", place + 1),
        ):  # fmt: skip
            action = menu.addAction(theme.icon(icon), words)
            action.setEnabled(0 <= to < len(judges))
            action.triggered.connect(partial(self._move, name, to))
        menu.addSeparator()
        menu.addAction(theme.icon("trash"), _("Remove")).triggered.connect(partial(self._remove, name))
        open_below(menu, chip)

    def _move(self, name: str, place: int) -> None:
        judges = [judge for judge in self._judges if judge != name]
        judges.insert(place, name)
        self._set(_("move the judge {name}", name=name), judges)

    def _remove(self, name: str) -> None:
        left = [judge for judge in self._judges if judge != name]
        self._set(_("remove the judge {name}", name=name), left)

    def _set(self, title: str, judges: list[str]) -> None:
        value = [RULES_JUDGE, *judges] if judges else None
        self._session.edit(title, lambda text: edits.set_value(text, "judges", value))
