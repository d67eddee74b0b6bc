"""Judging 1,000 trajectories of 20 steps by rules, against a plain ElementTree loop over the same conditions.

The loop finds the same first steps and nothing else: no proof, no nearest screen, no verdict on the task.
"""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest
import yaml
from pytest_benchmark.fixture import BenchmarkFixture

from collector.judge.judged_trajectory import JudgedTrajectory
from collector.judge.rule_judge import RuleJudge
from collector.model.task import Task
from collector.rules.grammar.rule_reader import read_rules
from tests.helpers.memory_trajectory import MemoryTrajectory, RecordedScreen
from tests.helpers.rule_bench import thousand_dumps

TRAJECTORIES, STEPS = 1000, 20
IDS = ("first", "second", "third", "never")
WANTED = {"first": "cell_7", "second": "cell_31", "third": "cell_55", "never": "checkout"}
TASK = Task("shop", "Buy", essential_states=IDS)
_GROUP = pytest.mark.benchmark(group="1,000 trajectories of 20 steps judged by rules")


@pytest.fixture(scope="module")
def trajectories() -> list[list[bytes]]:
    return judged_trajectories(thousand_dumps(), TRAJECTORIES)


def judged_trajectories(dumps: list[bytes], count: int) -> list[list[bytes]]:
    """The dumps of each of so many trajectories."""
    return [
        [dumps[(number * 7 + step * 13) % len(dumps)] for step in range(STEPS)] for number in range(count)
    ]


def _selector(name: str) -> str:
    return f"resource-id='com.example.shop:id/{WANTED[name]}'"


def judged(trajectories: list[list[bytes]]) -> list[dict[str, int]]:
    """Essential state -> first step, of each trajectory."""
    entries = [
        {
            "id": name,
            "after": list(IDS[at - 1 : at]),
            "conditions": {"all": [{"type": "element_exists", "selector": _selector(name)}]},
        }
        for at, name in enumerate(IDS)
    ]
    rules = read_rules(yaml.safe_dump({"states": entries})).rules
    reached = []
    for dumps in trajectories:
        recording = MemoryTrajectory("shop", [RecordedScreen(dump) for dump in dumps])
        given = RuleJudge().judge(JudgedTrajectory.of(recording, [TASK], rules))
        steps = {item.subject.state: item.subject.first for item in given}
        reached.append({name: step for name, step in steps.items() if step is not None})
    return reached


def plain_loop(trajectories: list[list[bytes]]) -> list[dict[str, int]]:
    """Count in loops, as anybody would write it."""
    found = []
    for dumps in trajectories:
        reached: dict[str, int] = {}
        for step, dump in enumerate(dumps):
            root = ET.fromstring(dump)
            for at, name in enumerate(IDS):
                waits = at and IDS[at - 1] not in reached
                if name in reached or waits:
                    continue
                if root.find(f".//*[@{_selector(name)}]") is not None:
                    reached[name] = step
        found.append(reached)
    return found


@_GROUP
def test_rule_judge(benchmark: BenchmarkFixture, trajectories: list[list[bytes]]) -> None:
    reached = benchmark.pedantic(judged, (trajectories,), rounds=1)
    assert reached[:50] == plain_loop(trajectories[:50])


@_GROUP
def test_plain_elementtree_loop(benchmark: BenchmarkFixture, trajectories: list[list[bytes]]) -> None:
    assert any(benchmark.pedantic(plain_loop, (trajectories,), rounds=1))
