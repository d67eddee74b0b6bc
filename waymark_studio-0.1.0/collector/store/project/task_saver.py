"""Write edits of a project's tasks: the newest at once, and again what the disk refused."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from collector.model.essential_state import EssentialState
from collector.store.project.project import Project
from collector.store.tasks.state_file import StateChange
from collector.store.tasks.task_merge import TaskMerge, Tasks


@dataclass(frozen=True, slots=True)
class SavedTasks:
    """What was asked to be written, and what the project has now."""

    asked: Tasks
    merge: TaskMerge
    states: Mapping[str, EssentialState]
    """The essential states that the project has now."""
    has_changed_states: bool
    """Whether the file of the states was to be written too."""


@dataclass(frozen=True, slots=True)
class _Request:
    base: Tasks
    tasks: Tasks
    states: tuple[StateChange, ...]

    def behind(self, earlier: _Request | None) -> _Request:
        """This request, and an earlier one that waits, as one."""
        return self if earlier is None else _Request(earlier.base, self.tasks, earlier.states + self.states)


class TaskSaver:
    """Edits come from one thread, :meth:`save` runs in another. Edits that wait are written together."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self._lock = threading.Lock()
        self._waiting: _Request | None = None

    @property
    def is_waiting(self) -> bool:
        """Whether an edit is not written yet."""
        return self._waiting is not None

    def request(self, base: Tasks, tasks: Tasks, states: Sequence[StateChange] = ()) -> None:
        """Ask for ``tasks`` to be written, which were made from ``base``, the tasks of the request before.

        ``states`` are changed with them.
        """
        with self._lock:
            self._waiting = _Request(base, tasks, tuple(states)).behind(self._waiting)

    def save(self) -> SavedTasks | None:
        """Write what waits; None when nothing does. What raises StoreError waits for the next call."""
        with self._lock:
            request, self._waiting = self._waiting, None
        if request is None:
            return None
        has_changed_states = bool(request.states or self.project.new_states)
        try:
            merge = self.project.save_tasks(request.tasks, request.base, request.states)
        except BaseException:
            with self._lock:
                self._waiting = self._waiting.behind(request) if self._waiting else request
            raise
        return SavedTasks(request.tasks, merge, self.project.states, has_changed_states)
