"""The tasks of ``assets/tasks``: small ones over the apps of the virtual phone, each with a target."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache

from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.resources import asset
from collector.model.task import Task
from collector.store.tasks.task_file import read_tasks

_FOLDER = "tasks"


@lru_cache(maxsize=1)
def built_in_tasks() -> tuple[Task, ...]:
    """All of them, by file and then as the file has them. Raises Damaged for a file that cannot be read."""
    return tuple(task for path in sorted(asset(_FOLDER).glob("*.yaml")) for task in read_tasks(path).tasks)


def tasks_named(names: Collection[str]) -> tuple[Task, ...]:
    """The built-in tasks with these ids, in their own order. Raises UserError for an id that none has."""
    known = built_in_tasks()
    unknown = sorted(set(names) - {task.id for task in known})
    if unknown:
        raise UserError(
            _("The studio has no task {id}", id=unknown[0]), "", _("`waymark task library` lists them")
        )
    return tuple(task for task in known if task.id in names)


def short_app(task: Task) -> str:
    """The short name of a task's app, as in ``calendar``; empty for tasks over several apps."""
    return task.package.rpartition(".")[2]


def tasks_of(apps: Collection[str] = (), level: str = "") -> tuple[Task, ...]:
    """The built-in tasks of some apps, by short names, and of a level; without these all.

    Raises UserError for an app that no task is about.
    """
    known = {short_app(task): None for task in built_in_tasks()}
    for app in apps:
        if app not in known:
            raise UserError(
                _("The studio has no tasks for the app {name}", name=app), "",
                _("Use one of: {known}", known=", ".join(sorted(known))),
            )  # fmt: skip
    return tuple(
        task
        for task in built_in_tasks()
        if (not apps or short_app(task) in apps) and (not level or task.level == level)
    )


def with_added(tasks: Sequence[Task], added: Sequence[Task]) -> tuple[tuple[Task, ...], tuple[Task, ...]]:
    """The tasks of a project with others behind them, and those that are new.

    A task whose id the project has already is left out, so that nothing a person wrote is replaced.
    """
    taken = {task.id for task in tasks}
    new = tuple(task for task in added if task.id not in taken)
    return (*tasks, *new), new
