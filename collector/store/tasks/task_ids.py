"""Ids for new tasks, and copies of tasks.

They differ where two people add tasks to two copies of one project, so that the copies can be merged.
"""

from __future__ import annotations

import re
import secrets
import unicodedata
from collections.abc import Container, Mapping, Sequence
from dataclasses import replace
from typing import Any

from collector.model.i18n import _
from collector.model.task import Task
from collector.model.text.id_digits import id_digits
from collector.store.files.errors import NotFound, StoreError

_MOST_WORDS = 5
_WORD = re.compile(r"[a-z0-9]+")
_SUFFIX = re.compile(r"-[0-9a-f]{4}")


def new_task_id(instruction: str, taken: Container[str]) -> str:
    """An id of the words of an instruction, as ``buy-milk``; one that is taken gets a number.

    After five words, and where letters are not Latin, comes a digest of the whole instruction.
    """
    letters = unicodedata.normalize("NFKD", instruction.casefold())
    words = _WORD.findall("".join(letter for letter in letters if not unicodedata.combining(letter)))
    task_id = "-".join(words[:_MOST_WORDS]) or "task"
    is_whole = "".join(words) == "".join(filter(str.isalnum, letters))
    if not (words and is_whole and len(words) <= _MOST_WORDS):
        task_id += "-" + id_digits(instruction)
    return next_task_id(f"{task_id}-1", taken) if task_id in taken else task_id


def _copy_id(task_id: str, taken: Container[str]) -> str:
    """An id for a copy: that of the task with four digits that nobody else gets."""
    suffix = _SUFFIX.search(task_id, max(len(task_id) - 5, 0))
    head = task_id[: suffix.start()] if suffix is not None else task_id
    while (new_id := f"{head}-{secrets.token_hex(2)}") in taken:
        pass
    return new_id


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

    Its id is ``task_id``, or one of the words of its instruction. App, package and language that ``values``
    lack are those of the last task, or of the last one with the given app or package. How many golden
    trajectories it needs, and the language for a new app, are as with the last task. Raises StoreError for
    an id that is in use.
    """
    ids = {task.id for task in tasks}
    task_id = task_id.strip() or new_task_id(instruction, ids)
    if task_id in ids:
        raise StoreError(_("There is a task {id} already", id=task_id), "", _("Choose another id"))
    given = dict(values or {})
    inherited = {key: getattr(tasks[-1], key) for key in ("language", "golden_wanted")} if tasks else {}
    like = next((task for task in reversed(tasks) if _is_of_app(task, given)), None)
    if like is not None:
        inherited |= {"app": like.app, "package": like.package, "language": like.language}
    task = Task(**{**inherited, **given, "id": task_id, "instruction": instruction.strip()})
    return (*tasks, task), task


def _is_of_app(task: Task, given: Mapping[str, Any]) -> bool:
    """Whether a task has the app and the package that are given; those that are not given may be any."""
    has_package = given.get("package", task.package) == task.package
    return has_package and str(given.get("app", task.app)).casefold() == task.app.casefold()


def changed_task(tasks: Sequence[Task], changed: Task) -> tuple[Task, ...]:
    """Return the tasks with ``changed`` in the place of the one with its id."""
    return tuple(changed if task.id == changed.id else task for task in tasks)


def with_duplicate(tasks: Sequence[Task], task_id: str, new_id: str = "") -> tuple[tuple[Task, ...], Task]:
    """Return the tasks with a copy of one behind it, and that copy.

    It gets ``new_id``, or the id of the task with four digits behind it. Raises NotFound, or StoreError for
    an id in use.
    """
    ids = [task.id for task in tasks]
    if task_id not in ids:
        raise NotFound(_("There is no task {id}", id=task_id), "", _("`waymark task list` shows them"))
    new_id = new_id.strip() or _copy_id(task_id, ids)
    if new_id in ids:
        raise StoreError(_("There is a task {id} already", id=new_id), "", _("Choose another id"))
    place = ids.index(task_id) + 1
    copy = replace(tasks[place - 1], id=new_id)
    return (*tasks[:place], copy, *tasks[place:]), copy
