"""Ids for new tasks, and copies of tasks."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import replace
from typing import Any

from collector.model.i18n import _
from collector.model.task import Task
from collector.store.files.errors import NotFound, StoreError


def next_task_id(like: str, taken: Container[str]) -> str:
    """Return the next free id in the series of ``like``: after ``shop-14`` comes ``shop-15``."""
    head = like.rstrip("0123456789")
    digits = like[len(head) :]
    number, width = int(digits or 0), max(len(digits), 1)
    head = head if digits else f"{like}-"
    while True:
        number += 1
        task_id = f"{head}{number:0{width}}"
        if task_id not in taken:
            return task_id


def with_new_task(
    tasks: Sequence[Task], instruction: str, task_id: str = "", values: Mapping[str, Any] | None = None
) -> tuple[tuple[Task, ...], Task]:
    """Return the tasks with a new one behind them, and that one; ``values`` are other fields of it.

    Its id is ``task_id``, or the next of the last task's series. App, package, language and how many golden
    trajectories it needs are those of the last task unless ``values`` have others. Raises StoreError for an
    id that is in use.
    """
    ids = {task.id for task in tasks}
    task_id = task_id.strip() or next_task_id(tasks[-1].id if tasks else "task-00", ids)
    if task_id in ids:
        raise StoreError(_("There is a task {id} already", id=task_id), "", _("Choose another id"))
    like = tasks[-1] if tasks else Task("", "")
    inherited = {key: getattr(like, key) for key in ("app", "package", "language", "golden_wanted")}
    if values and "package" in values and values["package"] != like.package:
        inherited = {"golden_wanted": like.golden_wanted}
    task = Task(**{**inherited, **(values or {}), "id": task_id, "instruction": instruction.strip()})
    return (*tasks, task), task


def changed_task(tasks: Sequence[Task], changed: Task) -> tuple[Task, ...]:
    """Return the tasks with ``changed`` in the place of the one with its id."""
    return tuple(changed if task.id == changed.id else task for task in tasks)


def with_duplicate(tasks: Sequence[Task], task_id: str, new_id: str = "") -> tuple[tuple[Task, ...], Task]:
    """Return the tasks with a copy of one behind it, and that copy.

    It gets ``new_id``, or the next free id of its series. Raises NotFound, or StoreError for an id in use.
    """
    ids = [task.id for task in tasks]
    if task_id not in ids:
        raise NotFound(_("There is no task {id}", id=task_id), "", _("`waymark task list` shows them"))
    new_id = new_id.strip() or next_task_id(task_id, ids)
    if new_id in ids:
        raise StoreError(_("There is a task {id} already", id=new_id), "", _("Choose another id"))
    place = ids.index(task_id) + 1
    copy = replace(tasks[place - 1], id=new_id)
    return (*tasks[:place], copy, *tasks[place:]), copy
