"""Write edits of a project's tasks: the newest at once, and again what the disk refused."""

from __future__ import annotations

import threading
from dataclasses import dataclass

from collector.store.project import Project
from collector.store.task_merge import TaskMerge, Tasks


@dataclass(frozen=True, slots=True)
class SavedTasks:
    """What was asked to be written, and what the project has now."""

    asked: Tasks
    merge: TaskMerge


class TaskSaver:
    """Edits come from one thread, :meth:`save` runs in another. Edits that wait are written together."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self._lock = threading.Lock()
        self._waiting: tuple[Tasks, Tasks] | None = None

    @property
    def is_waiting(self) -> bool:
        """Whether an edit is not written yet."""
        return self._waiting is not None

    def request(self, base: Tasks, tasks: Tasks) -> None:
        """Ask for ``tasks`` to be written, which were made from ``base``, the tasks of the request before."""
        with self._lock:
            self._waiting = (self._waiting[0] if self._waiting else base, tasks)

    def save(self) -> SavedTasks | None:
        """Write what waits; None when nothing does. What raises StoreError waits for the next call."""
        with self._lock:
            request, self._waiting = self._waiting, None
        if request is None:
            return None
        base, tasks = request
        try:
            return SavedTasks(tasks, self.project.save_tasks(tasks, base))
        except BaseException:
            with self._lock:
                self._waiting = (base, self._waiting[1] if self._waiting else tasks)
            raise
