"""The judge by rules: first steps of states, their order, success, claims, answers, what people decide."""

from __future__ import annotations

import dataclasses

import pytest

from collector.judge.judged_trajectory import JudgedTrajectory
from collector.judge.rule_judge import RuleJudge
from collector.model.action import Action, Answer, Complete, Impossible, Invalid, Tap
from collector.model.expected_answer import ExpectedAnswer
from collector.model.task import Task
from collector.model.trajectory import GOLDEN, RUN
from collector.model.verdicts.judgement import Judgement
from collector.rules.grammar.model import Rule
from collector.rules.grammar.rule_reader import read_rules
from tests.helpers.memory_trajectory import MemoryTrajectory, RecordedScreen

TASK = Task("shop-1", "Buy a poster", rule_key="bought", essential_states=("found", "carted", "paid"))
STATES = read_rules(
    """
states:
- {id: found, description: The poster, conditions: {all: [{type: element_exists, selector: "text='Poster'"}]}}
- {id: carted, after: [found], conditions: {all: [{type: element_exists, selector: "text='In the cart'"}]}}
- {id: paid, after: [carted], conditions: {all: [{type: element_exists, selector: "text='Thank you'"}]}}
"""
).rules
SUCCESS = read_rules(
    "bought: {conditions: [{type: element_exists, selector: \"text='Thank you'\"}]}", kind="success"
).rules


def screen(text: str) -> bytes:
    return f'<hierarchy><node text="{text}" bounds="[0,0][9,9]" package="shop"/></hierarchy>'.encode()


def judged(
    texts: list[str], *, signal: Action | None = None, kind: str = RUN, task: Task = TASK,
    rules: tuple[Rule, ...] = (*STATES, *SUCCESS),
) -> dict[str, Judgement]:  # fmt: skip
    """Judgements of a trajectory through screens with these texts; ``signal`` is said on the last of them."""
    actions: list[Action | None] = [*[Tap(1, 1)] * (len(texts) - 1), signal]
    screens = [RecordedScreen(screen(text), action) for text, action in zip(texts, actions, strict=True)]
    trajectory = JudgedTrajectory.of(MemoryTrajectory(task.id, screens, kind), [task], rules)
    return {item.subject.state or "task": item for item in RuleJudge().judge(trajectory)}


def test_each_state_is_reached_at_its_first_step_and_in_its_order() -> None:
    found = judged(["Home", "Poster", "In the cart", "Poster", "Thank you"], signal=Complete())
    assert {name: (item.verdict, item.subject.first) for name, item in found.items()} == {
        "found": ("reached", 1), "carted": ("reached", 2), "paid": ("reached", 4), "task": ("success", None),
    }  # fmt: skip
    assert found["carted"].proof["step"] == 2
    assert found["found"].kind == "rule"
    assert len({item.version for item in found.values()}) == 1


def test_a_state_that_comes_too_early_is_not_reached() -> None:
    found = judged(["Home", "In the cart", "Poster"], signal=Complete())
    assert (found["found"].verdict, found["carted"].verdict) == ("reached", "missed")
    assert "waits for carted" in found["paid"].reason
    assert found["task"].verdict == "failure"


def test_what_was_missing_is_said_of_the_nearest_screen() -> None:
    found = judged(["Home", "Poster", "In the carts"], signal=Complete())
    assert found["carted"].verdict == "missed"
    assert "In the cart" in found["carted"].reason


@pytest.mark.parametrize(
    ("texts", "signal", "kind", "verdict"),
    [
        (["Home", "Thank you"], None, RUN, "success"),  # D-GARA validates after every action
        (["Home", "Thank you", "Home"], None, RUN, "success"),
        (["Home", "Poster"], None, RUN, "uncompleted"),  # ProBench: no signal before the end
        (["Home", "Poster"], Complete(), RUN, "failure"),
        (["Home", "Poster"], Impossible("no shop"), RUN, "failure"),
        (["Thank you"], Complete(), RUN, "success"),  # validated at once on the signal
        (["Thank you"], None, RUN, "uncompleted"),  # nothing was done
        (["Home", "Poster"], None, GOLDEN, "failure"),  # a person who finishes claims that it is done
        (["Home", "Thank you"], None, GOLDEN, "success"),
    ],
)
def test_the_task(texts: list[str], signal: Action | None, kind: str, verdict: str) -> None:
    assert judged(texts, signal=signal, kind=kind)["task"].verdict == verdict


