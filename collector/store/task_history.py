"""One history for the tasks of a project: every edit has a name, can be taken back and made again."""

from __future__ import annotations

from dataclasses import dataclass

from collector.model.task import Task

_DEEP = 200
Tasks = tuple[Task, ...]


@dataclass(frozen=True, slots=True)
class _Edit:
    title: str
    before: Tasks
    after: Tasks


class TaskHistory:
    """Edits are whole lists of tasks: tasks are frozen, so a list costs a pointer a task."""

    def __init__(self, tasks: Tasks = ()) -> None:
        self.tasks = tasks
        self._done: list[_Edit] = []
        self._undone: list[_Edit] = []

    @property
    def undo_title(self) -> str:
        """What undo would take back, as in ``delete 3 tasks``; empty when there is nothing."""
        return self._done[-1].title if self._done else ""

    @property
    def redo_title(self) -> str:
        """What redo would make again; empty when there is nothing."""
        return self._undone[-1].title if self._undone else ""

    def do(self, title: str, tasks: Tasks) -> None:
        """Note an edit; what was undone before can no longer be made again."""
        self._done = [*self._done[-_DEEP + 1 :], _Edit(title, self.tasks, tasks)]
        self._undone.clear()
        self.tasks = tasks

    def undo(self) -> bool:
        """Step back; False when there is nothing to take back."""
        if not self._done:
            return False
        edit = self._done.pop()
        self._undone.append(edit)
        self.tasks = edit.before
        return True

    def redo(self) -> bool:
        """Step forward; False when nothing was taken back."""
        if not self._undone:
            return False
        edit = self._undone.pop()
        self._done.append(edit)
        self.tasks = edit.after
        return True

    def meet(self, tasks: Tasks) -> bool:
        """Take in what the disk says; True when it is none of our edits, and the history starts anew."""
        known = [self.tasks, *(edit.before for edit in self._done), *(edit.before for edit in self._undone)]
        if tasks in known or any(tasks == edit.after for edit in (*self._done, *self._undone)):
            return False
        self.tasks, self._done, self._undone = tasks, [], []
        return True
