"""A person's labels on the trajectories of a task: read, changed and undone behind the window."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from collector.judge.votes.reason_edits import Reasons
from collector.model.editing.edit_stack import Call, Edit
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.task import Task
from collector.model.verdicts.failure_reason import FailureReason
from collector.review.label_progress import LabelledTrajectory, labelled_trajectories, labelled_trajectory
from collector.review.next_review import take_next
from collector.review.queue import to_label
from collector.review.review_edit import ReviewEdit
from collector.review.reviewing import Reviewing
from collector.store.project.project import Project
from studio.bridge.jobs import Job, JobQueue, JobRunner
from studio.bridge.review.reviewer_work import Act
from studio.bridge.while_alive import call_back, while_alive

Change = ReviewEdit | Edit
"""What was written, and can be taken back and written again."""


@dataclass(frozen=True, slots=True)
class _Source:
    """Whose labels of which task are followed."""

    project: Project
    task: Task
    who: str
    states: tuple[str, ...]

    def reviewing(self) -> Reviewing:
        """The person as a reviewer; it is built by a job, for it reads the queues."""
        return Reviewing(self.project, self.who)


@dataclass(frozen=True, slots=True)
class _Rows:
    """What was read of a task."""

    source: _Source
    rows: tuple[LabelledTrajectory, ...]
    reasons: Reasons


class TaskLabels(QObject):
    """Follows one task. Files are read and written in the serial executor of ``runner``."""

    changed = Signal()
    """:attr:`rows` or :attr:`reasons` are others now."""
    labelled = Signal(object)
    """The folder of a trajectory whose labels or verdicts were written."""
    edited = Signal(object)
    """The :class:`~collector.model.editing.edit_stack.Edit` that was asked for; jobs end in their order."""
    forgotten = Signal(object)
    """An edit that changed nothing, or that the disk refused."""
    taken = Signal(object)
    """The folder of the trajectory to label next."""
    failed = Signal(object)

    def __init__(self, runner: JobRunner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runner = runner
        self._source: _Source | None = None
        self.rows: tuple[LabelledTrajectory, ...] = ()
        """The trajectories of the task, golden ones first."""
        self.reasons: tuple[FailureReason, ...] = ()
        """The reasons that verdicts can name."""

    # -- reading -----------------------------------------------------------------
    def open(self, project: Project | None, task: Task | None, who: str, states: Sequence[str] = ()) -> None:
        """Follow the labels of ``who`` on another task, for these states; None follows nothing."""
        source = None
        if project is not None and task is not None:
            source = _Source(project, task, who, tuple(states))
        before = self._source
        if source is None or before is None or source.task.id != before.task.id or source.who != before.who:
            self.rows = ()
            self.changed.emit()
        self._source = source
        self.read()

    @Slot()
    def read(self) -> None:
        """Read everything again: another program may have written labels."""
        source = self._source
        if source is None:
            return

        def work(_job: Job) -> _Rows:
            source.project.reload_settings()
            rows = labelled_trajectories(source.reviewing(), source.task, source.states)
            return _Rows(source, tuple(rows), source.project.reasons)

        self._runner.run(work, success=self._take, failure=self.failed.emit, queue=JobQueue.STORE)

    @Slot(object)
    def _take(self, read: _Rows) -> None:
        if read.source == self._source and (read.rows, read.reasons) != (self.rows, self.reasons):
            self.rows, self.reasons = read.rows, read.reasons
            self.changed.emit()

    def row_of(self, folder: Path | None) -> LabelledTrajectory | None:
        """The trajectory in ``folder`` with its labels; None until it was read."""
        return next((row for row in self.rows if row.folder == folder), None)

    # -- editing -----------------------------------------------------------------
    def act(self, folder: Path, title: str, act: Act, done: Callable[[], object] = lambda: None) -> None:
        """Do something as a reviewer of a trajectory; ``title`` names it in "Undo ``title``".

        ``done`` is called when it changed something, and that is on the disk.
        """
        source = self._source
        if source is None:
            return
        self._do(source, folder, title, lambda: act(source.reviewing()), done)

    def take_next(self, after: Path | None, *, must: bool = True) -> None:
        """Take the next trajectory of the task to label; ``taken`` follows, unless nothing is left.

        ``must`` fails when nothing is left.
        """
        source = self._source
        if source is None:
            return

        def work(_job: Job) -> Path | None:
            folder = take_next(source.reviewing(), to_label(source.task.id), after)
            if folder is None and must:
                raise UserError(_("No other trajectory of this task is left to label"))
            return folder

        self._runner.run(work, success=self._taken, failure=self.failed.emit, queue=JobQueue.STORE)

    @Slot(object)
    def _taken(self, folder: Path | None) -> None:
        if folder is not None:
            self.taken.emit(folder)

    def set_reasons(self, title: str, reasons: Sequence[FailureReason]) -> None:
        """Replace the reasons of the project."""
        source, before, after = self._source, self.reasons, tuple(reasons)
        if source is None or after == before:
            return

        def make() -> Edit:
            source.project.set_reasons(after)
            return Edit(
                title, lambda: source.project.set_reasons(before), lambda: source.project.set_reasons(after)
            )

        self._do(source, None, title, make)

    def _do(
        self, source: _Source, folder: Path | None, title: str, make: Callable[[], Change | None],
        done: Callable[[], object] = lambda: None,
    ) -> None:  # fmt: skip
        made: list[Change] = []  # nothing until the job has run, and when the disk says so already

        def run(change: Call, succeeded: Call, refused: Call) -> None:
            self._run(source, folder, change, succeeded, refused)

        edit = Edit(
            title, lambda: [change.undo() for change in made], lambda: [change.redo() for change in made],
            run=run,
        )  # fmt: skip

        def change() -> None:
            if (written := make()) is not None:
                made.append(written)

        def succeeded() -> None:
            if made:
                call_back(done)
            else:
                self.forgotten.emit(edit)

        self.edited.emit(edit)
        run(change, succeeded, lambda: self.forgotten.emit(edit))

    # -- jobs ----------------------------------------------------------------------
    def _run(
        self, source: _Source, folder: Path | None, change: Call, succeeded: Call, refused: Call
    ) -> None:
        """Write, and read how the trajectory in ``folder`` stands now."""

        def work(_job: Job) -> LabelledTrajectory | None:
            source.project.require_writable()
            change()
            return (
                labelled_trajectory(source.reviewing(), folder, source.states) if folder is not None else None
            )

        def written(row: LabelledTrajectory | None) -> None:
            self._written(source, row)
            succeeded()

        def failed(error: Exception) -> None:
            """Say why, and read what the disk has; what failed is offered neither to undo nor to redo."""
            call_back(refused)
            self.failed.emit(error)
            self.read()

        self._runner.run(
            work, success=while_alive(self, written), failure=while_alive(self, failed), queue=JobQueue.STORE,
            saves=True,
        )  # fmt: skip

    def _written(self, source: _Source, row: LabelledTrajectory | None) -> None:
        if source == self._source:
            self.reasons = source.project.reasons
            if row is not None and row.header.task_id == source.task.id:
                self.rows = tuple(row if known.folder == row.folder else known for known in self.rows)
            self.changed.emit()
        if row is not None:
            self.labelled.emit(row.folder)
