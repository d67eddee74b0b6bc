"""Undo and redo of a project: edits of its tasks, and changes of whole trajectories, in their order."""

from __future__ import annotations

from collections.abc import Sequence

from collector.model.task import Task
from collector.store.state_file import StateChange
from collector.store.task_history import TaskHistory
from collector.store.trajectory_changes import TrajectoryChange

_TASKS = None
"""Marks an edit of the tasks, which the base class holds."""


class ProjectHistory(TaskHistory):
    """Adds changes of trajectories to the history of the tasks. The files are moved by the caller."""

    def __init__(self, tasks: tuple[Task, ...] = ()) -> None:
        super().__init__(tasks)
        self._order: list[TrajectoryChange | None] = []
        self._order_undone: list[TrajectoryChange | None] = []

    @property
    def undo_title(self) -> str:
        self._trim()
        newest = self._order[-1] if self._order else _TASKS
        return newest.title if newest is not None else super().undo_title

    @property
    def redo_title(self) -> str:
        if not self._order_undone:
            return ""
        newest = self._order_undone[-1]
        return newest.title if newest is not None else super().redo_title

    def do(self, title: str, tasks: tuple[Task, ...], states: Sequence[StateChange] = ()) -> None:
        super().do(title, tasks, states)
        self._order.append(_TASKS)
        self._order_undone.clear()

    def add(self, change: TrajectoryChange) -> None:
        """Add a change of a trajectory that was made; what was undone before can no longer be redone."""
        self._order.append(change)
        self._order_undone.clear()

    def undo(self) -> bool:
        """Undo the newest edit of the tasks; call :meth:`take_undo` first."""
        if not super().undo():
            return False
        if self._order:
            self._order_undone.append(self._order.pop())
        return True

    def redo(self) -> bool:
        """Redo an edit of the tasks; call :meth:`take_redo` first."""
        if not self._order_undone or not super().redo():
            return False
        self._order.append(self._order_undone.pop())
        return True

    def take_undo(self) -> TrajectoryChange | None:
        """The change to make if undo concerns a trajectory, taken as made; None if it concerns the tasks."""
        self._trim()
        if not self._order or self._order[-1] is None:
            return None
        change = self._order.pop()
        self._order_undone.append(change)
        return change.reversed if change is not None else None

    def take_redo(self) -> TrajectoryChange | None:
        """As :meth:`take_undo`, for redo."""
        if not self._order_undone or self._order_undone[-1] is None:
            return None
        change = self._order_undone.pop()
        self._order.append(change)
        return change

    def _trim(self) -> None:
        """Drop edits of the tasks that the base class has dropped: another program changed the tasks."""
        while self._order and self._order[-1] is None and not super().undo_title:
            self._order.pop()

    def forget(self, change: TrajectoryChange) -> None:
        """Drop a change that could not be undone or redone, as its trajectory is not there any more."""
        same = (change, change.reversed)
        self._order = [known for known in self._order if known not in same]
        self._order_undone = [known for known in self._order_undone if known not in same]
