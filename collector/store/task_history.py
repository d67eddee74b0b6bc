"""Undo and redo for the tasks of a project."""

from __future__ import annotations

from dataclasses import dataclass

from collector.model.task import Task

_MAX_EDITS = 200
Tasks = tuple[Task, ...]


@dataclass(frozen=True, slots=True)
class _Edit:
    title: str
    before: Tasks
    after: Tasks


class TaskHistory:
    """The undo and redo stacks. An edit holds both lists of tasks; tasks are immutable, so that is cheap."""

    def __init__(self, tasks: Tasks = ()) -> None:
        self.tasks = tasks
        self._done: list[_Edit] = []
        self._undone: list[_Edit] = []

    @property
    def undo_title(self) -> str:
        """What undo would undo, as in ``delete 3 tasks``; empty for nothing."""
        return self._done[-1].title if self._done else ""

    @property
    def redo_title(self) -> str:
        """What redo would redo; empty for nothing."""
        return self._undone[-1].title if self._undone else ""

    def do(self, title: str, tasks: Tasks) -> None:
        """Add an edit; what was undone before can no longer be redone."""
        self._done = [*self._done[-_MAX_EDITS + 1 :], _Edit(title, self.tasks, tasks)]
        self._undone.clear()
        self.tasks = tasks

    def undo(self) -> bool:
        """Undo the newest edit; False when there is none."""
        if not self._done:
            return False
        edit = self._done.pop()
        self._undone.append(edit)
        self.tasks = edit.before
        return True

    def redo(self) -> bool:
        """Redo the edit that was undone last; False when there is none."""
        if not self._undone:
            return False
        edit = self._undone.pop()
        self._done.append(edit)
        self.tasks = edit.after
        return True

    def sync(self, tasks: Tasks) -> bool:
        """Compare with the tasks on the disk; True when others changed them, and the history starts over."""
        known = [self.tasks, *(edit.before for edit in self._done), *(edit.before for edit in self._undone)]
        if tasks in known or any(tasks == edit.after for edit in (*self._done, *self._undone)):
            return False
        self.tasks, self._done, self._undone = tasks, [], []
        return True
