"""Tasks with parameters in formats that have none: the values of the usual seed are written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from collector.exchange.exchange_log import NOTE, ExchangeLog
from collector.model.i18n import _
from collector.model.seeds import DEFAULT_SEED
from collector.model.task import Task
from collector.store.tasks.task_values import bound, values_of


def fixed_tasks(tasks: Iterable[Task], log: ExchangeLog) -> tuple[Task, ...]:
    """The tasks with the values of the usual seed in place of names; the log says of which.

    Raises UserError for a parameter that has no value.
    """
    return tuple(_fixed(task, log) for task in tasks)


def _fixed(task: Task, log: ExchangeLog) -> Task:
    if not task.parameters:
        return task
    values = fixed_values(task)
    named = ", ".join(f"{name}={value}" for name, value in values.items())
    text = _("The format has no parameters; these values were written: {values}", values=named)
    log.add("parameters-fixed", text, severity=NOTE, step=task.id)
    return bound(task, values)


def fixed_values(task: Task) -> Mapping[str, str]:
    """The values of the usual seed; none for a task without parameters."""
    return values_of(task, DEFAULT_SEED) if task.parameters else {}
