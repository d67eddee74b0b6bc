"""A person's labels on the trajectories of a task: read, changed and undone behind the window."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from collector.judge.label_progress import LabelledTrajectory, labelled_trajectories, labelled_trajectory
from collector.judge.labelling import LabelChange, LabelEdit, VerdictEdit, edit_labels
from collector.judge.person_judge import judge_as_person, settle
from collector.judge.reason_edits import Reasons
from collector.model.failure_reason import FailureReason
from collector.model.judgement import Subject
from collector.model.task import Task
from collector.store.achieved_states import state_names
from collector.store.project import Project
from studio.bridge.jobs import Job, JobQueue, JobRunner


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


Edit = LabelEdit | VerdictEdit | ReasonsEdit


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


def _read_row(source: _Source, folder: Path) -> LabelledTrajectory:
    return labelled_trajectory(
        folder, source.states, source.who, state_names(source.task, source.project.states)
    )


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
            rows = labelled_trajectories(source.project, source.task, source.who, source.states)
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
    def edit(self, folder: Path, title: str, change: LabelChange) -> None:
        """Change the labels of a trajectory; ``title`` names the edit in "Undo ``title``"."""
        source = self._source
        if source is not None:
            self._do(folder, title, lambda: edit_labels(folder, source.who, change))

    def give_verdict(
        self, folder: Path, title: str, verdict: str, reason: str = "", reason_id: str = ""
    ) -> None:
        """Give the person's verdict on a trajectory."""
        source = self._source
        if source is not None:
            self._do(
                folder,
                title,
                lambda: VerdictEdit(folder, judge_as_person(folder, source.who, verdict, reason, reason_id)),
            )

    def settle(self, folder: Path, title: str, subject: Subject, verdict: str) -> None:
        """Settle what people disagree on; their own votes stay."""
        source = self._source
        if source is not None:
            self._do(folder, title, lambda: VerdictEdit(folder, settle(folder, source.who, subject, verdict)))

    def set_reasons(self, title: str, reasons: Sequence[FailureReason]) -> None:
        """Replace the reasons of the project."""
        source, before = self._source, self.reasons
        if source is None or tuple(reasons) == before:
            return
        edit = ReasonsEdit(source.project, before, tuple(reasons))

        def make() -> Edit:
            edit.redo()
            return edit

        self._do(None, title, make)

    def _do(self, folder: Path | None, title: str, make: Callable[[], Edit | None]) -> None:
        if self._source is None:
            return
        entry = LabelHistoryEntry(title, folder, self)

        def work() -> None:
            entry.edit = make()

        self.edited.emit(entry)
        self._run(entry, work, self._made)

    @Slot(object)
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

    @Slot(object)
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
            row = _read_row(source, folder) if folder is not None else None
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
