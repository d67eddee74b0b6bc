"""Which steps of a recording belong to its task, and which to an interruption."""

from __future__ import annotations

from typing import Any

import pytest

from collector.model.action import Tap
from collector.replay.task_steps import task_steps
from tests.helpers.fake_phone import recorded_step

HOME, SHOP, SETTINGS, DIALOG = "com.launcher", "com.shop", "com.settings", "com.dialog"


def steps(*packages: str, over: str = SHOP, last: str = SHOP) -> list[Any]:
    steps = [recorded_step(Tap(1, 1), index=index, package=package) for index, package in enumerate(packages)]
    for step in steps:
        if step.state.package == DIALOG:
            step.extra["anomaly"] = {"injection": "a", "anomaly": "low", **({"over": over} if over else {})}
    return [*steps, recorded_step(None, index=len(steps), package=last)]


@pytest.mark.parametrize(
    ("recorded", "expected"),
    [
        ((HOME, SHOP, SHOP), [0, 1, 2]),
        ((HOME, SHOP, DIALOG, SHOP), [0, 1, 3]),
        ((HOME, SHOP, DIALOG, DIALOG, SETTINGS, SETTINGS, SHOP, SHOP), [0, 1, 6, 7]),
        ((HOME, SHOP, DIALOG, SETTINGS, HOME, SHOP), [0, 1, 5]),
        ((SHOP, DIALOG, SHOP, DIALOG, SETTINGS, SHOP), [0, 2, 5]),
        # What is done elsewhere later is the task's own.
        ((SHOP, DIALOG, SHOP, SETTINGS, SHOP), [0, 2, 3, 4]),
        ((SHOP, DIALOG), [0]),
    ],
)
def test_the_steps_of_an_interruption_are_left_out(recorded, expected):
    assert [step.index for step in task_steps(steps(*recorded), SHOP)] == expected


def test_where_the_app_under_a_dialog_is_not_named_every_app_seen_before_counts():
    recorded = steps(HOME, SHOP, DIALOG, SETTINGS, HOME, SHOP, over="")
    assert [step.index for step in task_steps(recorded, SHOP)] == [0, 1, 4, 5]
    first = steps(DIALOG, SETTINGS, SHOP, over="")
    assert [step.index for step in task_steps(first, SHOP)] == [2]
    assert [step.index for step in task_steps(first)] == [1, 2]


def test_a_mark_of_somebody_else_is_none():
    recorded = steps(SHOP, SHOP)
    recorded[0].extra["anomaly"] = "yes"
    assert len(task_steps(recorded, SHOP)) == 2
