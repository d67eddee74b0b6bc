"""The stored trajectories of the open project: found, read, and changed as a whole with undo."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from collector.model.editing.edit_stack import Call, Edit
from collector.model.message import _
from collector.model.verdicts.judgement import UNNAMED
from collector.store.catalogue.catalogue import Catalogue
from collector.store.catalogue.catalogue_row import CatalogueRow
from collector.store.catalogue.project_snapshot import ProjectSnapshot
from collector.store.project.project import Project
from collector.store.project.trajectory_changes import TrajectoryChange, apply_change
from collector.store.trajectory.reader import StoredTrajectory, open_trajectory
from studio.bridge.jobs import Job, JobQueue, JobRunner
from studio.bridge.project_library import ProjectLibrary, read_whole
from studio.bridge.while_alive import call_back, while_alive


class ProjectTrajectories(QObject):
    """Changes run in the queue of the store, or of long work; searches beside them."""

    leaving = Signal(object)
    """The folder of a trajectory that is about to be moved: whoever has it open closes it."""
    rewound = Signal(object)
    """The folder of a trajectory of which an edit was undone or redone by the trajectory's own history."""
    changed = Signal(object)
    """The :class:`~collector.store.project.trajectory_changes.TrajectoryChange` that was made."""

    def __init__(self, runner: JobRunner, library: ProjectLibrary, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runner, self._library = runner, library

    def page(
        self, text: str, offset: int, limit: int, success: Callable[[tuple[int, list[CatalogueRow]]], object],
        failure: Callable[[Exception], object], *, after_refresh: bool = False,
    ) -> Job | None:  # fmt: skip
        """A page of the trajectories that fit a query, newest first, and how many there are in all.

        With ``after_refresh`` it is read when the project's files were, if they are being read now.
        """
        project, person = self._library.project, self._library.person
        if project is None:
            return None
        snapshot = self._library.snapshot
        has_some = snapshot is not None and any(snapshot.kinds.values())

        def work(_job: Job) -> tuple[int, list[CatalogueRow]]:
            from collector.review.visibility import hide_from_searches

            with Catalogue(project) as catalogue:
                if has_some and not catalogue.count():
                    catalogue.refresh()  # made anew: it was deleted, or another account wrote it
                hide_from_searches(catalogue, project, person or UNNAMED)
                return catalogue.count(text), catalogue.find(text, limit=limit, offset=offset)

        queue = JobQueue.INDEX if after_refresh else JobQueue.POOL
        return self._runner.run(work, success=success, failure=failure, queue=queue)

    def open_visible(self, folder: Path) -> StoredTrajectory:
        """Read a trajectory that the person may see. Any thread. Raises UserError."""
        stored, project = open_trajectory(folder), self._library.project
        if project is not None:
            from collector.states.work_files.blindness import require_visible_golden

            require_visible_golden(project, stored.header, self._library.person)
        return stored

    def change(
        self, folder: Path, change: Callable[[Project, Path], TrajectoryChange], *, is_announced: bool = True
    ) -> Job | None:
        """Delete, rename or duplicate a trajectory; it can be undone.

        ``changed`` follows, unless the caller itself says what was done.
        """
        project = self._library.project
        if project is None:
            return None
        self.leaving.emit(folder)
        asked = dt.datetime.now(dt.UTC)  # what is edited while the project is read again is newer

        def work(_job: Job) -> tuple[TrajectoryChange, ProjectSnapshot]:
            return change(project, folder), read_whole(project)

        def changed(result: tuple[TrajectoryChange, ProjectSnapshot]) -> None:
            self._library.take(result[1])
            self._library.history.add(self._edit_of(result[0], asked))
            if is_announced:
                self.changed.emit(result[0])

        return self._runner.run(
            work, success=while_alive(self, changed), failure=self._library.failed.emit, queue=JobQueue.LONG
        )

    def add_finish(self, folder: Path, reopened: Callable[[Path], object]) -> None:
        """Let the end of a recording that was just finished be undone; ``reopened`` is called when it was."""
        project = self._library.project
        if project is None:
            return

        def undo() -> None:
            # Here and not above: the window opens before anything was recorded.
            from collector.store.project.finished_recordings import reopen_recording

            reopen_recording(project, folder)

        def redo() -> None:
            from collector.store.project.finished_recordings import finish_again

            finish_again(project, folder)

        def run(move: Call, made: Call, refused: Call) -> None:
            def done() -> None:
                made()
                if move is undo:
                    call_back(reopened, folder)

            self.move(move, done, refused, (folder,))

        self._library.history.add(Edit(_("finish {id}", id=folder.name), undo, redo, run=run))

    def _edit_of(self, change: TrajectoryChange, made: dt.datetime) -> Edit:
        """The change as an edit; it is forgotten once the trajectory is gone or another is in its place."""

        def run(move: Call, made: Call, refused: Call) -> None:
            self.move(move, made, refused, (change.before, change.after))  # in one of them it is

        return Edit(
            change.title, lambda: apply_change(change.reversed), lambda: apply_change(change), run=run,
            made=made,
        )  # fmt: skip

    def move(self, move: Call, made: Call, refused: Call, folders: Sequence[Path]) -> None:
        """Change a trajectory in the queue of the store; whoever has one of ``folders`` open closes it."""

        def moved(_change: object) -> None:
            made()
            self._library.refresh()

        def not_moved(error: Exception) -> None:
            call_back(refused)
            self._library.failed.emit(error)
            self._library.refresh()

        for folder in folders:
            self.leaving.emit(folder)
        self._runner.run(
            lambda _job: move(), success=while_alive(self, moved), failure=while_alive(self, not_moved),
            queue=JobQueue.STORE, saves=True,
        )  # fmt: skip
