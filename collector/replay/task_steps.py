"""The steps of a recording that are its task's own: what an interruption took is left out."""

from __future__ import annotations

from collections.abc import Sequence

from collector.model.trajectory import Step
from collector.store.interruptions import interrupted_app


def task_steps(steps: Sequence[Step], app: str = "") -> list[Step]:
    """The steps that do something for the task, in order.

    Those under an injected dialog answered it, and those after it that were taken elsewhere, until its
    app was in front again, led back from what followed the answer: a replay meets neither. Where the
    recording does not name the app that was interrupted, every app seen before and ``app`` count.
    """
    course: list[Step] = []
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
            course.append(step)
    return course
