"""The anomalies a person can choose, read behind the window."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal, Slot

from collector.anomalies.anomaly_source import AnomalySource, ListedAnomaly
from collector.model.errors import UserError
from studio.bridge.jobs import Job, JobRunner
from studio.bridge.project_library import ProjectLibrary

_Read = tuple[tuple[ListedAnomaly, ...], list[UserError]]


class AnomalyCatalogue(QObject):
    """Lists the anomalies of the open project, of installed packages and of the studio."""

    changed = Signal(object)
    """A tuple of ListedAnomaly."""
    failed = Signal(object)
    """Why one of the libraries could not be read; the others are there all the same."""

    def __init__(
        self, runner: JobRunner, project_library: ProjectLibrary, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._runner, self._project_library = runner, project_library
        self.entries: tuple[ListedAnomaly, ...] = ()

    def look(self) -> Job:
        """Read again what may have changed; ``changed`` follows when it has."""
        project = self._project_library.project

        def work(_job: Job) -> _Read:
            source = AnomalySource(project)
            return source.listed(), source.problems()

        return self._runner.run(work, success=self._took)

    @Slot(object)
    def _took(self, read: _Read) -> None:
        entries, problems = read
        if entries != self.entries:
            self.entries = entries
            self.changed.emit(entries)
        for problem in problems:
            self.failed.emit(problem)
