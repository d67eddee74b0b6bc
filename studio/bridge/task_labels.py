"""A person's labels on the trajectories of a task: read, changed and undone behind the window."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from collector.judge.votes.reason_edits import Reasons
from collector.model.errors import UserError
from collector.model.failure_reason import FailureReason
from collector.model.i18n import _
from collector.model.task import Task
from collector.review.label_progress import LabelledTrajectory, labelled_trajectories, labelled_trajectory
from collector.review.next_review import take_next
from collector.review.queue import to_label
from collector.review.review_edit import ReviewEdit
from collector.review.reviewing import Reviewing
from collector.store.project.project import Project
from studio.bridge.jobs import Job, JobQueue, JobRunner
from studio.bridge.reviewer_work import Act


@dataclass(frozen=True, slots=True)
class ReasonsEdit:
    """The reasons of the project before and after an edit."""

    project: Project
    before: Reasons
    after: Reasons

    def redo(self) -> None:
        """Write the reasons as they were after the edit. Raises StoreError."""
        self.project.set_reasons(self.after)

    def undo(self) -> None:
        """Write the reasons as they were before the edit. Raises StoreError."""
        self.project.set_reasons(self.before)


Edit = ReviewEdit | ReasonsEdit


class LabelHistoryEntry:
    """An edit for the history of the window, from the moment it is asked for: jobs end in their order."""

    def __init__(self, title: str, folder: Path | None, labels: TaskLabels) -> None:
        self.title = title
        self.folder = folder
        """Of the trajectory that is labelled; None for an edit of the reasons."""
        self.edit: Edit | None = None
        """What was changed; None until it is, and when nothing was."""
        self._labels = labels

    def undo(self) -> None:
        """Take the edit back, behind the window."""
        self._labels.repeat(self, lambda edit: edit.undo())

    def redo(self) -> None:
        """Make the edit again, behind the window."""
        self._labels.repeat(self, lambda edit: edit.redo())


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


@dataclass(frozen=True, slots=True)
class _Edited:
    """What a job changed, and how the trajectory stands now."""

    source: _Source
    entry: LabelHistoryEntry
    row: LabelledTrajectory | None
    reasons: Reasons


class TaskLabels(QObject):
    """Follows one task. Files are read and written in the serial executor of ``runner``."""

    changed = Signal()
    """:attr:`rows` or :attr:`reasons` are others now."""
    labelled = Signal(object)
    """The folder of a trajectory whose labels or verdicts were written."""
    edited = Signal(object)
    """The :class:`LabelHistoryEntry` of an edit that was asked for."""
    forgotten = Signal(object)
    """An entry that changed nothing, or cannot be undone or redone any more."""
    repeated = Signal()
    """An edit was undone or redone."""
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
        self._running: list[LabelHistoryEntry] = []
        """The edits on their way; the jobs end in their order."""

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

        def make() -> Edit | None:
            return act(source.reviewing())

        def made(edited: _Edited) -> None:
            self._made(edited)
            if edited.entry.edit is not None:
                done()

        self._do(folder, title, make, made)

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
        source, before = self._source, self.reasons
        if source is None or tuple(reasons) == before:
            return
        edit = ReasonsEdit(source.project, before, tuple(reasons))

        def make() -> Edit:
            edit.redo()
            return edit

        self._do(None, title, make, self._made)

    def _do(
        self, folder: Path | None, title: str, make: Callable[[], Edit | None],
        made: Callable[[_Edited], None],
    ) -> None:  # fmt: skip
        entry = LabelHistoryEntry(title, folder, self)

        def work() -> None:
            entry.edit = make()

        self.edited.emit(entry)
        self._run(entry, work, made)

    def _made(self, edited: _Edited) -> None:
        if edited.entry.edit is None:
            self.forgotten.emit(edited.entry)
        self._edited(edited)

    def repeat(self, entry: LabelHistoryEntry, apply: Callable[[Edit], None]) -> None:
        """Undo or redo an edit; the trajectory is read again."""

        def work() -> None:
            if entry.edit is not None:
                apply(entry.edit)

        self._run(entry, work, self._repeated)

    def _repeated(self, edited: _Edited) -> None:
        self._edited(edited)
        self.repeated.emit()

    # -- jobs ----------------------------------------------------------------------
    def _run(
        self, entry: LabelHistoryEntry, work: Callable[[], None], success: Callable[[_Edited], None]
    ) -> None:
        source, folder = self._source, entry.folder
        if source is None:
            return

        def job(_job: Job) -> _Edited:
            source.project.require_writable()
            work()
            row = (
                labelled_trajectory(source.reviewing(), folder, source.states) if folder is not None else None
            )
            return _Edited(source, entry, row, source.project.reasons)

        self._running.append(entry)
        self._runner.run(job, success=success, failure=self._not_edited, queue=JobQueue.STORE, saves=True)

    def _edited(self, edited: _Edited) -> None:
        self._running.pop(0)
        row = edited.row
        if edited.source == self._source:
            self.reasons = edited.reasons
            if row is not None and row.header.task_id == edited.source.task.id:
                self.rows = tuple(row if known.folder == row.folder else known for known in self.rows)
            self.changed.emit()
        if row is not None:
            self.labelled.emit(row.folder)

    @Slot(object)
    def _not_edited(self, error: Exception) -> None:
        """Say why, and read what the disk has; an edit that failed is not offered to undo or redo."""
        self.forgotten.emit(self._running.pop(0))
        self.failed.emit(error)
        self.read()
