"""One evaluation of a task's rules: copies go on by themselves, and reasons name what was reached by then."""

from __future__ import annotations

import pytest

from collector.hierarchy.parse import parse_tree
from collector.judge.evaluation.task_evaluation import TaskEvaluation
from collector.judge.evaluation.task_rules import TaskRules
from collector.model.cancellation import Cancelled, cancellable
from collector.rules.evaluation.state_view import StateView
from collector.rules.grammar.model import SUCCESS
from collector.rules.grammar.rule_reader import read_rules
from tests.helpers.judged import screen, shows, states_of

STATES = states_of(
    f"- {{id: a, {shows('A')}}}\n- {{id: b, after: [a], {shows('B')}}}\n- {{id: late, {shows('C')}}}\n"
    f"- {{id: either, alternatives: [late, b], {shows('D')}}}"
)
(DONE,) = read_rules(f"done: {{{shows('C')}}}", kind=SUCCESS).rules


def view(step: int, texts: str) -> StateView:
    return StateView(parse_tree(screen(texts)), screen(texts), step=step)


def test_a_copy_goes_on_by_itself() -> None:
    first = TaskEvaluation(TaskRules(STATES, DONE))
    first.see(view(1, "A"))
    second = first.copy()
    second.see(view(2, "B, C"))
    assert list(first.reached) == ["a"]
    assert (first.verdict().done, second.verdict().done) == (False, True)
    assert second.why_done()
    first.see(view(2, "B"))
    assert sorted(first.reached) == ["a", "b", "either"]
    assert {step for step, _proof in second.reached.values()} == {1, 2}


def test_the_alternative_that_is_named_was_reached_by_then() -> None:
    evaluation = TaskEvaluation(TaskRules(STATES))
    for step, texts in enumerate(("A", "B", "C"), start=1):
        evaluation.see(view(step, texts))
    assert evaluation.reached["late"][0] > evaluation.reached["either"][0]
    assert evaluation.why_reached(STATES[3]) == "b was reached, which counts as this one"


def test_success_on_the_first_screen_counts_only_when_it_is_claimed() -> None:
    for claimed in (False, True):
        evaluation = TaskEvaluation(TaskRules(success=DONE))
        evaluation.see(view(1, "C"), claimed=claimed)
        assert (evaluation.succeeded is not None) == claimed


def test_it_is_cancelled() -> None:
    with cancellable(lambda: True), pytest.raises(Cancelled):
        TaskEvaluation(TaskRules(STATES)).see(view(1, "A"))
