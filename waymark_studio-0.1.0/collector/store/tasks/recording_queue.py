"""The order in which a project's tasks are recorded, and which of them have enough golden trajectories."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from collector.model.i18n import _
from collector.model.task import Task


def is_recorded(task: Task, golden: Mapping[str, int]) -> bool:
    """Return whether a task has its golden trajectories; ``golden`` counts them by task id."""
    return golden.get(task.id, 0) >= max(1, task.golden_wanted)


def tasks_by_app(tasks: Sequence[Task]) -> dict[str, list[Task]]:
    """Group tasks by the name of their app. Apps keep the order in which they first occur."""
    groups: dict[str, list[Task]] = {}
    for task in tasks:
        groups.setdefault(task.app or task.package or _("Any app"), []).append(task)
    return groups


def next_task(tasks: Sequence[Task], golden: Mapping[str, int], after: str = "") -> Task | None:
    """Return the next task to record below task ``after``, from the top after the last; None when all are."""
    queue = [task for group in tasks_by_app(tasks).values() for task in group]
    place = next((number for number, task in enumerate(queue) if task.id == after), -1)
    rotated = queue[place + 1 :] + queue[: place + 1]
    return next((task for task in rotated if not is_recorded(task, golden)), None)
