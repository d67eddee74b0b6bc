"""A change of the workflow of essential states as one value that can be undone."""

from __future__ import annotations

from dataclasses import dataclass, replace

from collector.model.task import Task
from collector.states.work_files.state_work import StateWork, WorkDocument
from collector.store.tasks.state_file import StateChange


@dataclass(frozen=True, slots=True)
class StateWorkChange:
    """A file of the workflow before and after, and what changed with it in the states and in the task."""

    title: str
    """What undo names, as in ``sign the proposal of shop-14``."""
    before: WorkDocument | None
    after: WorkDocument | None
    """None where the file does not exist."""
    states: tuple[StateChange, ...] = ()
    """Changes of ``rules/states.yaml``."""
    task: tuple[Task, Task] | None = None
    """The task before and after, when it came to name other states."""

    @property
    def reversed(self) -> StateWorkChange:
        """The change that undoes this one."""
        task = (self.task[1], self.task[0]) if self.task is not None else None
        states = tuple(change.reversed for change in reversed(self.states))
        return StateWorkChange(self.title, self.after, self.before, states, task)


def apply_work_change(work: StateWork, change: StateWorkChange) -> StateWorkChange:
    """Make a change again, or its reverse; what other programs changed since stays. Returns what was made.

    Raises StoreError when the same part was changed since; nothing is changed then.
    """
    before, after = work.merge(change.before, change.after)
    if change.states or change.task is not None:
        try:
            save_with_task(work, change.states, change.task)
        except BaseException:
            work.merge(after, before)
            raise
    return replace(change, before=before, after=after)


def save_with_task(
    work: StateWork, states: tuple[StateChange, ...], task: tuple[Task, Task] | None
) -> tuple[Task, ...]:
    """Write changed states, and the task that names them; returns the tasks of the project now."""
    project = work.project
    base = project.reload()
    mine = base
    if task is not None:
        # Of the task only its states change here; everything else stays as the file has it.
        named = task[1].essential_states
        mine = tuple(
            replace(known, essential_states=named) if known.id == task[1].id else known for known in base
        )
    return project.save_tasks(mine, base, states).tasks
