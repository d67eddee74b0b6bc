"""Whatever follows rules along a trajectory says the same: the judge, live ticks and the States graph."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from collector.judge.judged_trajectory import JudgedTrajectory
from collector.judge.live_course import LiveCourse
from collector.judge.rule_judge import RuleJudge
from collector.judge.state_reach import reach_of_states
from collector.judge.task_rules import TaskRules
from collector.model.action import Action, Answer, Complete, Invalid, Tap, Type
from collector.model.task import Task
from collector.model.trajectory import RUN, TrajectoryHeader
from collector.store.project import Project
from collector.store.reader import open_trajectory
from tests.helpers.judged import first_steps, shows, states_of
from tests.helpers.steps import png, step, xml

STATES = states_of(
    f"- {{id: a, {shows('A')}}}\n- {{id: b, after: [a], {shows('B')}}}\n"
    f"- {{id: skip, after: [a], optional: true, {shows('C')}}}\n- {{id: c, after: [skip], {shows('C')}}}\n"
    f"- {{id: either, alternatives: [b], {shows('D')}}}\n"
    "- {id: gone, after: [a], conditions: [{type: element_not_exists, selector: \"text='A'\"}]}\n"
    "- {id: typed, conditions: [{type: action_was, action: type}]}\n"
    "- {id: said, after: [a], conditions: [{type: action_was, action: answer}]}\n"
    "- {id: last, conditions: [{type: state_reached, state: said}]}"
)
ACTIONS: tuple[Action | None, ...] = (
    Tap(1, 1), Tap(2, 2), Type("x", 1), Invalid("?"), Answer("7"), Complete(), None,
)  # fmt: skip


@pytest.mark.parametrize("seed", range(12))
def test_every_follower_gives_the_same_steps(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    project = Project.create(tmp_path / "p")
    task = Task("t", "Do", essential_states=tuple(state.id for state in STATES))
    with project.new_trajectory(TrajectoryHeader("run", "t", RUN)) as writer:
        for number in range(rng.randrange(1, 7)):
            tree = xml(rng.choice("ABCD")) if rng.random() < 0.85 else None
            writer.append(step(number, rng.choice(ACTIONS)), png(), tree)
        writer.finish()
    (folder,) = project.trajectory_folders()
    stored = open_trajectory(folder)
    judged = JudgedTrajectory.of(stored, [task], STATES)
    verdicts = {item.subject.state or "task": item for item in RuleJudge().judge(judged)}
    steps = {name: index for name, index in first_steps(verdicts).items() if index is not None}
    live = LiveCourse(TaskRules(STATES), folder)
    for count in range(len(stored.steps)):
        live.verdicts(stored.steps[: count + 1])
    assert {name: reached.step for name, reached in live.verdicts(stored.steps).states.items()} == steps
    views = [judged.view(index) for index in range(len(stored.steps))]
    reach = reach_of_states(STATES, views, steps=stored.steps)
    assert {name: item.reached for name, item in reach.items() if item.reached is not None} == steps
