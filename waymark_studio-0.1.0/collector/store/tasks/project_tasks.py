"""The tasks of a project and the essential states they name: files that are read and written together."""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from collector.model.essential_state import EssentialState, new_state_id
from collector.model.i18n import _
from collector.model.task import Task
from collector.store.files import format_versions as versions
from collector.store.files import lock, yaml_files
from collector.store.files.disk import Disk
from collector.store.files.errors import StoreError
from collector.store.files.file_monitor import FileMonitor
from collector.store.files.layout import ProjectPaths
from collector.store.files.links import refuse_links_outside
from collector.store.tasks import task_file
from collector.store.tasks.state_file import (
    StateChange,
    States,
    changed_states,
    read_states,
    real_changes,
    states_of,
    with_changes,
    with_task_headings,
)
from collector.store.tasks.state_order import Groups, groups_of, is_under_git
from collector.store.tasks.task_file import StoredTasks
from collector.store.tasks.task_file_editor import TaskFileEditor
from collector.store.tasks.task_merge import TaskMerge, merge_tasks
from collector.store.tasks.task_upgrade import upgrade_tasks

_STATE = "state"
_STATES_KEY = re.compile(rb"^states[ \t]*:", re.MULTILINE)
"""In a file that is not ``rules/states.yaml``, what says that its rules are states."""


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
        self._states: dict[Path, States] = {}
        """By file, as the files have them; ``rules/states.yaml``, which new states go to, comes first."""
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
            return {**self._known_states, **{state.id: state for state in self._new_states}}

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
        """Write tasks and changes of states; see :meth:`.Project.save_tasks`."""
        _refuse_duplicates(tasks)
        with self._lock, lock.held_for_a_moment(self._paths.task_lock):
            base = self.tasks if base is None else base
            data = self._read_tasks()
            merge = merge_tasks(base, tasks, self.tasks)
            added = {task.id for task in merge.tasks} - {task.id for task in self.tasks}
            if states or merge.tasks != self.tasks or not self._is_old:
                merge = self._write(data, merge, states)
            self.tasks = merge.tasks
            if added and is_under_git(self._paths.folder):
                self._write_headings()
            return merge

    def save_upgrade(self) -> None:
        """Write the upgrade of files of version 1, so that other files may name the ids of its states."""
        with self._lock, lock.held_for_a_moment(self._paths.task_lock):
            data = self._read_tasks()
            if data.strip() and self._is_old:
                self._write(data, TaskMerge(self.tasks), ())

    @property
    def _known_states(self) -> States:
        """The states of all files; of several with one id that of the first file."""
        known: States = {}
        for path in self._state_files():
            for state in self._states.get(path, {}).values():
                known.setdefault(state.id, state)
        return known

    @property
    def _is_old(self) -> bool:
        """Whether the file of the tasks is of an older version, and the tasks an upgrade of it."""
        return self._stored.version != versions.TASKS.version

    # Reading

    def write_task_headings(self) -> None:
        """Keep a place in ``rules/states.yaml`` for each task, as ``state_order`` says."""
        with self._lock, lock.held_for_a_moment(self._paths.task_lock):
            self._read_tasks()
            self._write_headings()

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
            upgraded = upgrade_tasks(tasks, self._known_states)
            tasks, self._new_states = upgraded.tasks, upgraded.new_states
        if tasks != self.tasks:
            self.tasks = tasks

    def _have_states_changed(self) -> bool:
        """Read the states if they changed; those of a file that cannot be read stay as they were."""
        has_changed = False
        for path in self._state_files():
            try:
                has_changed |= self._refresh_states(path)
            except StoreError:  # the check of the project says why; a save is refused
                self._states.setdefault(path, {})
        return has_changed

    def _state_files(self) -> list[Path]:
        """The files that may define states; those that are gone are forgotten."""
        files = [path for path, kind in self._paths.editable_rule_files() if kind in (_STATE, "")]
        self._states = {path: self._states[path] for path in files if path in self._states}
        return files

    def _refresh_states(self, path: Path) -> bool:
        """Read the states of a file if it changed; returns whether they are others. Raises Damaged."""
        try:
            data = path.read_bytes() if os.path.lexists(path) else None
        except OSError:
            read_states(path)  # raises, with the reason in a sentence
            return False
        if data is not None and path in self._states and self._monitor.is_known(path, data):
            return False
        before = self._states.get(path)
        is_usual = path == self._paths.rule_file(_STATE)
        has_states = data is not None and (is_usual or _STATES_KEY.search(data) is not None)
        self._states[path] = read_states(path) if has_states else {}
        if data is not None:
            self._monitor.note_read(path, data)
        return (before or {}) != self._states[path]

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
        if edited != data or with_states:
            self._before_write()
        self._write_states(with_states)
        if edited != data:
            self._disk.write(self._paths.tasks, edited)
            self._file.written(edited, merge.tasks)
            self._monitor.note_read(self._paths.tasks, edited)
            self._stored, self._new_states = StoredTasks(merge.tasks), ()
        self._write_states(self._edited_states(deleted, groups))
        return merge

    def _write_headings(self) -> None:
        path = self._paths.rule_file(_STATE)
        self._refresh_states(path)
        data = path.read_bytes() if path.is_file() else b""
        states = self._states.get(path, {})
        edited = with_task_headings(data, path.name, states, groups_of(self.tasks))
        if edited != data and not self._is_old:
            self._before_write()
            self._write_states([_EditedStates(path, edited, states)])

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

    def _edited_states(self, changes: Sequence[StateChange], groups: Groups) -> list[_EditedStates]:
        """The files with changed states, each with its new content.

        A new state goes to ``rules/states.yaml``. A state that another program changed meanwhile stays as
        that program left it. Raises StoreError.
        """
        if not changes:
            return []
        usual, edited = self._paths.rule_file(_STATE), []
        self._have_states_changed()
        self._refresh_states(usual)  # raises, if it cannot be read
        files = self._state_files()
        holders = {state_id: path for path in reversed(files) for state_id in self._states[path]}
        for path in files:
            states = self._states[path]
            real = real_changes([item for item in changes if holders.get(item.id, usual) == path], states)
            if real:
                data = path.read_bytes() if path.is_file() else b""
                content = changed_states(data, real, path.name, states, groups)
                changed = with_changes(states, real)
                if any(change.before is None for change in real):  # new ones stand at their tasks
                    changed = states_of(yaml_files.parse(content, path.name), path.name)
                edited.append(_EditedStates(path, content, changed))
        return edited

    def _write_states(self, edited: Sequence[_EditedStates]) -> None:
        for file in edited:
            refuse_links_outside(self._paths.folder, [file.path.parent, file.path])
            self._disk.make_folder(file.path.parent)
            self._disk.write(file.path, file.data)
            self._states[file.path] = file.states
            self._monitor.note_read(file.path, file.data)


@dataclass(frozen=True, slots=True)
class _EditedStates:
    """A file of states as it is to be written."""

    path: Path
    data: bytes
    states: States


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
