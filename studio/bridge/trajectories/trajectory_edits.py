"""Edits of stored trajectories from the window: planned, made, and undone behind it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from collector.model.editing.edit_stack import Call, Edit, EditStack
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.verdicts.judgement import UNNAMED
from collector.store.project.project import Project
from studio.bridge.jobs import Job, JobQueue, JobRunner
from studio.bridge.project_library import ProjectLibrary
from studio.bridge.trajectories.project_trajectories import ProjectTrajectories
from studio.bridge.while_alive import call_back, while_alive

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

    @property
    def made(self) -> dt.datetime | None:
        """When the edit was made that undo would undo; None for nothing, or where no journal says."""
        times = [entry.time for entry in self.entries if not entry.is_undone] if self.undo_title else []
        return dt.datetime.fromisoformat(times[-1]) if times and times[-1] else None


class TrajectoryEdits(QObject):
    """GUI thread only; whoever has a trajectory open closes it before it is changed."""

    returned = Signal(object, int)
    """The folder of a trajectory that an undo or a redo of a stack brought back, and a step of it."""

    def __init__(
        self, runner: JobRunner, library: ProjectLibrary, trajectories: ProjectTrajectories,
        parent: QObject | None = None,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._runner, self._library, self._trajectories = runner, library, trajectories
        self._stacks: list[EditStack] = []
        """Those that edits were added to."""
        self._subjects: dict[Path, object] = {}
        """Trajectory -> what its edits in the stacks stand on."""
        trajectories.rewound.connect(self._forget)

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
        self, edit: TrajectoryEdit, folders: tuple[Path, ...], step: int, stack: EditStack | None,
        success: Callable[[MadeEdit], object], failure: Failure,
    ) -> None:  # fmt: skip
        """Make an edit of the trajectories in ``folders``, of which the first is shown at ``step``.

        It is undone with the others of ``stack``; with None by the history of the trajectory alone.
        """
        project, who = self._project, self._who

        def made(done: MadeEdit) -> None:
            if stack is not None:
                self._stacks = [*(each for each in self._stacks if each is not stack), stack]
                stack.add(self._edit_of(project, who, folders[0], step, done))
            call_back(success, done)

        self._change(edit.make, folders, made, failure)

    def undo(self, folder: Path, success: Callable[[MadeEdit], object], failure: Failure) -> None:
        """Take back the newest edit of a trajectory, whenever it was made."""
        project, who = self._project, self._who

        def work() -> MadeEdit:
            from collector.recording.edits import edit_history

            return edit_history.undo(project, folder, who)

        self._rewind(work, folder, success, failure)

    def redo(self, folder: Path, success: Callable[[MadeEdit], object], failure: Failure) -> None:
        """Make the edit of a trajectory again that was undone last."""
        project, who = self._project, self._who

        def work() -> MadeEdit:
            from collector.recording.edits import edit_history

            return edit_history.redo(project, folder, who)

        self._rewind(work, folder, success, failure)

    def _rewind(
        self, work: Callable[[], MadeEdit], folder: Path, success: Callable[[MadeEdit], object],
        failure: Failure,
    ) -> None:  # fmt: skip
        def done(made: MadeEdit) -> None:
            for each in (folder, *made.folders):
                self._trajectories.rewound.emit(each)
            call_back(success, made)

        self._change(work, (folder,), done, failure)

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

    @Slot(object)
    def _forget(self, folder: Path) -> None:
        """Leave out the edits of a trajectory whose own history was gone through: it knows their order."""
        subject = self._subjects.get(folder)
        for stack in self._stacks if subject is not None else ():
            stack.forget(subject)

    def _change(
        self, work: Callable[[], MadeEdit], folders: tuple[Path, ...],
        success: Callable[[MadeEdit], object], failure: Failure,
    ) -> None:  # fmt: skip
        for folder in folders:
            self._trajectories.leaving.emit(folder)

        def done(made: MadeEdit) -> None:
            self._library.refresh()
            call_back(success, made)

        self._runner.run(
            lambda _job: work(), success=while_alive(self._library, done), failure=failure,
            queue=JobQueue.STORE, saves=True,
        )  # fmt: skip

    def _say_returned(self, folder: Path, step: int) -> None:
        self.returned.emit(folder, step)

    def _edit_of(self, project: Project, who: str, source: Path, step: int, made: MadeEdit) -> Edit:
        def undo() -> None:
            from collector.recording.edits import edit_history

            edit_history.undo(project, made.folders[0], who, made.seq)

        def redo() -> None:
            from collector.recording.edits import edit_history

            edit_history.redo(project, source, who, made.seq)

        def run(move: Call, reached: Call, refused: Call) -> None:
            back, forth = (source, step), (made.folders[0], step if made.seq else 0)

            def arrived() -> None:
                reached()
                call_back(self._say_returned, *(back if move is undo else forth))

            self._trajectories.move(move, arrived, refused, tuple({*made.folders, source}))

        subject = self._subjects.setdefault(made.folders[0], object())
        return Edit(made.title, undo, redo, subject, run)
