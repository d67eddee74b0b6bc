"""The judge of a task's end: by its success rule, by the last recorded state, or by the steps alone."""

from __future__ import annotations

import datetime as dt

from collector.device.snapshot import TreeSnapshot
from collector.hierarchy.parse import parse_tree
from collector.judge.evaluation.task_evaluation import TaskEvaluation
from collector.judge.evaluation.task_rules import TaskRules
from collector.judge.replay_verdict import BY_LAST_STATE, BY_RULE, BY_STEPS, BY_TARGET, replay_verdict
from collector.model.app_data.collections import AppData
from collector.model.geometry import Size
from collector.model.trajectory import State, Step
from collector.model.tree import Tree
from collector.recorder.screen_moment import ScreenMoment
from collector.rules.conditions.current_activity_is import CurrentActivityIs
from collector.rules.evaluation.state_view import StateView
from collector.rules.grammar.model import SUCCESS, Group, Rule
from collector.targets.reader import read_target
from tests.helpers.dumps import hierarchy, node

APP = "com.example.shop"


def tree_of(*texts: str) -> Tree:
    return parse_tree(hierarchy(*(node(text=text) for text in texts)).encode())


def screen_of(*texts: str, activity: str = ".Item", package: str = APP) -> ScreenMoment:
    tree = tree_of(*texts)
    snapshot = TreeSnapshot(b"<x/>", tree, 0, 0, "test", package, activity)
    return ScreenMoment(0, dt.datetime.now(dt.UTC), None, snapshot, package, activity, Size(400, 800))


def final_step(activity: str = ".Item") -> Step:
    return Step(3, 0, "", State(package=APP, activity=activity, size=Size(400, 800)))


def rule_for(activity: str) -> Rule:
    return Rule(id="done", kind=SUCCESS, conditions=Group(conditions=(CurrentActivityIs(value=activity),)))


def evaluated(
    screen: ScreenMoment, rules: TaskRules | None = None, data: tuple[AppData, ...] = ()
) -> TaskEvaluation:
    evaluation = TaskEvaluation(rules or TaskRules())
    activity = f"{screen.package}{screen.activity}"
    for step, moment in enumerate(data or (None,), start=1):
        view = StateView(screen.tree, screen.xml, screen.package, activity, step)
        view.app_data = lambda it=moment: it
        evaluation.see(view, claimed=True)
    return evaluation


def test_a_success_rule_decides_when_the_task_has_one() -> None:
    for activity, holds in ((".Item", True), (".List", False)):
        screen = screen_of("Thank you")
        rules = TaskRules(success=rule_for(f"{APP}{activity}"))
        verdict = replay_verdict(evaluated(screen, rules), screen, final_step(), tree_of("Other"))
        assert (verdict.holds, verdict.by, verdict.rule) == (holds, BY_RULE, "done")


def test_a_target_decides_where_the_rule_holds_or_there_is_none() -> None:
    screen, target = screen_of("Thank you"), read_target({"done": "a"})
    before, after = ({"todo.tasks": [{"title": "a", "done": done}]} for done in (False, True))
    for rule, data, expected in (
        (None, (before, after), (True, BY_TARGET)),
        (None, (before, before), (False, BY_TARGET)),
        (".Item", (before, before), (False, BY_TARGET)),
        (".List", (before, after), (False, BY_RULE)),
    ):
        success = rule_for(f"{APP}{rule}") if rule else None
        evaluation = evaluated(screen, TaskRules(success=success, target=target), data)
        verdict = replay_verdict(evaluation, screen, final_step(), tree_of("Other"))
        assert (verdict.holds, verdict.by) == expected
    missed = evaluated(screen, TaskRules(target=target), (before, before))
    assert "done true" in replay_verdict(missed, screen, None, None).detail


def test_otherwise_the_last_recorded_state_decides() -> None:
    screen = screen_of("Thank you", "Order 7")
    evaluation = evaluated(screen)
    same = replay_verdict(evaluation, screen, final_step(), tree_of("Thank you", "Order 7"))
    assert (same.holds, same.by, same.share) == (True, BY_LAST_STATE, 1.0)
    other = replay_verdict(evaluation, screen, final_step(), tree_of("Cart", "Pay"))
    assert (other.holds, other.share) == (False, 0.0)
    window = replay_verdict(evaluation, screen, final_step(".Cart"), tree_of("Thank you"))
    assert not window.holds
    assert f"{APP}.Cart in front" in window.detail


def test_without_a_recorded_state_the_steps_are_all_there_is() -> None:
    screen = screen_of("Thank you")
    verdict = replay_verdict(evaluated(screen), screen, None, None)
    assert (verdict.holds, verdict.by) == (True, BY_STEPS)
