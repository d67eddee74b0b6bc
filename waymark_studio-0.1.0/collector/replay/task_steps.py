"""Select the steps of a recording that belong to its task, without those of an interruption."""

from __future__ import annotations

from collections.abc import Sequence

from collector.model.trajectory import Step
from collector.store.trajectory.interruptions import interrupted_app


def task_steps(steps: Sequence[Step], app: str = "") -> list[Step]:
    """The steps that act for the task, in order.

    Left out are steps under an injected dialog, which answered it, and the steps after it in other apps,
    which led back from its follow-up: a replay meets neither. When the recording does not name the
    interrupted app, it is any app seen before, or ``app``.
    """
    steps_of_task: list[Step] = []
    seen = {app} - {""}
    back_in: set[str] = set()
    for step in steps:
        over, package = interrupted_app(step), step.state.package
        if over is not None:
            back_in = {over} - {""} or set(seen)
            continue
        if back_in and package and package not in back_in and step.action is not None:
            continue
        back_in = set()
        if package:
            seen.add(package)
        if step.action is not None:
            steps_of_task.append(step)
    return steps_of_task
