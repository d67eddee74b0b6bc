"""Which anomaly meets which task, where and with which answer."""

from __future__ import annotations

import pytest

from collector.anomalies.builtin_library import builtin_library
from collector.model.action import Key, Tap
from collector.model.task import Task
from collector.replay.solvability.cases import SolvabilityTask, answers_of, trial_cases
from collector.rules.grammar.model import INJECTION, Injection, Rule
from tests.helpers.fake_phone import APP, recorded_step
from tests.helpers.memory_trajectory import MemoryTrajectory

LOW, SINGLE, WALL, OFF = (
    builtin_library().get(name)
    for name in ("battery_low_double_en", "battery_low_single_en", "login_wall", "wifi_off")
)
TASK = Task("task", "Buy a poster", package=APP)
STEPS = [
    recorded_step(Key("home"), index=0, package="com.launcher"),
    recorded_step(Tap(1, 1), index=1),
    recorded_step(Tap(2, 2), index=2),
    recorded_step(None, index=3),
]


class Made(MemoryTrajectory):
    steps = STEPS


GOLDEN = Made("task", ())


@pytest.mark.parametrize(
    ("anomaly", "wanted", "expected"),
    [
        (LOW, "declared", ["deny"]),
        (LOW, "each", ["accept", "deny"]),
        (LOW, "dismiss", ["dismiss"]),
        (SINGLE, "declared", ["accept"]),
        (SINGLE, "deny", []),
        (WALL, "declared", ["dismiss"]),
        (WALL, "each", ["dismiss"]),
        (OFF, "accept", [""]),
    ],
)
def test_the_answers_of_an_anomaly(anomaly, wanted, expected):
    assert answers_of(anomaly, wanted) == expected


def places(at, *rules):
    subject = SolvabilityTask(TASK, [GOLDEN], rules)
    return [(case.at, case.rule and case.rule.id) for case in trial_cases(subject, LOW, GOLDEN, at=at)]


def rule(name, anomaly, priority=99, **more):
    return Rule(
        id=name, kind=INJECTION, actions=(Injection(interference_id=anomaly, **more),), priority=priority
    )


def test_where_an_anomaly_is_injected():
    assert places("auto") == places("first") == [(1, None)]
    assert places("each") == [(1, None), (2, None)]
    assert places("2") == [(2, None)]
    assert places("3") == places("rule") == []


def test_the_task_s_rule_says_where_and_what_follows():
    rules = (
        rule("late", LOW.id),
        rule("soon", LOW.id, 1, follow_up={"deny": "go_home"}),
        rule("other", OFF.id, 0),
    )
    assert places("auto", *rules) == places("rule", *rules) == [(None, "soon")]
    assert places("first", *rules) == [(1, None)]
    (case,) = trial_cases(SolvabilityTask(TASK, [GOLDEN], rules), LOW, GOLDEN)
    assert case.follow_up == {"deny": "go_home"}
