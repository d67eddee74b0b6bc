"""The judge by rules and a second one written from the guide agree on tasks at random."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from collector.judge.judged_trajectory import JudgedTrajectory
from collector.judge.rule_judge import RuleJudge
from collector.model.task import Task
from collector.model.trajectory import GOLDEN, RUN
from collector.rules.grammar.model import SUCCESS
from collector.rules.grammar.rule_reader import read_rules
from tests.helpers import libyaml
from tests.helpers.judged import screen
from tests.helpers.memory_trajectory import MemoryTrajectory, RecordedScreen
from tests.helpers.second_judge import Case, random_case, second_judge


def first_judge(case: Case) -> tuple[dict[str, int | str], str]:
    """As :func:`second_judge`, by Waymark."""
    rules = read_rules(libyaml.safe_dump({"states": case.states})).rules
    if case.success:
        done = {"done": {"conditions": {"all": case.success}}}
        rules += read_rules(libyaml.safe_dump(done), kind=SUCCESS).rules
    names = [state["id"] for state in case.states] + [name for name in case.needed if name == "gone"]
    task = Task("t", "Do", rule_key="done" if case.success else "", essential_states=tuple(names))
    screens = [
        RecordedScreen(screen(",".join(each.texts or ())), each.action, None, each.package, each.activity)
        for each in case.screens
    ]
    recording = MemoryTrajectory("t", screens, GOLDEN if case.is_golden else RUN)
    given = list(RuleJudge().judge(JudgedTrajectory.of(recording, [task], rules)))
    states = {
        item.subject.state: item.verdict if item.subject.first is None else item.subject.first
        for item in given[:-1]
    }
    return states, given[-1].verdict


@given(st.integers(0, 2**63))
def test_both_judges_agree(seed: int) -> None:
    for number in range(20):
        case = random_case(random.Random(f"{seed}:{number}"))
        assert first_judge(case) == second_judge(case), case
