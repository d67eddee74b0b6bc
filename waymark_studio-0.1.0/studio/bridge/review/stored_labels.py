"""Labels and judgements in the stored trajectories of the open project, as many views show them."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal, Slot

from collector.store.project.state_renaming import rename_in_labels
from studio.bridge.jobs import Job, JobQueue, JobRunner
from studio.bridge.project_library import ProjectLibrary


class StoredLabels(QObject):
    """Says when they are others, whoever changed them."""

    changed = Signal()
    """Marks and judgements are others now: whoever shows them reads them again."""
    marked = Signal(object)
    """The folder of a trajectory in which Record wrote marks of the person."""

    def __init__(self, runner: JobRunner, library: ProjectLibrary, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runner, self._library = runner, library

    def rename_state(self, old: str, new: str) -> None:
        """Name a state by its new id in all that people and judges said; ``changed`` follows."""
        project = self._library.project
        if project is None or project.is_read_only:
            return

        def work(_job: Job) -> int:
            from collector.states.work_files.renamed_states import rename_in_work  # loads what judges states

            return rename_in_labels(project, old, new) + rename_in_work(project, old, new)

        self._runner.run(
            work, success=self._renamed, failure=self._library.failed.emit, queue=JobQueue.STORE, saves=True
        )

    @Slot(object)
    def _renamed(self, count: int) -> None:
        if count:
            self.changed.emit()
            self._library.refresh()
