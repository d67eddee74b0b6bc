"""Rules along a trajectory: every agent meets the same chances, and a state waits for those before it."""

from __future__ import annotations

import random

import pytest

from collector.model.task import Task
from collector.rules.conditions.min_step import MinStep
from collector.rules.evaluation.evaluate import evaluate
from collector.rules.evaluation.state_view import StateView
from collector.rules.evaluation.task_states import TaskStates, states_in_order_of_trial
from collector.rules.evaluation.trajectory_run import (
    CHANCE,
    DIALOG,
    LIMIT,
    NO_ANOMALY,
    ONCE,
    OUTRANKED,
    WHY_SUPPRESSED,
    Decision,
    DecisionKind,
    EssentialStateTracker,
    InjectionRun,
)
from collector.rules.grammar.model import DGARA, STATE, SUCCESS, Group, Rule, is_judged_by_rule
from collector.rules.grammar.rule_reader import read_rules


def rules(*lines: str) -> tuple[Rule, ...]:
    return read_rules("rules:\n" + "".join(f"- {{{line}}}\n" for line in lines)).rules


def always(name: str, extra: str = "", probability: float = 1.0, anomaly: str = "low") -> str:
    action = f"{{type: inject_interference, interference_id: {anomaly}, trigger_probability: {probability}}}"
    return f"id: {name}, conditions: {{all: [{{type: min_step, value: 1}}]}}, actions: [{action}]{extra}"


def fates(run: InjectionRun, steps: int) -> list[list[tuple[str, str, str]]]:
    return [
        [
            (decision.rule.id, str(decision.kind), decision.reason)
            for decision in run.step(StateView(step=step))
        ]
        for step in range(1, steps + 1)
    ]


def test_the_lower_priority_goes_first_and_the_other_is_outranked() -> None:
    run = InjectionRun(rules(always("late", ", priority: 9"), always("first", ", priority: 1")))
    assert fates(run, 2) == [
        [("first", "fired", ""), ("late", "suppressed", OUTRANKED)],
        [("first", "suppressed", LIMIT), ("late", "suppressed", LIMIT)],
    ]  # fmt: skip
    assert run.fired == [(1, "first")]


def test_once_and_the_limit_hold_a_rule_back() -> None:
    run = InjectionRun(rules(always("a"), always("b", ", once: false")), max_interferences=3)
    assert [[reason for _id, _fate, reason in step] for step in fates(run, 4)] == [
        ["", OUTRANKED], [ONCE, ""], [ONCE, ""], [LIMIT, LIMIT],
    ]  # fmt: skip
    assert run.fired == [(1, "a"), (2, "b"), (3, "b")]


def test_an_open_dialog_and_a_missing_anomaly_hold_a_rule_back() -> None:
    run = InjectionRun(rules(always("a", anomaly="gone"), always("b")), anomalies=frozenset({"low"}))
    assert [decision.reason for decision in run.step(StateView(), dialog_open=True)] == [DIALOG, DIALOG]
    assert [(decision.kind, decision.reason) for decision in run.step(StateView())] == [
        (DecisionKind.SUPPRESSED, NO_ANOMALY), (DecisionKind.FIRED, ""),
    ]  # fmt: skip


def test_a_task_tries_only_the_rules_it_names() -> None:
    listed = rules(always("a", ", priority: 5"), always("b"), always("c", ", priority: 1"))
    run = InjectionRun(listed, ["b", "a", "none"])
    assert [decision.rule.id for decision in run.step(StateView())] == ["a", "b"]
    in_its_order = InjectionRun(listed, ["b", "a", "none"], DGARA)
    assert [decision.rule.id for decision in in_its_order.step(StateView())] == ["b", "a"]


def test_every_agent_meets_the_same_draws() -> None:
    """Whatever else happened: the draw depends on the seed, the rule and how often it held."""

    def draws(seed: int, others: int) -> list[float | None]:
        listed = rules(
            always("x", probability=0.0), *(always(f"o{at}", probability=0.0) for at in range(others))
        )
        run = InjectionRun(listed, seed=seed, max_interferences=9)
        decisions: list[Decision] = [run.step(StateView(step=step))[0] for step in range(1, 6)]
        assert {decision.reason for decision in decisions} == {CHANCE}
        return [decision.draw for decision in decisions]

    assert draws(123, 0) == draws(123, 4)
    assert draws(123, 0) != draws(124, 0)
    assert len(set(draws(123, 0))) == 5


def test_chances_come_as_often_as_they_say() -> None:
    (rule,) = rules(always("x", ", once: false", probability=0.3))
    run = InjectionRun([rule], max_interferences=10_000)
    fired = sum(run.step(StateView(step=step))[0].kind is DecisionKind.FIRED for step in range(1, 2001))
    assert 500 < fired < 700


def test_every_reason_has_its_words() -> None:
    assert set(WHY_SUPPRESSED) == {ONCE, LIMIT, CHANCE, OUTRANKED, NO_ANOMALY, DIALOG}


STATES = """
states:
- {id: paid, after: [cart], conditions: [{type: min_step, value: 1}]}
- {id: cart, conditions: [{type: min_step, value: 2}]}
- {id: gift, after: [nowhere], conditions: [{type: min_step, value: 1}]}
- {id: thanks, conditions: [{type: state_reached, state: paid}]}
"""


