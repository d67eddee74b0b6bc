"""The tasks of the open project as edited in the window: undo, saving, and changes made by other programs."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer, Signal, Slot

from collector.model.editing.edit_stack import Edit, EditStack
from collector.model.errors import UserError
from collector.model.essential_state import EssentialState
from collector.model.message import _
from collector.model.task import Task
from collector.rules.grammar.model import STATE
from collector.store.files.errors import ReadOnly
from collector.store.project.project import Project
from collector.store.project.task_saver import SavedTasks, TaskSaver
from collector.store.tasks.state_file import StateChange, with_changes
from collector.store.tasks.task_merge import TaskConflict, TaskMerge, Tasks, merge_tasks
from studio.bridge.jobs import Job, JobQueue, JobRunner
from studio.bridge.standing_errors import StandingErrors

RETRY_MS = 3000
"""After an edit that the disk refused."""
_READING, _SAVING = "reading", "saving"
_SETTLE_MS = 100
"""Other programs write a file in several steps; the last one counts."""


class TaskEdits(QObject):
    """Writes every edit at once and watches ``tasks.yaml``. GUI thread only; work runs in the store's queue.

    An edit that the disk refuses stays, and is written again later or with the next edit.
    """

    changed = Signal()
    """The tasks or the essential states are others now."""
    saved = Signal()
    """An edit was written to the disk."""
    states_saved = Signal()
    """An edit wrote the file of the essential states too."""
    conflicted = Signal(object)
    """Tasks that another program changed too: a tuple of
    :class:`~collector.store.tasks.task_merge.TaskConflict`. What was typed here is kept."""
    failed = Signal(object)

    def __init__(self, runner: JobRunner, history: EditStack, parent: QObject | None = None) -> None:
        """``history`` is the stack that edits are added to."""
        super().__init__(parent)
        self._runner, self._history = runner, history
        self.tasks: Tasks = ()
        """The tasks as edited last, on the disk or still on their way there."""
        self._saver: TaskSaver | None = None
        self._stored: Tasks = ()
        self.states: Mapping[str, EssentialState] = {}
        """The essential states by id, with those of edits on their way to the disk."""
        self._outstanding = 0
        self._errors = StandingErrors(runner, self.failed.emit)
        self._retry = QTimer(self, singleShot=True, interval=RETRY_MS)
        self._retry.timeout.connect(self._submit)
        self._settle = QTimer(self, singleShot=True, interval=_SETTLE_MS)
        self._settle.timeout.connect(self.reload)
        self._users: list[Callable[[], Collection[str]]] = []
        self._watch = QFileSystemWatcher(self)
        self._watch.fileChanged.connect(self._file_changed)
        self._watch.directoryChanged.connect(self._file_changed)
        runner.closing.connect(self._close)

    @property
    def is_unsaved(self) -> bool:
        """Whether an edit was refused by the disk and waits to be written."""
        return self._saver is not None and self._saver.is_waiting

    def open(self, project: Project | None, states: Mapping[str, EssentialState] | None = None) -> None:
        """Follow the tasks of another project, which has these essential states; None follows none."""
        if watched := [*self._watch.files(), *self._watch.directories()]:
            self._watch.removePaths(watched)
        self._retry.stop()
        self._settle.stop()
        if self.is_unsaved:
            self._submit()  # a last attempt
        self._saver = TaskSaver(project) if project is not None else None
        self._stored = project.tasks if project is not None else ()
        self.states = states or {}
        self.tasks = self._stored
        self._history.clear()
        self._outstanding = 0
        self._errors.end(_READING, _SAVING)
        self._watch_file()
        self.changed.emit()

    def edit(self, title: str, tasks: Sequence[Task], states: Sequence[StateChange] = ()) -> None:
        """Replace the tasks and change states; ``title`` names the edit in "Undo ``title``"."""
        if self._saver is not None:
            try:
                self._saver.project.require_writable()
            except ReadOnly as error:
                self.failed.emit(error)
                return
        before, tasks, changes = self.tasks, tuple(tasks), tuple(states)
        undone = tuple(change.reversed for change in reversed(changes))
        self._put(tasks, changes)

        def undo() -> None:
            left = merge_tasks(tasks, before, self.tasks).tasks
            self._require_unused(left)
            self._put(left, undone)

        self._history.add(
            Edit(title, undo, lambda: self._put(merge_tasks(before, tasks, self.tasks).tasks, changes))
        )

    def keep_used(self, used: Callable[[], Collection[str]]) -> None:
        """Never undo the addition of a task whose id ``used`` gives: something stands on it."""
        self._users.append(used)

    def _require_unused(self, left: Tasks) -> None:
        """Raise UserError when a task that something stands on is not among the tasks that are left."""
        gone = {task.id for task in self.tasks} - {task.id for task in left}
        used = sorted(gone & {name for users in self._users for name in users()})
        if used:
            raise UserError(
                _("This cannot be undone"),
                _("there are recordings of {tasks}", tasks=", ".join(used)),
                _("Delete the task in Project if it is to go"),
            )

    def use_theirs(self, conflicts: Sequence[TaskConflict]) -> None:
        """Take the other program's version of tasks that both sides changed."""
        theirs = {conflict.task_id: conflict.theirs for conflict in conflicts}
        chosen = (theirs.get(task.id, task) for task in self.tasks)
        title = _("use theirs: {tasks}", tasks=", ".join(theirs))
        self.edit(title, [task for task in chosen if task is not None])

    def save_upgrade(self) -> None:
        """Write the states of an upgraded project, before a file names them; runs on a worker thread."""
        if self._saver is not None:
            self._saver.project.save_upgrade()

    @Slot()
    def _close(self) -> None:
        """Write what the disk refused before, once more, and watch no longer."""
        self.open(None)

    # -- saving ------------------------------------------------------------------
    def _put(self, tasks: Tasks, states: Sequence[StateChange]) -> None:
        before, self.tasks = self.tasks, tasks
        if states:
            self.states = with_changes(self.states, states)
        if self._saver is not None:
            self._saver.request(before, tasks, states)
            self._submit()  # first: what follows may paint thousands of rows
        self.changed.emit()

    @Slot()
    def _submit(self) -> None:
        saver = self._saver
        if saver is None:
            return
        self._outstanding += 1

        def work(_job: Job) -> tuple[TaskSaver, SavedTasks | None]:
            return saver, saver.save()

        self._runner.run(work, success=self._saved, failure=self._not_saved, queue=JobQueue.STORE, saves=True)

    @Slot(object)
    def _saved(self, result: tuple[TaskSaver, SavedTasks | None]) -> None:
        saver, saved = result
        if saver is not self._saver:
            return
        self._outstanding -= 1
        self._errors.end(_READING, _SAVING)
        self._watch_file()
        if saved is None:
            return
        if not saver.is_waiting:
            self._take_states(saved.states)
        self._take(merge_tasks(saved.asked, self.tasks, saved.merge.tasks), saved.merge)
        self._stored = saved.merge.tasks
        if saved.has_changed_states:
            self.states_saved.emit()
        self.saved.emit()

    @Slot(object)
    def _not_saved(self, error: Exception) -> None:
        self._outstanding = max(0, self._outstanding - 1)
        self._retry.start()
        self._errors.begin(_SAVING, error)

    # -- changes from outside ------------------------------------------------------
    @Slot(str)
    def _file_changed(self, _path: str) -> None:
        self._settle.start()

    @Slot()
    def reload(self) -> None:
        """Read what another program wrote."""
        saver = self._saver
        if saver is None:
            return

        def work(_job: Job) -> Mapping[str, EssentialState]:
            saver.project.reload()
            if saver.project.tasks_error is not None:
                raise saver.project.tasks_error
            return saver.project.states

        self._runner.run(work, success=self._reloaded, failure=self._not_reloaded, queue=JobQueue.STORE)

    @Slot(object)
    def _not_reloaded(self, error: Exception) -> None:
        self._errors.begin(_READING, error)

    @Slot(object)
    def _reloaded(self, states: Mapping[str, EssentialState]) -> None:
        self._errors.end(_READING)
        self.take_stored(states)
        self._watch_file()

    def take_stored(self, states: Mapping[str, EssentialState]) -> None:
        """Merge what the project read from the disk with the edits made here; ``states`` are as on the disk.

        While an edit is on its way its result brings them.
        """
        if self._saver is None or self._outstanding or self._saver.is_waiting:
            return
        self._take_states(states)
        stored = self._saver.project.tasks
        if stored is not self._stored:
            merge = merge_tasks(self._stored, self.tasks, stored)
            self._stored = stored
            self._take(merge, merge)

    def _take_states(self, states: Mapping[str, EssentialState]) -> None:
        if states != self.states:
            self.states = states
            self.changed.emit()

    def _take(self, merge: TaskMerge, reported: TaskMerge) -> None:
        if merge.tasks != self.tasks:
            self.tasks = merge.tasks
            self.changed.emit()
        if reported.conflicts:
            self.conflicted.emit(reported.conflicts)

    def _watch_file(self) -> None:
        if self._saver is None:
            return
        paths = self._saver.project.paths
        rules = paths.rule_file(STATE).parent
        states = [path for path, kind in paths.editable_rule_files() if kind in (STATE, "")]
        watched = (paths.tasks, paths.folder, rules, *states)
        wanted = {str(path) for path in watched if path.exists()}
        if new := sorted(wanted - {*self._watch.files(), *self._watch.directories()}):
            self._watch.addPaths(new)
