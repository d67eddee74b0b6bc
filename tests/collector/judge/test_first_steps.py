"""The number of the step that reaches a state, as docs/guide/judging.md gives it."""

from __future__ import annotations

from pathlib import Path

import pytest

from collector.judge.evaluation.steps_evaluation import StepsEvaluation
from collector.judge.evaluation.task_rules import TaskRules
from collector.judge.evaluation.trajectory_end import is_claimed
from collector.model.action import Action, Answer, Complete, Impossible, Invalid, OpenApp, Tap, Type
from collector.model.task import Task
from collector.model.trajectory import GOLDEN, State, Step, TrajectoryHeader
from collector.rules.grammar.model import STATE, SUCCESS
from collector.rules.grammar.rule_reader import read_rules
from tests.helpers.judged import NO_TREE, first_steps, judge_screens, shows, states_of

ABC = states_of(f"- {{id: a, {shows('A')}}}\n- {{id: b, after: [a], {shows('B')}}}\n"
                f"- {{id: c, after: [b], {shows('C')}}}")  # fmt: skip


@pytest.mark.parametrize(
    ("screens", "steps"),
    [
        (["A", "B", "C"], (0, 1, 2)),  # the first screen counts
        (["x", "A", "A,B", "C"], (1, 2, 3)),
        (["x", "A,B,C"], (1, 1, 1)),  # one screen may reach a whole chain
        (["B", "A", "B", "C"], (1, 2, 3)),  # B held before A, and counts once both hold
        (["C", "B", "A"], (2, None, None)),
        (["A", "C", "B", "x", "C"], (0, 2, 4)),
        (["A", "B", "x"], (0, 1, None)),
        (["x"], (None, None, None)),
    ],
)
def test_a_chain(screens: list[str], steps: tuple[int | None, ...]) -> None:
    assert tuple(first_steps(judge_screens(screens, ABC)).values()) == steps


DIAMOND = states_of(
    f"- {{id: a, {shows('A')}}}\n- {{id: l, after: [a], {shows('L')}}}\n"
    f"- {{id: r, after: [a], {shows('R')}}}\n"
    f"- {{id: d, after: [l, r], {shows('D')}}}"
)


@pytest.mark.parametrize(
    ("screens", "steps"),
    [
        (["A", "L", "R", "D"], (0, 1, 2, 3)),
        (["A", "R", "L", "D"], (0, 2, 1, 3)),
        (["A", "R", "D", "L", "D"], (0, 3, 1, 4)),
        (["L,R,D", "A", "L", "x", "R,D"], (1, 2, 4, 4)),
    ],
)
def test_a_diamond(screens: list[str], steps: tuple[int | None, ...]) -> None:
    assert tuple(first_steps(judge_screens(screens, DIAMOND)).values()) == steps


def test_an_optional_state_and_one_that_people_judge_hold_nothing_back_but_what_comes_before_them_does() -> (
    None
):
    for way in ("optional: true, " + shows("M"), "sentence: Only people see it"):
        states = states_of(
            f"- {{id: a, {shows('A')}}}\n- {{id: m, after: [a], {way}}}\n"
            f"- {{id: z, after: [m], {shows('Z')}}}"
        )
        found = judge_screens(["Z", "A", "x", "Z", "M"], states)
        assert (found["a"].subject.first, found["z"].subject.first) == (1, 3)
        if "m" in found:
            assert found["m"].subject.first == 4


@pytest.mark.parametrize(
    ("screens", "steps"),
    [
        (["x", "C", "A"], (2, 1, 1, 1)),  # c counts as b, and b as a
        (["A", "C"], (0, 1, 1, 0)),
        (["C", "x", "K"], (None, 0, 0, 0)),
    ],
)
def test_alternatives_of_alternatives(screens: list[str], steps: tuple[int | None, ...]) -> None:
    states = states_of(
        f"- {{id: k, after: [z], {shows('A')}}}\n"
        f"- {{id: c, {shows('C')}}}\n- {{id: b, alternatives: [c], {shows('B')}}}\n"
        f"- {{id: z, alternatives: [b], {shows('A')}}}"
    )
    found = first_steps(judge_screens(screens, states))
    assert (found["k"], found["c"], found["b"], found["z"]) == steps