def test_a_state_waits_for_those_it_comes_after_and_may_follow_on_the_same_screen() -> None:
    run = EssentialStateTracker(read_rules(STATES).rules)
    views = [StateView(step=step) for step in range(1, 4)]
    assert [[state.id for state, _proof in run.step(view)] for view in views] == [
        [], ["cart", "paid", "thanks"], [],
    ]  # fmt: skip
    assert run.reached == {"cart": 2, "paid": 2, "thanks": 2}
    assert [sorted(view.reached) for view in views] == [
        [],
        ["cart", "paid", "thanks"],
        ["cart", "paid", "thanks"],
    ]


def test_an_alternative_counts_as_the_state_and_no_state_waits_for_one_that_people_judge() -> None:
    text = """
    states:
      - {id: seen_by_people}
      - {id: by_search, conditions: [{type: min_step, value: 3}]}
      - {id: open, after: [seen_by_people], alternatives: [by_search, unjudged_too],
         conditions: [{type: min_step, value: 9}]}
      - {id: either, alternatives: [open]}
      - {id: unjudged_too, alternatives: [seen_by_people]}
      - {id: last, after: [either, unjudged_too], conditions: [{type: min_step, value: 2}]}
    """
    run = EssentialStateTracker(read_rules(text, kind=STATE).rules)
    views = [StateView(step=step) for step in range(1, 5)]
    reached = [[state.id for state, _proof in run.step(view)] for view in views]
    assert reached == [[], [], ["by_search", "open", "either", "last"], []]
    assert run.is_done


def _reached_round_by_round(tracker: EssentialStateTracker, view: StateView) -> list[str]:
    """The states reached at a step, by trying all that are left in their order until none is."""
    new: list[str] = []
    progress = True
    while progress:
        progress = False
        for state in states_in_order_of_trial(tracker.states, tracker.waits):
            judged = is_judged_by_rule(state) or state.alternatives
            if state.id in tracker.reached or not judged or tracker.waits_for(state):
                continue
            view.reached = frozenset(tracker.reached)
            proof = evaluate(state, view)
            if proof.holds or not tracker.reached.keys().isdisjoint(state.alternatives):
                tracker.reached[state.id] = view.step
                new.append(state.id)
                progress = True
    return new


@pytest.mark.parametrize("seed", range(40))
def test_states_are_reached_in_the_order_in_which_all_would_be_tried_again_and_again(seed: int) -> None:
    rng = random.Random(seed)
    names = [f"s{number}" for number in range(8)]

    def some(most: int) -> str:
        return ", ".join(rng.sample(names, rng.randrange(most)))

    def clause() -> str:
        named = f"{{type: state_reached, state: {rng.choice(names)}}}"
        step = f"{{type: min_step, value: {rng.randrange(1, 5)}}}"
        return rng.choice((step, step, named, f"{{not: [{named}]}}"))

    text = "states:\n" + "".join(
        f"- {{id: {name}, after: [{some(3)}], alternatives: [{some(2)}],"
        f" optional: {rng.choice(('true', 'false'))}, conditions: [{clause()}]}}\n"
        for name in names
    )
    states = read_rules(text, kind=STATE).rules
    run, naive = EssentialStateTracker(states), EssentialStateTracker(states)
    for step in range(1, 6):
        reached = [state.id for state, _proof in run.step(StateView(step=step))]
        assert reached == _reached_round_by_round(naive, StateView(step=step)), text
    assert run.reached == naive.reached


@pytest.mark.timeout(25)
def test_thousands_of_states_in_a_row_are_followed_in_their_time() -> None:
    """Written with the last one first, and all of them waiting."""
    always_held = Group(conditions=(MinStep(value=1),))
    states = [
        Rule(id=f"s{number}", kind=STATE, after=(f"s{number + 1}",)[: number < 5999], conditions=always_held)
        for number in range(6000)
    ]
    assert len(EssentialStateTracker(states).step(StateView(step=1))) == 6000


def test_a_state_is_followed_for_its_tasks_or_for_all_when_no_task_has_it() -> None:
    text = "states: [{id: named}, {id: own, task: b}, {id: free}, {id: other}]"
    tasks = [
        Task("a", "", essential_states=("named",)),
        Task("b", ""),
        Task("c", "", essential_states=("other",)),
    ]
    states = TaskStates(read_rules(text, kind=STATE).rules, tasks)
    followed = {task.id: [state.id for state in states.of(task.id, task)] for task in tasks}
    assert followed == {"a": ["named", "free"], "b": ["own", "free"], "c": ["free", "other"]}
    done = read_rules("done: {conditions: [{type: state_reached, state: other}]}", kind=SUCCESS).rules[0]
    assert [state.id for state in states.of("a", tasks[0], done)] == ["named", "free", "other"]


def test_states_that_ask_for_others_are_tried_after_these_wherever_they_stand() -> None:
    text = """
    states:
      - {id: asks, conditions: [{type: state_reached, state: way}]}
      - {id: way, alternatives: [open]}
      - {id: first, conditions: [{not: [{type: state_reached, state: second}]}]}
      - {id: open, after: [ready], conditions: [{type: min_step, value: 1}]}
      - {id: second, conditions: [{type: state_reached, state: first}]}
      - {id: ready, conditions: [{type: min_step, value: 1}]}
    """
    states = read_rules(text, kind=STATE).rules
    ordered = states_in_order_of_trial(states, EssentialStateTracker(states).waits)
    assert [state.id for state in ordered] == ["ready", "open", "way", "asks", "first", "second"]


def test_a_state_looks_back_one_step_and_one_read_again_does_not_count_twice() -> None:
    first, loading, ready, third = StateView(step=1), StateView(step=2), StateView(step=2), StateView(step=3)
    first.follow(None)
    loading.follow(first)
    ready.follow(loading)
    assert ready.previous is first
    third.follow(ready)
    assert third.previous is ready
    assert ready.previous is None
