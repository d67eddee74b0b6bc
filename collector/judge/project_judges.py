"""The success judges of a project: the rule each task names, under the project's semantics."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from collector.device.adb_device import AdbDevice
from collector.device.errors import DeviceError
from collector.judge.judged_trajectory import success_rule
from collector.judge.success_judge import SuccessJudge
from collector.model.task import Task
from collector.rules.evaluation.image_matching import ImageFiles
from collector.rules.evaluation.task_states import TaskStates
from collector.rules.grammar.model import STATE, Rule
from collector.store.project import Project

if TYPE_CHECKING:
    from collector.rules.evaluation.state_view import RgbImage


def success_judges(
    project: Project, rules: Sequence[Rule], device: AdbDevice
) -> Callable[[Task], SuccessJudge]:
    """A function that makes the judge of a task; a judge may take screenshots of ``device``."""
    states = TaskStates((rule for rule in rules if rule.kind == STATE), project.tasks)

    def judge(task: Task) -> SuccessJudge:
        pictures = ImageFiles(project.folder)
        return SuccessJudge(
            success_rule(rules, task),
            states.of(task.id, task),
            project.semantics,
            pictures,
            lambda: _picture(device),
            states.needed(task.id, task),
        )

    return judge


def _picture(device: AdbDevice) -> RgbImage | None:
    # Here and not above: pictures bring libraries that take their time to load.
    from collector.device.screencap_source import take_screenshot

    try:
        return take_screenshot(device, threading.Event()).rgb()
    except DeviceError:
        return None