@pytest.mark.parametrize("steps", [2, 6])
def test_answers_that_were_no_action_are_quoted(steps: int) -> None:
    garbage = Invalid("502 Bad Gateway\nnginx", reason="no JSON")
    screens = [RecordedScreen(screen("Home"), garbage) for _number in range(steps)]
    trajectory = JudgedTrajectory.of(MemoryTrajectory(TASK.id, screens, RUN), [TASK], (*STATES, *SUCCESS))
    found = {item.subject.state or "task": item for item in RuleJudge().judge(trajectory)}["task"]
    assert found.verdict == "uncompleted"
    assert "the last was '502 Bad Gateway nginx'" in found.reason
    assert found.proof.get("early_stop", False) == (steps >= 5)


def test_without_a_success_rule_the_essential_states_decide() -> None:
    task = dataclasses.replace(TASK, rule_key="")
    whole = ["Home", "Poster", "In the cart", "Thank you"]
    assert judged(whole, signal=Complete(), task=task)["task"].verdict == "success"
    missed = judged(whole[:3], signal=Complete(), task=task)["task"]
    assert (missed.verdict, missed.proof) == ("failure", {"missed": ["paid"]})
    optional = tuple(dataclasses.replace(rule, optional=rule.id == "paid") for rule in STATES)
    assert judged(whole[:3], signal=Complete(), task=task, rules=optional)["task"].verdict == "success"


def test_people_judge_states_without_conditions_and_tasks_that_ask_for_it() -> None:
    task = dataclasses.replace(TASK, rule_key="")
    bare = tuple(rule for rule in STATES if rule.id != "paid") + read_rules("states: [{id: paid}]").rules
    found = judged(["Home", "Poster", "In the cart"], signal=Complete(), task=task, rules=bare)
    assert "paid" not in found
    assert (found["task"].verdict, found["task"].reason) == ("undecided", "People judge paid")
    missed = judged(["Home", "Poster"], signal=Complete(), task=task, rules=bare)
    assert missed["task"].verdict == "failure"
    by_people = dataclasses.replace(TASK, human_validation=True)
    assert judged(["Home", "Thank you"], task=by_people)["task"].verdict == "undecided"
    assert judged(["Home"], signal=Complete(), task=task, rules=())["task"].verdict == "undecided"


def test_an_alternative_counts() -> None:
    states = tuple(
        dataclasses.replace(rule, alternatives=("found",)) if rule.id == "carted" else rule for rule in STATES
    )
    found = judged(["Home", "Poster"], signal=Complete(), rules=states)
    assert found["carted"].verdict == "reached"
    assert "found was reached" in found["carted"].reason


def test_an_alternative_that_people_judge_leaves_a_state_undecided_once_it_waits_for_nothing() -> None:
    text = """
    states:
      - {id: found, alternatives: [by_voice], conditions: [{type: element_exists, selector: "text='Poster'"}]}
      - {id: by_voice, after: [asked]}
      - {id: asked, conditions: [{type: element_exists, selector: "text='Listening'"}]}
    """
    rules, task = read_rules(text).rules, dataclasses.replace(TASK, rule_key="", essential_states=("found",))
    heard = judged(["Home", "Listening"], signal=Complete(), task=task, rules=rules)
    assert (heard["found"].verdict, heard["task"].verdict) == ("undecided", "undecided")
    assert heard["task"].reason == "People judge by_voice"
    silent = judged(["Home", "Home"], signal=Complete(), task=task, rules=rules)
    assert (silent["found"].verdict, silent["task"].verdict) == ("missed", "failure")
    assert judged(["Home", "Poster"], task=task, rules=rules)["task"].verdict == "success"


