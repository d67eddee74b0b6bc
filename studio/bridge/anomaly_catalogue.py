"""The anomalies a person can choose from: the project's own and the studio's."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from collector.anomalies.builtin_library import builtin_library
from collector.anomalies.model import Anomaly
from collector.anomalies.project_trust import read_project_library
from collector.located_yaml.diagnostics import Severity
from collector.model.errors import UserError
from collector.model.i18n import _
from studio.bridge.jobs import Job, JobRunner
from studio.bridge.library import Library


@dataclass(frozen=True, slots=True)
class ListedAnomaly:
    """An anomaly and where it is from."""

    anomaly: Anomaly
    own: bool
    """It comes with the studio, and not with the project."""


_Read = tuple[tuple[ListedAnomaly, ...], UserError | None]


class AnomalyCatalogue(QObject):
    """Reads libraries behind the window; an anomaly of the project hides the studio's of the same id."""

    changed = Signal(object)
    """A tuple of :class:`ListedAnomaly`."""
    failed = Signal(object)
    """Why the project's library could not be read; the studio's is there all the same."""

    def __init__(self, runner: JobRunner, library: Library, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runner, self._library = runner, library
        self.entries: tuple[ListedAnomaly, ...] = ()

    def look(self) -> Job:
        """Read again what may have changed; ``changed`` follows when it has."""
        snapshot = self._library.snapshot
        folder = snapshot.folder if snapshot is not None else None
        return self._runner.run(lambda _job: _read(folder), success=self._took)

    @Slot(object)
    def _took(self, read: _Read) -> None:
        entries, problem = read
        if entries != self.entries:
            self.entries = entries
            self.changed.emit(entries)
        if problem is not None:
            self.failed.emit(problem)


def _read(folder: Path | None) -> _Read:
    problem: UserError | None = None
    mine: list[Anomaly] = []
    if folder is not None:
        what = _("The project's anomalies cannot be read")
        try:
            library = read_project_library(folder)
        except UserError as error:
            problem = UserError(what, error.why or error.what, _("Mend anomalies/library.yaml"))
        else:
            mine = [anomaly for anomaly in library.anomalies if anomaly.id] if library is not None else []
            wrong = (
                [diagnostic for diagnostic in library.diagnostics if diagnostic.severity is Severity.ERROR]
                if library
                else []
            )
            if wrong and not mine:
                problem = UserError(what, wrong[0].sentence)
    hidden = {one.id for one in mine}
    own = [
        ListedAnomaly(anomaly, True) for anomaly in builtin_library().anomalies if anomaly.id not in hidden
    ]
    return (*(ListedAnomaly(one, False) for one in mine), *own), problem
