"""Whether agents are asked golden steps offline, in the compose panel, and what that leaves out."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot

from collector.asking.user_choice import USUAL_USER
from collector.model.i18n import _, ngettext
from collector.run.experiment import edits
from collector.run.experiment.keys import ALL
from collector.run.experiment.model import Experiment
from studio.bridge.runs.experiment_reading import LoadedExperiment
from studio.views.run.compose.compose_rows import ComposeRow
from studio.views.run.experiment_panel import ExperimentPanel
from studio.views.run.session import RunSession

_KEY = "offline"


class OfflineController(QObject):
    """Shows and edits the key ``offline``. Every edit is one named step of the history."""

    def __init__(self, session: RunSession, panel: ExperimentPanel, parent: QObject) -> None:
        super().__init__(parent)
        self._session, self._panel = session, panel
        panel.offline_switched.connect(self._switch)
        for signal in (session.experiment_chosen, session.experiment_changed, session.edit_refused):
            signal.connect(self._show)

    @Slot()
    def _show(self) -> None:
        loaded = self._session.loaded
        if loaded is None:
            return
        panel, experiment = self._panel, loaded.experiment
        panel.show_rows(panel.offline, offline_rows(loaded))
        asked = experiment.offline
        panel.offline.show_count(_("on phones") if asked is None else str(len(asked)))
        for section, is_used in (
            (panel.conditions, any(not condition.is_baseline for condition in experiment.conditions)),
            (panel.variations, any(experiment.variations)),
            (panel.languages, any(experiment.languages)),
            (panel.starts, experiment.starts is not None),
            (panel.user, experiment.user != USUAL_USER),
            (panel.judges, bool(experiment.judges)),
        ):
            section.setVisible(asked is None or is_used)

    @Slot(str, bool)
    def _switch(self, key: str, is_on: bool) -> None:
        loaded = self._session.loaded
        if loaded is None:
            return
        value: object = ALL if is_on else None
        if key != ALL:
            named = _named(loaded.experiment)
            value = [*named, key] if is_on else [name for name in named if name != key] or None
        title = _("ask golden steps offline") if value is not None else _("run on phones")
        self._session.edit(title, lambda text: edits.set_value(text, _KEY, value))


def offline_rows(loaded: LoadedExperiment) -> list[ComposeRow]:
    """A row for all golden trajectories, then one for each that the file names."""
    experiment, written = loaded.experiment, loaded.file.root.plain.get(_KEY)
    takes_all = written == ALL
    steps = sum(golden.steps for golden in experiment.offline or ()) if takes_all else 0
    tip = _("Each step of the golden trajectories is one question, and no phone is used")
    rows = [
        ComposeRow(
            ALL,
            _("Ask golden steps"),
            _steps_text(steps) if steps else "",
            tip,
            takes_all,
        )
    ]
    if not takes_all:
        rows += [
            ComposeRow(golden.trajectory, golden.trajectory, _steps_text(golden.steps), "", True)
            for golden in experiment.offline or ()
        ]
    return rows


def _named(experiment: Experiment) -> list[str]:
    return [golden.trajectory for golden in experiment.offline or ()]


def _steps_text(count: int) -> str:
    return ngettext("{count} step", "{count} steps", count)
