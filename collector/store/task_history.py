"""Undo and redo for the tasks of a project."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from collector.store.state_file import StateChange
from collector.store.task_merge import Tasks, merge_tasks

_MAX_EDITS = 200


@dataclass(frozen=True, slots=True)
class _Edit:
    title: str
    before: Tasks
    after: Tasks
    states: tuple[StateChange, ...] = ()


class TaskHistory:
    """The undo and redo stacks. An edit holds both lists of tasks; tasks are immutable, so that is cheap."""

    def __init__(self, tasks: Tasks = ()) -> None:
        self.tasks = tasks
        self.state_changes: tuple[StateChange, ...] = ()
        """The states that the last edit, undo or redo changed with the tasks."""
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

    def do(self, title: str, tasks: Tasks, states: Sequence[StateChange] = ()) -> None:
        """Add an edit; what was undone before can no longer be redone."""
        self.state_changes = tuple(states)
        self._done = [*self._done[-_MAX_EDITS + 1 :], _Edit(title, self.tasks, tasks, self.state_changes)]
        self._undone.clear()
        self.tasks = tasks

    def undo(self) -> bool:
        """Undo the newest edit; False when there is none. What other programs changed since stays."""
        if not self._done:
            return False
        edit = self._done.pop()
        self._undone.append(edit)
        self.state_changes = tuple(change.reversed for change in reversed(edit.states))
        self.tasks = merge_tasks(edit.after, edit.before, self.tasks).tasks
        return True

    def redo(self) -> bool:
        """Redo the edit that was undone last; False when there is none."""
        if not self._undone:
            return False
        edit = self._undone.pop()
        self._done.append(edit)
        self.state_changes = edit.states
        self.tasks = merge_tasks(edit.before, edit.after, self.tasks).tasks
        return True

    def take_outside(self, tasks: Tasks) -> None:
        """Use the tasks that another program left; edits can still be undone, each by itself."""
        self.tasks = tasks
