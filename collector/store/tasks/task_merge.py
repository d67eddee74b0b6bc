"""Merge the tasks edited here with those that another program wrote meanwhile."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from collector.model.editing.three_way_merge import merge
from collector.model.task import Task

_FIELDS = tuple(field.name for field in fields(Task))
Tasks = tuple[Task, ...]


@dataclass(frozen=True, slots=True)
class TaskConflict:
    """A task that both sides changed in the same field, or that one side deleted and the other changed."""

    task_id: str
    kept: Task
    """As the merge has it."""
    theirs: Task | None
    """With the fields of the other program, to be taken instead; None when it deleted the task."""


@dataclass(frozen=True, slots=True)
class TaskMerge:
    """The merged tasks. In a conflict the fields typed here are kept, and no task is lost."""

    tasks: Tasks
    conflicts: tuple[TaskConflict, ...] = ()


def merge_tasks(base: Sequence[Task], mine: Sequence[Task], theirs: Sequence[Task]) -> TaskMerge:
    """Merge two descendants of ``base``, task by task and field by field."""
    if mine is base or mine == base:
        return TaskMerge(tuple(theirs))
    if theirs is base or theirs == base:
        return TaskMerge(tuple(mine))
    their_ids = {task.id for task in theirs}
    added = {task.id for task in mine} & their_ids - {task.id for task in base}
    old, own, their = map(_values, ([*base, *(Task(task_id, "") for task_id in added)], mine, theirs))
    kept, offered = merge(old, own, their, ("id",)), merge(old, their, own, ("id",))
    tasks, other = ({values["id"]: Task(**values) for values in side.value} for side in (kept, offered))
    disputed = dict.fromkeys(conflict.path[0] for conflict in kept.conflicts)
    return TaskMerge(
        tuple(tasks.values()),
        tuple(TaskConflict(key, tasks[key], other[key] if key in their_ids else None) for key in disputed),
    )


def merge_task(base: Task, mine: Task, theirs: Task) -> tuple[Task, TaskConflict | None]:
    """Merge two versions of a task field by field; the id is that of ``mine``."""
    merged = merge_tasks((replace(base, id=mine.id),), (mine,), (replace(theirs, id=mine.id),))
    return merged.tasks[0], next(iter(merged.conflicts), None)


def _values(tasks: Iterable[Task]) -> list[dict[str, Any]]:
    """The fields of tasks. A field that holds several values is one piece: their order has a meaning."""
    return [{name: getattr(task, name) for name in _FIELDS} for task in tasks]
