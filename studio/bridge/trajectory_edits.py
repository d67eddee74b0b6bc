"""Edits of stored trajectories from the window: planned, made, and undone behind it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from collector.model.editing.edit_stack import Call, Edit
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.verdicts.judgement import UNNAMED
from collector.store.project.project import Project
from studio.bridge.jobs import Job, JobQueue, JobRunner
from studio.bridge.project_library import ProjectLibrary
from studio.bridge.project_trajectories import ProjectTrajectories

if TYPE_CHECKING:  # what replays and judges takes its time to load, and the start does not wait
    from collector.recording.edits.edit_history import NamedEdit
    from collector.recording.edits.edit_plan import EditPlan
    from collector.recording.edits.trajectory_edit import MadeEdit, TrajectoryEdit

MakesEdit = Callable[[Project, str], "TrajectoryEdit"]
"""Makes the edit of a project by a person; called behind the window, where it may import what it needs."""
Failure = Callable[[Exception], object]


@dataclass(frozen=True, slots=True)
class PlannedEdit:
    """An edit, and what it comes to."""

    edit: TrajectoryEdit
    plan: EditPlan


@dataclass(frozen=True, slots=True)
class ShownHistory:
    """The edits of a trajectory, oldest first, and what undo and redo would do."""

    entries: tuple[NamedEdit, ...]
    undo_title: str
    redo_title: str


class TrajectoryEdits(QObject):
    """GUI thread only; whoever has a trajectory open closes it before it is changed."""

    returned = Signal(object)
    """The folder of a trajectory that an undo or a redo of the project's edits brought back."""

    def __init__(
        self, runner: JobRunner, library: ProjectLibrary, trajectories: ProjectTrajectories,
        parent: QObject | None = None,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._runner, self._library, self._trajectories = runner, library, trajectories

    @property
    def _project(self) -> Project:
        """The open project. Raises UserError without one."""
        if self._library.project is None:
            raise UserError(_("No project is open"))
        return self._library.project

    @property
    def _who(self) -> str:
        return self._library.person or UNNAMED

    def plan(self, makes: MakesEdit, success: Callable[[PlannedEdit], object], failure: Failure) -> None:
        """Find out what an edit comes to; ``failure`` gets what it is refused for."""
        project, who = self._project, self._who

        def work(_job: Job) -> PlannedEdit:
            edit = makes(project, who)
            return PlannedEdit(edit, edit.plan())

        # Behind the edits that are on their way to the disk.
        self._runner.run(work, success=success, failure=failure, queue=JobQueue.STORE)

    def make(
        self, edit: TrajectoryEdit, folders: tuple[Path, ...], success: Callable[[MadeEdit], object],
        failure: Failure,
    ) -> None:  # fmt: skip
        """Make an edit of the trajectories in ``folders``."""
        self._change(edit.make, folders, success, failure)

    def make_whole(
        self, edit: TrajectoryEdit, folders: tuple[Path, ...], success: Callable[[MadeEdit], object],
        failure: Failure,
    ) -> None:  # fmt: skip
        """Make an edit that makes trajectories of others; it is undone with those of the project."""
        project, who = self._project, self._who

        def made(done: MadeEdit) -> None:
            self._library.history.add(self._edit_of(project, who, folders[0], done))
            success(done)

        self._change(edit.make, folders, made, failure)

    def undo(self, folder: Path, success: Callable[[MadeEdit], object], failure: Failure) -> None:
        """Take back the newest edit of a trajectory, whenever it was made."""
        project, who = self._project, self._who

        def work() -> MadeEdit:
            from collector.recording.edits import edit_history

            return edit_history.undo(project, folder, who)

        self._change(work, (folder,), success, failure)

    def redo(self, folder: Path, success: Callable[[MadeEdit], object], failure: Failure) -> None:
        """Make the edit of a trajectory again that was undone last."""
        project, who = self._project, self._who

        def work() -> MadeEdit:
            from collector.recording.edits import edit_history

            return edit_history.redo(project, folder, who)

        self._change(work, (folder,), success, failure)

    def history(self, folder: Path, success: Callable[[ShownHistory], object], failure: Failure) -> None:
        """Read the edits of a trajectory."""
        project = self._project

        def work(_job: Job) -> ShownHistory:
            from collector.recording.edits.edit_history import history_of, titles_of

            return ShownHistory(history_of(project, folder), *titles_of(project, folder))

        self._runner.run(work, success=success, failure=failure, queue=JobQueue.STORE)

    def plan_of_entry(
        self, folder: Path, number: int, success: Callable[[EditPlan], object], failure: Failure
    ) -> None:
        """Read the steps before and after an edit, by its number from 1."""
        project = self._project

        def work(_job: Job) -> EditPlan:
            from collector.recording.edits.edit_history import plan_of_entry

            return plan_of_entry(project, folder, number)

        self._runner.run(work, success=success, failure=failure)

    def _change(
        self, work: Callable[[], MadeEdit], folders: tuple[Path, ...],
        success: Callable[[MadeEdit], object], failure: Failure,
    ) -> None:  # fmt: skip
        for folder in folders:
            self._trajectories.leaving.emit(folder)

        def done(made: MadeEdit) -> None:
            self._library.refresh()
            success(made)

        self._runner.run(lambda _job: work(), success=done, failure=failure, queue=JobQueue.STORE, saves=True)

    def _edit_of(self, project: Project, who: str, source: Path, made: MadeEdit) -> Edit:
        def undo() -> None:
            from collector.recording.edits import edit_history

            edit_history.undo(project, made.folders[0], who)

        def redo() -> None:
            from collector.recording.edits import edit_history

            edit_history.redo(project, source, who)

        def run(move: Call, reached: Call, refused: Call) -> None:
            def arrived() -> None:
                reached()
                self.returned.emit(source if move is undo else made.folders[0])

            self._trajectories.move(move, arrived, refused, (*made.folders, source))

        return Edit(made.title, undo, redo, run=run)