def test_an_alternative_that_was_reached_counts_when_its_state_no_longer_waits() -> None:
    states = states_of(
        f"- {{id: a, {shows('A')}}}\n- {{id: card, {shows('Card')}}}\n"
        f"- {{id: paid, after: [a], alternatives: [card], {shows('Paid')}}}"
    )
    found = judge_screens(["x", "Card", "x", "A", "x"], states)
    assert first_steps(found) == {"a": 3, "card": 1, "paid": 3}
    assert "card was reached" in found["paid"].reason


TYPED = "conditions: [{type: action_was, action: type, text: lamp}]"


def test_a_state_that_speaks_of_the_action_has_the_number_of_the_screen_after_it() -> None:
    states = states_of(
        f"- {{id: typed, {TYPED}}}\n"
        "- {id: opened, conditions: [{type: action_was, action: open_app, text: com.shop}]}\n"
        "- {id: touched, conditions: [{type: action_was, action: tap, selector: \"text='Buy'\"}]}\n"
        "- {id: both, conditions: [{type: action_was, action: type},"
        " {type: element_exists, selector: \"text='Results'\"}]}"
    )
    actions: list[Action] = [OpenApp("com.shop"), Type("red lamp", 8), Tap(50, 15), Invalid("{")]
    found = judge_screens(["Home", "Search", "Results,Buy", "Bought", "Bought"], states, actions=actions)
    assert first_steps(found) == {"typed": 2, "opened": 1, "touched": 3, "both": 2}


@pytest.mark.parametrize(
    ("last", "condition", "step"),
    [
        (Answer("42"), "{type: action_was, action: answer, text: '42', exact: true}", 1),
        (Answer("421"), "{type: action_was, action: answer, text: '42', exact: true}", None),
        (Complete(), "{type: action_was, action: complete}", 1),
        (Impossible("no lamp"), "{type: action_was, action: impossible, text: lamp}", 1),
        (Invalid("{"), "{type: action_was, action: invalid}", 1),
        (Type("lamp", 4), "{type: action_was, action: type, text: lamp}", 1),
        (Tap(50, 5), "{type: action_was, action: tap, selector: \"text='End'\"}", 1),
    ],
)
def test_an_action_that_no_screen_follows_has_the_number_of_its_own_step(
    last: Action, condition: str, step: int | None
) -> None:
    found = judge_screens(["Home", "End"], states_of(f"- {{id: s, conditions: [{condition}]}}"),
                          actions=[Tap(1, 1), last])  # fmt: skip
    assert found["s"].subject.first == step


def test_after_a_signal_the_screen_is_the_same_and_after_another_action_it_is_not_known() -> None:
    gone = "{type: element_not_exists, selector: \"text='End'\"}"
    here = "{type: element_exists, selector: \"text='End'\"}"
    states = states_of(
        f"- {{id: said, conditions: [{{type: action_was, action: '*'}}, {here}]}}\n"
        f"- {{id: gone, conditions: [{gone}]}}"
    )
    assert first_steps(judge_screens(["End"], states, actions=[Complete()])) == {"said": 0, "gone": None}
    assert first_steps(judge_screens(["End"], states, actions=[Tap(1, 1)])) == {"said": None, "gone": None}


