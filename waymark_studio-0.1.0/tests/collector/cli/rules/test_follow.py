"""``waymark rules follow``: who fires, who is held back and why, step by step."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from collector.cli import main as command
from collector.model.task import Task
from collector.model.trajectory import TrajectoryHeader
from collector.store.project.project import Project
from tests.helpers.steps import png, step, xml
from tests.helpers.tasks import put_task

RULES = """rules:
  - id: first
    priority: 1
    conditions: {all: [{type: element_not_exists, selector: "text='Never'"}]}
    actions: [{type: inject_interference, interference_id: a}]
  - id: second
    priority: 2
    conditions: {all: [{type: element_not_exists, selector: "text='Never'"}]}
    actions: [{type: inject_interference, interference_id: a, trigger_probability: 0.5}]
"""


@pytest.fixture
def place(tmp_path: Path) -> Path:
    project = Project.create(tmp_path / "p")
    put_task(project, Task("one", "Buy", target_rule_ids=("first",)))
    with project.new_trajectory(TrajectoryHeader("t", "one", who="ann")) as writer:
        for number in range(3):
            writer.append(step(number), png(), xml())
        writer.finish()
    (project.folder / "rules").mkdir()
    (project.folder / "rules" / "injection.yaml").write_text(RULES, encoding="utf-8")
    return project.folder


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]):
    def call(*arguments: object) -> tuple[int, str]:
        status = command.main(["rules", "follow", *(str(argument) for argument in arguments)])
        printed = capsys.readouterr()
        return status, printed.out + printed.err

    return call


def fates(printed: str) -> list[tuple[int, str, str]]:
    (only,) = json.loads(printed)["trajectories"]
    return [(step["step"], step["rule"], step["fate"]) for step in only["steps"]]


def test_one_anomaly_an_episode_and_then_the_limit(run, place: Path) -> None:
    status, printed = run(place, "--json")
    assert status == 0
    assert fates(printed) == [(1, "first", "fired"), (2, "first", "suppressed"), (3, "first", "suppressed")]
    assert "The most anomalies allowed" in run(place)[1]


def test_every_rule_and_more_anomalies_follow_priority_once_and_chance(run, place: Path) -> None:
    arguments = (place, "--every-rule", "--max-interferences", 9, "--seed", 7, "--json")
    fates_of = fates(run(*arguments)[1])
    assert fates_of[:2] == [(1, "first", "fired"), (1, "second", "suppressed")]
    assert sum(fate == "fired" for _step, _rule, fate in fates_of) <= 2
    assert fates_of == fates(run(*arguments)[1])


def test_an_anomaly_the_library_lacks_is_not_injected(run, place: Path) -> None:
    (place / "anomalies").mkdir()
    (place / "anomalies" / "library.yaml").write_text("interference_library: []\n", encoding="utf-8")
    assert "The library has no such anomaly" in run(place)[1]


def test_a_trajectory_nobody_knows_is_one_sentence(run, place: Path) -> None:
    assert run(place, "--trajectory", "none") == (
        1, "waymark: There is no trajectory 'none'. `waymark trajectory list` shows what there is\n"
    )  # fmt: skip
