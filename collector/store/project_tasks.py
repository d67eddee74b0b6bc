"""The tasks of a project and the essential states they name: two files that are read and written together."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from collector.model.essential_state import EssentialState, new_state_id
from collector.model.i18n import _
from collector.model.task import Task
from collector.store import format_versions as versions
from collector.store import lock, task_file, yaml_files
from collector.store.disk import Disk
from collector.store.errors import StoreError
from collector.store.file_monitor import FileMonitor
from collector.store.layout import ProjectPaths
from collector.store.links import refuse_links_outside
from collector.store.state_file import (
    StateChange,
    States,
    changed_states,
    read_states,
    real_changes,
    states_of,
    with_changes,
    with_task_headings,
)
from collector.store.state_order import Groups, groups_of
from collector.store.task_file import StoredTasks
from collector.store.task_file_editor import TaskFileEditor
from collector.store.task_merge import TaskMerge, merge_tasks
from collector.store.task_upgrade import upgrade_tasks

_STATE = "state"


class ProjectTasks:
    """Reads ``tasks.yaml`` and ``rules/states.yaml``, and writes both so that a crash leaves neither half.

    States that tasks come to name are written before the tasks, and states are deleted after them. Any thread
    may call.
    """

    def __init__(self, paths: ProjectPaths, disk: Disk, before_write: Callable[[], None]) -> None:
        self._paths, self._disk, self._before_write = paths, disk, before_write
        self._monitor = FileMonitor()
        self._file = TaskFileEditor(paths.tasks)
        self._stored = StoredTasks()
        """As the file has them."""
        self._states: States = {}
        """As the file has them."""
        self._new_states: tuple[EssentialState, ...] = ()
        self.tasks: tuple[Task, ...] = ()
        """As read or saved last."""
        self._lock = threading.RLock()

    @property
    def states(self) -> Mapping[str, EssentialState]:
        """The essential states by id, also those that an upgrade of the tasks defines.

        While the file of states cannot be read they are those read last.
        """
        with self._lock:
            self._have_states_changed()
            return {**self._states, **{state.id: state for state in self._new_states}}

    @property
    def new_states(self) -> tuple[EssentialState, ...]:
        """States that ``rules/states.yaml`` lacks until the tasks of version 1 are saved."""
        return self._new_states

    def reload(self) -> tuple[Task, ...]:
        """Read the tasks again, if the content of their file is not known already."""
        with self._lock:
            self._read_tasks()
            return self.tasks

    def save(
        self, tasks: Sequence[Task], base: Sequence[Task] | None = None, states: Sequence[StateChange] = ()
    ) -> TaskMerge:
        """Write tasks and changes of states; see :meth:`collector.store.project.Project.save_tasks`."""
        _refuse_duplicates(tasks)
        with self._lock, lock.held_for_a_moment(self._paths.task_lock):
            base = self.tasks if base is None else base
            data = self._read_tasks()
            merge = merge_tasks(base, tasks, self.tasks)
            if states or merge.tasks != self.tasks or not self._is_old:
                merge = self._write(data, merge, states)
            self.tasks = merge.tasks
            return merge

    def save_upgrade(self) -> None:
        """Write the upgrade of files of version 1, so that other files may name the ids of its states."""
        with self._lock, lock.held_for_a_moment(self._paths.task_lock):
            data = self._read_tasks()
            if data.strip() and self._is_old:
                self._write(data, TaskMerge(self.tasks), ())

    @property
    def _is_old(self) -> bool:
        """Whether the file of the tasks is of an older version, and the tasks an upgrade of it."""
        return self._stored.version != versions.TASKS.version

    # Reading

    def write_task_headings(self) -> None:
        """Keep a place in ``rules/states.yaml`` for each task; see :mod:`collector.store.state_order`."""
        with self._lock, lock.held_for_a_moment(self._paths.task_lock):
            self._read_tasks()
            self._refresh_states()
            path = self._paths.rule_file(_STATE)
            data = path.read_bytes() if path.is_file() else b""
            edited = with_task_headings(data, path.name, self._states, groups_of(self.tasks))
            if edited != data and not self._is_old:
                self._before_write()
                self._write_states((edited, self._states))

    def _read_tasks(self) -> bytes:
        """Read the tasks if the file changed; returns its content, empty when there is none.

        A file that is gone or empty is not a change: version control takes a file away before it writes it.
        """
        path = self._paths.tasks
        if not os.path.lexists(path):  # a broken link is an error to report, not a missing file
            return b""
        try:
            data = path.read_bytes()
        except OSError:
            task_file.read_tasks(path)  # raises, with the reason in a sentence
            return b""
        if data.strip() and not self._monitor.is_known(path, data):
            self._stored = self._file.read(data)
            self._monitor.note_read(path, data)
            self._take_stored()
        elif self._is_old and self._have_states_changed():
            self._take_stored()
        return data

    def _take_stored(self) -> None:
        """Take the tasks as they are in the file, upgraded."""
        tasks, self._new_states = self._stored.tasks, ()
        if self._is_old:
            self._have_states_changed()
            upgraded = upgrade_tasks(tasks, self._states)
            tasks, self._new_states = upgraded.tasks, upgraded.new_states
        if tasks != self.tasks:
            self.tasks = tasks

    def _have_states_changed(self) -> bool:
        """Read the states if they changed; those of a file that cannot be read stay as they were."""
        try:
            return self._refresh_states()
        except StoreError:
            return False  # the check of the project says why; a save is refused

    def _refresh_states(self) -> bool:
        """Read the states if their file changed; returns whether it did. Raises Damaged."""
        path = self._paths.rule_file(_STATE)
        try:
            data = path.read_bytes() if os.path.lexists(path) else None
        except OSError:
            read_states(path)  # raises, with the reason in a sentence
            return False
        if data is not None and self._monitor.is_known(path, data):
            return False
        before, self._states = self._states, read_states(path)
        if data is not None:
            self._monitor.note_read(path, data)
        return before != self._states

    # Writing

    def _write(self, data: bytes, merge: TaskMerge, states: Sequence[StateChange]) -> TaskMerge:
        """Write the states that were added or changed, then the tasks, then delete states."""
        merge, changes = self._with_free_ids(merge, states)
        named = {state_id for task in merge.tasks for state_id in task.essential_states}
        last = {change.id: change.after for change in changes}
        deleted = [change for change in changes if last[change.id] is None and change.id not in named]
        written = [StateChange(None, state) for state in self._new_states]
        written += [change for change in changes if last[change.id] is not None]
        edited = self._file.edited(data, merge.tasks)
        groups = groups_of(merge.tasks)
        with_states = self._edited_states(written, groups)
        if edited != data or with_states is not None:
            self._before_write()
        self._write_states(with_states)
        if edited != data:
            self._disk.write(self._paths.tasks, edited)
            self._file.written(edited, merge.tasks)
            self._monitor.note_read(self._paths.tasks, edited)
            self._stored, self._new_states = StoredTasks(merge.tasks), ()
        self._write_states(self._edited_states(deleted, groups))
        return merge

    def _with_free_ids(
        self, merge: TaskMerge, states: Sequence[StateChange]
    ) -> tuple[TaskMerge, Sequence[StateChange]]:
        """Give a new state another id when a different state took its id meanwhile, in the tasks too."""
        known = self.states
        renamed: dict[str, str] = {}
        changes: list[StateChange] = []
        for change in states:
            state = change.after
            if state is not None and change.before is None and known.get(change.id, state) != state:
                task_id = change.id.rpartition("-")[0] or change.id
                taken = {*known, *renamed.values(), *(other.id for other in states)}
                renamed[change.id] = new_state_id(task_id, 1, taken)
            changes.append(change.with_id(renamed.get(change.id, change.id)))
        if not renamed:
            return merge, changes
        old = {task.id: task for task in self.tasks}
        tasks = tuple(
            task if old.get(task.id) == task else _with_renamed_states(task, renamed) for task in merge.tasks
        )
        return TaskMerge(tasks, merge.conflicts), changes

    def _edited_states(self, changes: Sequence[StateChange], groups: Groups) -> tuple[bytes, States] | None:
        """The content of the file with changed states, and these; None when nothing is to be written.

        A state that another program changed meanwhile stays as that program left it. Raises StoreError.
        """
        if not changes:
            return None
        self._refresh_states()
        real = real_changes(changes, self._states)
        if not real:
            return None
        path = self._paths.rule_file(_STATE)
        data = path.read_bytes() if path.is_file() else b""
        edited = changed_states(data, real, path.name, self._states, groups)
        if all(change.before is not None for change in real):
            return edited, with_changes(self._states, real)
        return edited, states_of(yaml_files.parse(edited, path.name), path.name)

    def _write_states(self, edited: tuple[bytes, States] | None) -> None:
        if edited is None:
            return
        path = self._paths.rule_file(_STATE)
        refuse_links_outside(self._paths.folder, [path.parent, path])
        self._disk.make_folder(path.parent)
        data, states = edited
        self._disk.write(path, data)
        self._states = states
        self._monitor.note_read(path, data)


def _with_renamed_states(task: Task, renamed: Mapping[str, str]) -> Task:
    return replace(task, essential_states=tuple(renamed.get(name, name) for name in task.essential_states))


def _refuse_duplicates(tasks: Sequence[Task]) -> None:
    seen: set[str] = set()
    for task in tasks:
        if task.id in seen:
            raise StoreError(
                _("There are two tasks with the id {id}", id=task.id), "", _("Rename one of them")
            )
        seen.add(task.id)