def test_what_was_recorded_after_the_signal_is_not_judged() -> None:
    found = judge_screens(["x", "A", "B", "C"], ABC, actions=[Tap(1, 1), Complete()])
    assert first_steps(found) == {"a": 1, "b": None, "c": None}
    assert found["task"].verdict == "failure"
    # An answer ends it only when no other signal follows.
    found = judge_screens(["x", "A", "B", "C"], ABC, actions=[Tap(1, 1), Answer("1"), Tap(1, 1), Complete()])
    assert first_steps(found) == {"a": 1, "b": 2, "c": 3}
    assert found["task"].verdict == "success"
    found = judge_screens(["x", "A", "B", "C"], ABC, actions=[Tap(1, 1), Answer("1")])
    assert first_steps(found) == {"a": 1, "b": None, "c": None}


def test_of_a_step_without_a_tree_nothing_is_known() -> None:
    gone = "{type: element_not_exists, selector: \"text='Loading'\"}"
    none = "{not: [{type: element_exists, selector: \"text='Loading'\"}]}"
    either = "{any: [{type: action_was, action: type}, {type: element_exists, selector: \"text='x'\"}]}"
    states = states_of(
        f"- {{id: gone, conditions: [{gone}]}}\n- {{id: none, conditions: {none}}}\n"
        f"- {{id: either, conditions: {either}}}"
    )
    found = judge_screens(["Loading", NO_TREE, "Loading", "End"], states, actions=[Type("lamp", 4)])
    assert first_steps(found) == {"gone": 3, "none": 3, "either": 1}


def test_without_any_tree_no_rule_on_nodes_can_say() -> None:
    found = judge_screens([NO_TREE, NO_TREE], (*ABC, *states_of(f"- {{id: typed, {TYPED}}}")),
                          actions=[Type("lamp", 4), Complete()])  # fmt: skip
    assert {name: item.verdict for name, item in found.items()} == {
        "a": "undecided", "b": "undecided", "c": "undecided", "typed": "reached", "task": "undecided",
    }  # fmt: skip
    assert "No tree" in found["a"].reason
    success = read_rules(
        "s: {conditions: [{type: element_exists, selector: \"text='A'\"}]}", kind=SUCCESS
    ).rules
    task = Task("t", "Do", rule_key="s")
    for signal in (Complete(), None):
        found = judge_screens([NO_TREE, NO_TREE], success, actions=[Tap(1, 1), signal], task=task)
        assert found["task"].verdict == "undecided"
    # One screen that was seen is enough to say that it was not there.
    found = judge_screens(["x", "x", NO_TREE], success, actions=[Tap(1, 1), Tap(1, 1), Complete()], task=task)
    assert found["task"].verdict == "failure"


def test_states_that_wait_for_each_other_or_for_nothing_known_are_never_reached() -> None:
    states = states_of(
        f"- {{id: a, after: [b], {shows('A')}}}\n- {{id: b, after: [a], {shows('B')}}}\n"
        f"- {{id: c, after: [gone], {shows('C')}}}\n- {{id: d, after: [c], {shows('D')}}}"
    )
    found = judge_screens(["A,B,C,D"], states)
    assert {item.verdict for item in found.values()} == {"missed", "uncompleted"}
    assert found["a"].reason == "These states wait for each other: a -> b -> a"
    assert found["c"].reason == "It waits for gone, which no file defines"
    assert found["d"].reason == "It waits for c, not reached"


def test_a_recording_that_goes_on_is_judged_so_far() -> None:
    for kind in (GOLDEN, "run"):
        found = judge_screens(["x", "A"], ABC, kind=kind, status="recording")
        assert {name: item.verdict for name, item in found.items()} == {
            "a": "reached", "b": "undecided", "c": "undecided", "task": "undecided",
        }  # fmt: skip
        assert "recording goes on" in found["task"].reason
    found = judge_screens(["A", "B", "C"], ABC, status="recording")
    assert found["task"].verdict == "success"
    found = judge_screens(["x", "A"], ABC, actions=[Tap(1, 1), Complete()], status="recording")
    assert found["task"].verdict == "failure"


