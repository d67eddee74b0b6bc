"""Shows the experiment in hand in the compose panel, and the progress of its run."""

from __future__ import annotations

from datetime import datetime, timedelta

from PySide6.QtCore import QObject, QSignalBlocker, QTimer, Slot
from PySide6.QtWidgets import QSpinBox

from collector.model.i18n import _, ngettext
from collector.run.progress import FAULT
from studio.bridge.runs.experiment_reading import LoadedExperiment
from studio.bridge.runs.run_attachment import Attachment
from studio.views.run.compose.compose_rows import (
    agent_rows,
    apps_of,
    condition_rows,
    goal_style_rows,
    judge_chips,
    language_name,
    modality_rows,
    size_text,
    variation_rows,
    workers_text,
)
from studio.views.run.compose.variation_form import VariationMode, variation_form
from studio.views.run.experiment_panel import ExperimentPanel
from studio.views.run.session import RunSession
from studio.widgets.experiment.chip_row import ChipItem
from studio.widgets.experiment.duration_text import duration_text
from studio.widgets.experiment.progress_summary import SummaryFacts

_TICK_MS = 1000


class ExperimentPresenter(QObject):
    """Listens to the session and fills the panel."""

    def __init__(self, session: RunSession, panel: ExperimentPanel, parent: QObject) -> None:
        super().__init__(parent)
        self._session, self._panel = session, panel
        for signal in (session.experiment_chosen, session.experiment_changed, session.edit_refused,
                       session.run_changed, session.project_opened):  # fmt: skip
            signal.connect(self.show)
        session.progress_changed.connect(self._show_progress)
        self._clock = QTimer(self, interval=_TICK_MS)
        self._clock.timeout.connect(self._show_progress)
        self.show()

    @Slot()
    def show(self) -> None:
        """Show the experiment as its file says it now."""
        session, panel, loaded = self._session, self._panel, self._session.loaded
        panel.name.setText(session.name)
        panel.name.setVisible(bool(session.name))
        panel.name.setToolTip(_("Choose another experiment"))
        panel.name.setAccessibleName(_("Experiment {name}: choose another", name=session.name))
        panel.name.updateGeometry()
        self._show_progress()
        panel.show_reading(self._reading())
        if loaded is None:
            panel.show_problems(())
            panel.set_editable(False)
            return
        experiment = loaded.experiment
        panel.show_problems(sorted(loaded.diagnostics, key=lambda item: item not in loaded.errors))
        chips = [ChipItem(app, f"{app} {count}", _("Choose the tasks")) for app, count in apps_of(loaded)]
        panel.task_chips.show_items(chips)
        panel.tasks.show_count(str(len(experiment.tasks_run)))
        panel.show_rows(panel.agents, agent_rows(loaded, session.progress))
        panel.agents.show_count(str(len(experiment.agents)))
        panel.show_rows(panel.conditions, condition_rows(loaded))
        panel.conditions.show_count(str(len(experiment.conditions)))
        self._show_variations(loaded)
        styles = goal_style_rows(loaded)
        panel.show_rows(panel.goal_styles, styles)
        panel.goal_styles.setVisible(bool(styles))
        panel.goal_styles.show_count(
            _("{count} of {most}", count=len(experiment.goal_styles), most=len(styles))
        )
        panel.show_rows(panel.modalities, modality_rows(loaded))
        panel.modalities.show_count("")
        panel.language_chips.show_items(
            [
                ChipItem(
                    language, language_name(language),
                    _("Remove the language {name}", name=language_name(language)),
                )
                for language in experiment.languages
            ]
        )  # fmt: skip
        panel.languages.show_count(str(len(experiment.languages)))
        panel.seed_chips.show_items(
            [
                ChipItem(str(seed), str(seed), _("Remove the seed {seed}", seed=seed))
                for seed in experiment.seeds
            ]
        )
        panel.seeds.show_count(str(len(experiment.seeds)))
        panel.judge_chips.show_items(judge_chips(experiment))
        panel.judges.show_count(str(1 + len(experiment.judges)))
        _set(panel.budget, experiment.budget)
        _set(panel.early_stop, experiment.early_stop)
        _set(panel.repeats, experiment.repeats)
        panel.set_editable(not session.is_active and not session.is_read_only)

    def _reading(self) -> str:
        session = self._session
        if session.loaded is not None or not session.name:
            return ""
        if session.is_unreadable:
            return _("The experiment could not be read")
        return _("Reading the experiment")

    def _show_variations(self, loaded: LoadedExperiment) -> None:
        panel, form, count = self._panel, variation_form(loaded), len(loaded.experiment.variations)
        rows = variation_rows(form, loaded.scene.scope.variations.names)
        panel.show_rows(panel.variations, rows)
        if form.mode is VariationMode.LISTED:
            panel.variations.show_count(_("{count} of {most}", count=count, most=len(rows)))
        elif form.mode is VariationMode.SAMPLED:
            panel.variations.show_count(_("{count} drawn", count=count))
        else:
            panel.variations.show_count(_("{count} crossed", count=count))

    @Slot()
    def _show_progress(self) -> None:
        session, loaded, progress = self._session, self._session.loaded, self._session.progress
        counts = progress.counts
        time, when = self._time(loaded)
        self._panel.summary.show_facts(
            SummaryFacts(
                loaded.estimate.episodes if loaded is not None and not session.is_active else progress.total,
                progress.finished,
                counts["success"],
                counts["failure"],
                counts["uncompleted"],
                counts["answered"],
                size_text(loaded) if loaded is not None else "",
                time,
                when,
            )
        )
        if loaded is not None:
            for entry in loaded.experiment.agents:
                if progress.step_seconds(entry.id) is not None:
                    self._panel.show_rows(self._panel.agents, agent_rows(loaded, progress))
                    break
        self._show_note(counts[FAULT])
        if session.is_active != self._clock.isActive():
            self._clock.start() if session.is_active else self._clock.stop()

    def _time(self, loaded: LoadedExperiment | None) -> tuple[str, str]:
        """The time left of a run, or what a run will take."""
        session, progress = self._session, self._session.progress
        if session.is_stopping:
            return "", ""
        if session.is_active:
            left = progress.seconds_left
            if left is None:
                return _("running"), _("the time left is known soon")
            if progress.state == "paused":
                return _("{time} left", time=duration_text(left)), _("once it goes on")
            end = datetime.now().astimezone() + timedelta(seconds=left)
            return _("{time} left", time=duration_text(left)), _("done at {time}", time=f"{end:%H:%M}")
        if loaded is None or not loaded.estimate.episodes:
            return "", ""
        estimate = loaded.estimate
        share = max(0, progress.left) / max(1, progress.total)
        if progress.total and not progress.left:
            return "", ""
        seconds = estimate.seconds_of(share)
        if seconds is None:
            words = _("time known once it runs")
        else:
            words = _("about {time}", time=duration_text(seconds))
        phones = workers_text(loaded)
        if estimate.cost * share < 0.005:
            return words, phones
        cost = f"{estimate.cost * share:.2f}"
        if estimate.is_cost_at_most:
            return words, _("{phones}, at most {cost} USD", phones=phones, cost=cost)
        return words, _("{phones}, {cost} USD", phones=phones, cost=cost)

    def _show_note(self, faults: int) -> None:
        """What else there is to say about the run, in a sentence."""
        session, progress = self._session, self._session.progress
        note = ""
        if session.runs.state is Attachment.STARTING:
            note = _("The runner is being started")
        elif session.name in session.runs.elsewhere:
            note = _("It is being run on another computer: watch it there")
        elif progress.is_running and progress.state == "paused":
            note = progress.reason or _("The run is paused")
        elif progress.is_running and progress.state == "stopping":
            note = _("The run is being ended")
        elif progress.how == "failed" and progress.reason:
            note = progress.reason
        elif faults:
            note = ngettext(
                "{count} episode was ended by a fault of phone, disk or network; start again to repeat it",
                "{count} episodes were ended by faults of phone, disk or network; start again to repeat them",
                faults,
            )
        self._panel.note.setText(note)
        self._panel.note.setVisible(bool(note))


def _set(field: QSpinBox, value: int) -> None:
    """Show a number without telling that it was edited; a field that is typed in stays."""
    if field.value() != value and not field.hasFocus():
        with QSignalBlocker(field):
            field.setValue(value)
