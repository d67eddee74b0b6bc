"""Merge the tasks edited here with those that another program wrote meanwhile."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from collector.model.task import Task

_FIELDS = tuple(field.name for field in fields(Task) if field.name not in ("id", "extra"))
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
    old, own, their = _by_id(base), _by_id(mine), _by_id(theirs)
    result: dict[str, Task] = {}
    conflicts: list[TaskConflict] = []
    for task_id in _order(list(old), list(own), list(their)):
        task, conflict = _merge_task(old.get(task_id), own.get(task_id), their.get(task_id))
        if task is not None:
            result[task_id] = task
        if conflict is not None:
            conflicts.append(conflict)
    return TaskMerge(tuple(result.values()), tuple(conflicts))


def merge_task(base: Task, mine: Task, theirs: Task) -> tuple[Task, TaskConflict | None]:
    """Merge two versions of a task field by field; the id is that of ``mine``."""
    merged: dict[str, Any] = {}
    disputed: dict[str, Any] = {}
    for name in _FIELDS:
        old, own, their = getattr(base, name), getattr(mine, name), getattr(theirs, name)
        merged[name] = their if own == old else own
        if own != old and their not in (old, own):
            disputed[name] = their
    extra, other_extra = _merge_extra(base.extra, mine.extra, theirs.extra)
    kept = replace(mine, **merged, extra=extra)
    if not disputed and other_extra == extra:
        return kept, None
    return kept, TaskConflict(kept.id, kept, replace(kept, **disputed, extra=other_extra))


def _merge_task(
    base: Task | None, mine: Task | None, theirs: Task | None
) -> tuple[Task | None, TaskConflict | None]:
    if mine == theirs or theirs == base:
        return mine, None
    if mine == base:
        return theirs, None
    if mine is None:  # deleted here, changed there: a task is never lost to a merge
        assert theirs is not None
        return theirs, TaskConflict(theirs.id, theirs, theirs)
    if theirs is None:
        return mine, TaskConflict(mine.id, mine, None)
    return merge_task(base if base is not None else Task(mine.id, ""), mine, theirs)


def _merge_extra(
    base: Mapping[str, Any], mine: Mapping[str, Any], theirs: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The merged keys, and the same with the other side's values where both changed one."""
    missing = object()
    merged: dict[str, Any] = {}
    other: dict[str, Any] = {}
    for key in {**theirs, **mine}:
        old, own, their = (side.get(key, missing) for side in (base, mine, theirs))
        value = their if own == old else own
        for target, chosen in ((merged, value), (other, value if their == old else their)):
            if chosen is not missing:
                target[key] = chosen
    return merged, other


def _by_id(tasks: Sequence[Task]) -> dict[str, Task]:
    return {task.id: task for task in tasks}


def _order(old: list[str], mine: list[str], their: list[str]) -> list[str]:
    """Their order when ours did not change, else ours; tasks of the other side follow their neighbour."""
    shared = set(old) & set(mine)
    order_unchanged = [key for key in old if key in shared] == [key for key in mine if key in shared]
    main, other = (their, mine) if order_unchanged else (mine, their)
    present = set(main)
    followers: dict[str, list[str]] = {}
    neighbour = ""
    for key in other:
        if key in present:
            neighbour = key
        else:
            followers.setdefault(neighbour, []).append(key)
    known = {*old, *other}
    result: list[str] = []
    waiting = followers.get("", [])
    for key in main:
        if key in known:  # what the main side added behind the same neighbour comes first
            result += waiting
            waiting = followers.get(key, [])
        result.append(key)
    return result + waiting