@pytest.mark.parametrize(
    ("kind", "status", "verdict"),
    [("run", "finished", "uncompleted"), (GOLDEN, "finished", "failure"), (GOLDEN, "imported", "failure"),
     (GOLDEN, "recovered", "uncompleted"), ("run", "imported", "uncompleted")],
)  # fmt: skip
def test_no_steps_at_all(kind: str, status: str, verdict: str) -> None:
    found = judge_screens([], ABC, kind=kind, status=status)
    assert (found["a"].verdict, found["a"].reason) == ("missed", "The trajectory has no states")
    assert found["task"].verdict == verdict


def test_a_state_of_several_tasks_and_one_of_none() -> None:
    states = states_of(
        f"- {{id: shared, {shows('A')}}}\n- {{id: own, task: two, {shows('B')}}}\n"
        f"- {{id: free, {shows('C')}}}\n"
        f"- {{id: either, alternatives: [instead], {shows('D')}}}\n- {{id: instead, {shows('E')}}}"
    )
    one = Task("one", "", essential_states=("shared", "either"))
    two = Task("two", "", essential_states=("shared",))
    three = Task("three", "")
    tasks = [one, two, three]
    found = judge_screens(["A", "E"], states, task=one, tasks=tasks[1:])
    assert first_steps(found) == {"shared": 0, "free": None, "either": 1, "instead": 1}
    assert found["task"].verdict == "success"  # the state of no task is followed, and not needed
    found = judge_screens(["A", "B"], states, task=two, tasks=[one, three])
    assert first_steps(found) == {"shared": 0, "own": 1, "free": None}
    assert found["task"].verdict == "success"
    found = judge_screens(["A", "B"], states, task=three, tasks=[one, two])
    assert found["task"].proof == {"missed": ["free"]}  # a task without states of its own needs it


def test_one_of_two_alternatives_of_a_task_is_enough() -> None:
    states = states_of(
        f"- {{id: card, alternatives: [cash], {shows('Card')}}}\n- {{id: cash, {shows('Cash')}}}"
    )
    for text, cash in (("Card", "missed"), ("Cash", "reached")):
        found = judge_screens(["x", text], states, actions=[Tap(1, 1), Complete()])
        assert (found["card"].verdict, found["cash"].verdict, found["task"].verdict) == (
            "reached",
            cash,
            "success",
        )
    assert judge_screens(["x"], states, actions=[Complete()])["task"].verdict == "failure"


def test_a_state_that_no_file_defines_is_left_to_people() -> None:
    task = Task("t", "", essential_states=("a", "nowhere"))
    found = judge_screens(["A"], ABC[:1], task=task, actions=[Complete()])
    assert (found["task"].verdict, found["task"].reason) == ("undecided", "No file defines nowhere")
    task = Task("t", "", rule_key="nowhere", essential_states=("a",))
    found = judge_screens(["A"], ABC[:1], task=task, actions=[Complete()])
    assert (found["task"].verdict, found["task"].reason) == ("undecided", "There is no success rule nowhere")


def test_what_must_not_be_there_is_said_when_it_is() -> None:
    ad, other = (f"{{type: element_exists, selector: \"text='{text}'\"}}" for text in ("Ad", "x"))
    none = f"{{not: [{ad}, {other}]}}"
    found = judge_screens(["Ad", "Ad"], states_of(f"- {{id: s, conditions: {none}}}"))
    assert found["s"].reason == "It must not be so: There is a node with the text 'Ad'"


def test_the_last_of_two_states_with_one_id_counts() -> None:
    states = states_of(f"- {{id: a, {shows('A')}}}\n- {{id: a, {shows('B')}}}")
    assert first_steps(judge_screens(["A", "B"], states, task=Task("t", "", essential_states=("a",)))) == {
        "a": 1
    }
    assert all(rule.kind == STATE for rule in states)


MAIN = "{type: current_activity_is, value: .MainActivity}"