@pytest.mark.parametrize("is_first", [True, False])
def test_what_a_state_asks_for_is_known_on_the_same_screen_wherever_it_stands(is_first: bool) -> None:
    asks = "- {id: asks, conditions: [{type: state_reached, state: open}]}"
    not_yet = "- {id: not_yet, conditions: [{not: [{type: state_reached, state: open}]}]}"
    opened = "- {id: open, conditions: [{type: element_exists, selector: \"text='Poster'\"}]}"
    lines = [asks, not_yet, opened] if is_first else [opened, asks, not_yet]
    task = dataclasses.replace(TASK, rule_key="", essential_states=("asks", "not_yet"))
    rules = read_rules("states:\n" + "\n".join(lines)).rules
    blind = MemoryTrajectory(task.id, [RecordedScreen(b"", Tap(1, 1)), RecordedScreen(b"", None)], RUN)
    found = RuleJudge().judge(JudgedTrajectory.of(blind, [task], rules))
    assert {item.verdict for item in found} == {"undecided"}
    there = judged(["Poster", "Poster"], task=task, rules=rules)
    assert (there["asks"].subject.first, there["not_yet"].verdict) == (0, "missed")


def test_of_a_state_that_is_tried_again_on_a_screen_the_last_answer_counts() -> None:
    text = """
    states:
      - {id: way, alternatives: [way_too]}
      - {id: way_too, alternatives: [way, open]}
      - {id: asks, conditions: [{type: state_reached, state: way}, {type: app_is_installed, value: shop}]}
      - {id: open, conditions: [{type: element_exists, selector: "text='Poster'"}]}
    """
    task = dataclasses.replace(TASK, rule_key="", essential_states=("asks",))
    found = judged(["Poster"], task=task, rules=read_rules(text).rules)
    assert found["way"].verdict == "reached"
    assert found["asks"].verdict == "undecided"  # no list of apps was recorded


def test_a_success_rule_may_ask_for_a_state_of_another_task() -> None:
    other = Task("other", "Do", essential_states=("paid",))
    rule = read_rules("done: {conditions: [{type: state_reached, state: paid}]}", kind="success").rules
    task = dataclasses.replace(TASK, rule_key="done", essential_states=())
    text = "states: [{id: paid, conditions: [{type: element_exists, selector: \"text='Paid'\"}]}]"
    screens = [RecordedScreen(screen("Home"), Tap(1, 1)), RecordedScreen(screen("Paid"), None)]
    trajectory = JudgedTrajectory.of(
        MemoryTrajectory(TASK.id, screens, RUN), [task, other], (*read_rules(text).rules, *rule)
    )
    assert {item.verdict for item in RuleJudge().judge(trajectory)} == {"reached", "success"}


@pytest.mark.parametrize(
    ("answer", "texts", "verdict"),
    [
        (Answer("42"), ["Home", "Thank you"], "success"),
        (Answer("41"), ["Home", "Thank you"], "failure"),
        (Answer("42"), ["Home", "Poster"], "failure"),  # the right answer, and the rule does not hold
        (Complete(), ["Home", "Thank you"], "failure"),
        (None, ["Home", "Thank you"], "uncompleted"),
    ],
)
def test_an_expected_answer_is_needed_beside_the_rule(
    answer: Action | None, texts: list[str], verdict: str
) -> None:
    task = dataclasses.replace(TASK, expected_answer=ExpectedAnswer(("42",), "number"))
    assert judged(texts, signal=answer, task=task)["task"].verdict == verdict


def test_an_answer_alone_decides_a_task_without_rules_and_people_where_no_rule_compares() -> None:
    task = Task("shop-1", "How many?", expected_answer=ExpectedAnswer(("42",), "exact"))
    assert judged(["Home"], signal=Answer("42"), task=task, rules=())["task"].verdict == "success"
    assert judged(["Home"], signal=Answer("43"), task=task, rules=())["task"].verdict == "failure"
    unknown = dataclasses.replace(task, expected_answer=ExpectedAnswer(("42",), "by ear"))
    assert judged(["Home"], signal=Answer("42"), task=unknown, rules=())["task"].verdict == "undecided"


def test_the_version_changes_with_the_rules_alone() -> None:
    first = judged(["Home", "Poster"])["task"].version
    assert judged(["Home", "Thank you"])["task"].version == first
    others = tuple(dataclasses.replace(rule, after=()) for rule in STATES)
    assert judged(["Home"], rules=others)["task"].version != first


def test_a_trajectory_of_an_unknown_task_is_undecided() -> None:
    trajectory = JudgedTrajectory.of(
        MemoryTrajectory("gone", [RecordedScreen(screen("Home"))]), [TASK], STATES
    )
    (verdict,) = RuleJudge().judge(trajectory)
    assert (verdict.verdict, verdict.reason) == ("undecided", "The project has no task gone")
