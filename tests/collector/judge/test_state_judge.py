"""The judge by targets: when a target is reached, and what its proof says of every step."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from collector.judge.judged_trajectory import JudgedTrajectory
from collector.judge.registry import create_judge
from collector.judge.rule_judge import RuleJudge
from collector.judge.target_events import target_events
from collector.model.action import Action, Complete, Tap
from collector.model.task import Task
from collector.model.trajectory import RUN
from collector.model.verdicts.judgement import Judgement
from collector.rules.grammar.rule_reader import read_rules
from collector.targets.reader import read_target
from tests.helpers.memory_trajectory import MemoryTrajectory, RecordedScreen

TASK = Task("todo-1", "Do a", target=read_target({"done": "a"}))
XML = b'<hierarchy><node text="Tasks" bounds="[0,0][9,9]" package="p"/></hierarchy>'
SUCCESS = read_rules(
    "seen: {conditions: [{type: element_exists, selector: \"text='Tasks'\"}]}", kind="success"
).rules


def data(*done: str) -> dict[str, Any]:
    return {"todo.tasks": [{"title": title, "done": title in done} for title in ("a", "b")]}


def trajectory(
    *moments: dict[str, Any] | None, signal: Action | None = None, task: Task = TASK, package: str = "p"
) -> JudgedTrajectory:
    actions: list[Action | None] = [*[Tap(1, 1)] * (len(moments) - 1), signal]
    screens = [
        RecordedScreen(XML, action, package=package, app_data=moment)
        for action, moment in zip(actions, moments, strict=True)
    ]
    return JudgedTrajectory.of(MemoryTrajectory(task.id, screens, RUN), [task], SUCCESS)


def judged(*moments: dict[str, Any] | None, **more: Any) -> Judgement:
    (judgement,) = create_judge("state").judge(trajectory(*moments, **more))
    return judgement


def test_the_first_step_that_reaches_the_target_decides():
    judgement = judged(data(), data(), data("a"), data("a", "b"), signal=Complete())
    assert (judgement.judge, judgement.kind, judgement.verdict) == ("state", "rule", "success")
    assert judgement.proof["step"] == 2
    assert judgement.proof["parts"] == ["todo.tasks: title a is changed to done true"]
    assert judgement.proof["steps"] == [
        {"step": 0, "reward": 0, "holds": [False], "side_effects": []},
        {"step": 2, "reward": 1, "holds": [True], "side_effects": []},
        {"step": 3, "reward": 0, "holds": [True],
         "side_effects": ["todo.tasks: 'b' was changed: done true"]},
    ]  # fmt: skip


def test_side_effects_and_what_is_missing_are_the_reason():
    judgement = judged(data(), data("b"), signal=Complete())
    assert judgement.verdict == "failure"
    assert judgement.reason == (
        "Not reached: todo.tasks: title a is changed to done true. "
        "Side effects: todo.tasks: 'b' was changed: done true"
    )


def test_without_a_signal_a_run_is_uncompleted_and_reached_counts_all_the_same():
    assert judged(data(), data()).verdict == "uncompleted"
    assert judged(data(), data("a")).verdict == "success"


def test_a_target_that_holds_from_the_start_needs_an_action():
    task = Task("todo-1", "Open", target=read_target({"open_app": "todo"}))
    start = judged(data(), task=task, package="com.waymark.todo")
    assert (start.verdict, start.reason) == (
        "uncompleted",
        "It ended without a completion signal; The target holds from the start: nothing was done",
    )
    assert judged(data(), data(), task=task, package="com.waymark.todo").verdict == "success"


@pytest.mark.parametrize(
    ("task", "reason"),
    [
        (Task("todo-1", "Do"), "The task has no target"),
        (TASK, "The data of apps are not known: only the virtual phone says them"),
    ],
)
def test_without_a_target_or_data_nobody_can_say(task, reason):
    judgement = judged(None, None, signal=Complete(), task=task)
    assert (judgement.verdict, judgement.reason) == ("undecided", reason)


def test_for_the_rules_a_target_is_a_success_rule_and_with_one_both_have_to_hold():
    def verdict(task: Task, *moments: dict[str, Any] | None) -> tuple[str, str]:
        *_states, on_task = RuleJudge().judge(trajectory(*moments, signal=Complete(), task=task))
        return on_task.verdict, on_task.reason

    assert verdict(TASK, data(), data("a"))[0] == "success"
    assert verdict(TASK, data(), data()) == (
        "failure",
        "Not reached: todo.tasks: title a is changed to done true",
    )
    both = Task("todo-1", "Do a", rule_key="seen", target=TASK.target)
    assert verdict(both, data(), data("a"))[0] == "success"
    assert verdict(both, data(), data())[0] == "failure"
    assert verdict(both, None, None)[0] == "undecided"


# -- the course of a target, as Review shows it ----------------------------------

BOTH = Task("todo-1", "Do both", target=read_target({"done": ["a", "b"]}))
A, B = "todo.tasks: title a is changed to done true", "todo.tasks: title b is changed to done true"


def course(judgement: Judgement) -> list[tuple[str, int | None, str, int | None]]:
    return [(event.change.name, event.step, event.text, event.until) for event in target_events([judgement])]


def test_the_course_says_where_each_part_began_and_ceased_to_hold():
    judgement = judged(data(), data("a"), data(), data("a"), task=BOTH)
    assert course(judgement) == [
        ("HELD", 1, A, 2), ("LOST", 2, A, None), ("HELD", 3, A, None), ("MISSED", None, B, None),
    ]  # fmt: skip
    assert [event.part for event in target_events([judgement])] == [0, 0, 0, 1]


def test_the_course_says_where_side_effects_came_and_went():
    what = "todo.tasks: 'b' was changed: done true"
    assert course(judged(data(), data("b"), data("a", "b"), data("a"), data("a", "b"))) == [
        ("SIDE_EFFECT", 1, what, 3), ("HELD", 2, A, None), ("UNDONE", 3, what, None),
        ("SIDE_EFFECT", 4, what, None),
    ]  # fmt: skip


def test_the_judge_by_targets_goes_before_others_and_without_a_target_there_is_no_course():
    by_target = judged(data(), data("a"))
    *_states, by_rules = RuleJudge().judge(trajectory(data(), data("a"), signal=Complete()))
    assert course(by_rules) == course(by_target)
    other = replace(by_rules, proof={**by_rules.proof, "parts": ["something else"]})
    assert {event.text for event in target_events([other, by_target])} == {A}
    assert target_events([judged(None, None)]) == ()
    assert target_events([]) == ()


@pytest.mark.parametrize(
    "proof",
    [
        {"parts": "a", "steps": []},
        {"parts": [1, None], "steps": [{"step": 0, "holds": [True]}]},
        {"parts": ["a"], "steps": {"step": 0}},
        {"parts": ["a"], "steps": [None, {"step": "0", "holds": [True]}, {"step": -1, "holds": [True]}]},
        {"parts": ["a"], "steps": [{"step": True, "holds": [True]}, {"step": 0, "holds": "yes"}]},
    ],
)
def test_a_proof_of_a_stranger_that_is_none_gives_no_course(proof):
    assert target_events([replace(judged(data()), proof=proof)]) == ()


def test_a_proof_of_a_stranger_is_read_as_far_as_it_is_one():
    steps = [
        {"step": 5, "holds": [], "side_effects": ["x" * 5000, 7]},
        {"step": 2, "holds": [True]},  # goes back
        {"step": 9, "holds": [1, True], "side_effects": None},
    ]
    events = target_events([replace(judged(data()), proof={"parts": ["a", "b", "c"], "steps": steps})])
    assert [(event.change.name, event.step, len(event.text)) for event in events] == [
        ("SIDE_EFFECT", 5, 300), ("HELD", 9, 1), ("UNDONE", 9, 300), ("MISSED", None, 1), ("MISSED", None, 1),
    ]  # fmt: skip


def test_a_proof_of_a_stranger_gives_no_endless_course():
    steps = [
        {"step": step, "holds": [step % 2 == 0] * 200, "side_effects": [f"{step} {n}" for n in range(60)]}
        for step in range(3000)
    ]
    events = target_events([replace(judged(data()), proof={"parts": ["x"] * 200, "steps": steps})])
    assert len(events) == 1000