def test_on_a_screen_that_is_not_known_neither_a_condition_nor_its_opposite_holds() -> None:
    conditions = {
        "activity": f"{{not: [{MAIN}]}}",
        "app": "{not: [{type: current_package_is, value: com.example.shop}]}",
        "picture": "{not: [{type: image_matches, image: rules/heart.png}]}",
        "bad": "{not: [{type: elment_exists, selector: \"text='End'\"}]}",
    }
    states = read_rules(
        "states:\n" + "".join(f"- {{id: {name}, conditions: {said}}}\n" for name, said in conditions.items())
    ).rules
    found = judge_screens(["End"], states, actions=[Tap(1, 1)], kind=GOLDEN)
    assert {name: item.verdict for name, item in found.items()} == {
        "activity": "missed", "app": "missed", "picture": "undecided", "bad": "undecided", "task": "failure",
    }  # fmt: skip
    found = judge_screens(["End"], [states[3]], actions=[Complete()])
    assert (found["task"].verdict, found["task"].reason) == ("undecided", "Conditions of bad cannot be read")


@pytest.mark.parametrize("last", [Tap(1, 1), Complete(), Invalid("{")])
def test_no_screen_is_counted_after_the_last_action(last: Action) -> None:
    states = read_rules(
        "states:\n- {id: two, conditions: [{type: min_step, value: 2}]}\n"
        "- {id: three, conditions: [{type: min_step, value: 3}]}\n"
        "- {id: key, conditions: [{type: action_was, action: '*', min_step: 3}]}"
    ).rules
    found = judge_screens(["A", "B"], states, actions=[Tap(1, 1), last])
    assert first_steps(found) == {"two": 1, "three": None, "key": None}


def test_without_any_tree_the_app_that_is_not_known_decides_nothing() -> None:
    shown = "{type: element_exists, selector: \"text='A'\"}"
    both = f"[{MAIN.replace('.MainActivity', '.Other')}, {shown}]"
    shop = f"[{shown}, {{type: current_package_is, value: com.example.shop}}]"
    states = states_of(f"- {{id: other, conditions: {both}}}\n- {{id: shop, conditions: {shop}}}")
    found = judge_screens([NO_TREE], states, actions=[Tap(1, 1)])
    assert (found["other"].verdict, found["shop"].verdict) == ("missed", "undecided")


@pytest.mark.parametrize("end", [None, Complete()])
def test_what_no_rule_can_know_is_undecided_with_a_signal_and_without_one(end: Action | None) -> None:
    named = "conditions: [{type: state_reached, state: a}]"
    only = states_of(
        f"- {{id: a, {shows('A')}}}\n- {{id: either, alternatives: [a]}}\n- {{id: named, {named}}}\n"
        f"- {{id: no, conditions: {{not: [{{type: state_reached, state: a}}]}}}}"
    )
    found = judge_screens([NO_TREE, NO_TREE], only, actions=[Tap(1, 1), end])
    assert {item.verdict for item in found.values()} == {"undecided"}
    people = states_of("- {id: seen, sentence: Only people see it}")
    for rules, needed in ((people, ("seen",)), (ABC[:1], ("a", "gone"))):
        task = Task("t", "", essential_states=needed)
        assert judge_screens(["A"], rules, task=task, actions=[end])["task"].verdict == "undecided"
    task = Task("t", "", rule_key="gone")
    assert judge_screens(["A"], (), task=task, actions=[end])["task"].verdict == "undecided"


def test_a_missed_state_is_missed_whatever_else_is_not_known() -> None:
    task = Task("t", "", essential_states=("a", "gone"))
    assert judge_screens(["x"], ABC[:1], task=task)["task"].verdict == "uncompleted"
    waits = states_of(f"- {{id: a, {shows('A')}}}\n- {{id: m, conditions: [{{type: min_step, value: 9}}]}}\n"
                      f"- {{id: z, after: [a, m], {shows('Z')}}}")  # fmt: skip
    found = judge_screens([NO_TREE, NO_TREE], waits)
    assert (found["a"].verdict, found["m"].verdict, found["z"].verdict) == ("undecided", "missed", "missed")


DONE = read_rules("done: {conditions: [{type: element_exists, selector: \"text='A'\"}]}", kind=SUCCESS).rules


@pytest.mark.parametrize(
    ("kind", "action", "verdict"),
    [
        (GOLDEN, None, "success"),  # whoever finishes it says that it is done
        (GOLDEN, Invalid("{"), "success"),
        (GOLDEN, Tap(1, 1), "undecided"),  # said after the tap, on a screen that is not known
        ("run", None, "uncompleted"),
        ("run", Invalid("{"), "uncompleted"),
        ("run", Complete(), "success"),
    ],
)
def test_one_screen_alone_is_a_success_when_it_is_claimed_there(
    kind: str, action: Action | None, verdict: str
) -> None:
    task = Task("t", "", rule_key="done", essential_states=("gone",))  # states do not count beside a rule
    assert judge_screens(["A"], DONE, actions=[action], task=task, kind=kind)["task"].verdict == verdict
    step = Step(0, 0, "", State(activity=".Main"), action)
    (rule,) = read_rules(
        "done: {conditions: {all: [{type: current_activity_is, value: .Main}]}}", kind=SUCCESS
    ).rules
    header = TrajectoryHeader("x", "t", kind, status="finished")
    shown = StepsEvaluation(TaskRules((), rule), Path()).verdicts([step], claimed=is_claimed(header, [step]))
    assert (shown.done is not None) == (verdict == "success")


def test_optional_states_that_wait_for_each_other_hold_nothing_back() -> None:
    states = states_of(
        f"- {{id: a, optional: true, after: [b], {shows('A')}}}\n"
        f"- {{id: b, optional: true, after: [a], {shows('B')}}}"
    )
    found = judge_screens(["x", "A"], states)
    assert first_steps(found) == {"a": 1, "b": None}
    assert "wait for each other" not in found["b"].reason


def test_through_an_alternative_that_waits_nothing_counts() -> None:
    states = states_of(
        f"- {{id: z, {shows('Z')}}}\n- {{id: c, {shows('C')}}}\n"
        f"- {{id: b, after: [z], alternatives: [c], {shows('B')}}}\n"
        f"- {{id: a, alternatives: [b], {shows('A')}}}"
    )
    assert first_steps(judge_screens(["C", "x"], states))["a"] is None
    assert first_steps(judge_screens(["C", "x", "Z"], states))["a"] == 2


def test_screens_before_the_after_of_a_state_show_nothing_of_it() -> None:
    states = states_of(f"- {{id: typed, {TYPED}}}\n- {{id: b, after: [typed], {shows('B')}}}")
    found = judge_screens(["x", NO_TREE], states, actions=[Type("lamp", 4)])
    assert found["b"].verdict == "undecided"
    assert judge_screens(["x", "x"], states, actions=[Type("lamp", 4)])["b"].verdict == "missed"


def test_what_was_touched_or_typed_is_not_known_where_nothing_says_it() -> None:
    states = states_of(
        "- {id: buy, after: [go],"
        " conditions: {not: [{type: action_was, action: tap, selector: \"text='Buy'\"}]}}\n"
        "- {id: go, conditions: [{type: min_step, value: 2}]}\n"
        "- {id: word, conditions: [{type: action_was, action: type, text: lamp}]}"
    )
    found = judge_screens([NO_TREE, "x"], states, actions=[Tap(50, 5)])
    assert (found["buy"].verdict, found["word"].verdict) == ("undecided", "missed")
    assert "is not known" in found["buy"].reason
    assert judge_screens(["Buy", "x"], states, actions=[Tap(50, 5)])["buy"].verdict == "missed"
    assert judge_screens(["Pay", "x"], states, actions=[Tap(50, 5)])["buy"].subject.first == 1
    hidden = judge_screens(["x"], states[2:], actions=[Type(redacted=True)])["word"]
    assert hidden.verdict == "missed"  # on the first screen nothing was typed
