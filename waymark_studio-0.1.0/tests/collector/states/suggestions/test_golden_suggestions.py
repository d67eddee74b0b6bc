"""What two golden trajectories have in common: at which steps, never at the start, and not in other tasks."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from collector.judge.evaluation.state_reach import reach_of_states
from collector.model.action import Answer, Tap, Type
from collector.rules.backtest.backtest import BackTest
from collector.rules.columns.corpus import Corpus
from collector.rules.evaluation.waymark_semantics import prove
from collector.rules.grammar.model import STATE, Rule
from collector.rules.grammar.rule_reader import read_rules
from collector.states.suggestions.golden_suggestions import GoldenState, states_in_common
from collector.states.suggestions.golden_table import GoldenTable
from collector.states.suggestions.rule_suggestions import ClauseLeftOut, ClauseState, states_of_rule
from tests.helpers.dumps import hierarchy, node
from tests.helpers.memory_trajectory import MemoryTrajectory, RecordedScreen

Screens = Sequence[RecordedScreen]


def screen(*texts: str, clock: str = "12:00", **more: object) -> RecordedScreen:
    """A screen with texts, and a clock of the app; ``id: text`` gives a node an id."""
    nodes = [node(text=clock)]
    for text in texts:
        name, colon, said = text.partition(": ")
        nodes.append(node(text=said, resource_id=f"app:id/{name}") if colon else node(text=text))
    return RecordedScreen(hierarchy(*nodes).encode(), **more)  # type: ignore[arg-type]


def table(first: Screens, second: Screens, *others: Screens) -> GoldenTable:
    own = [MemoryTrajectory("shop-1", screens, name=name) for name, screens in (("a", first), ("b", second))]
    rest = [MemoryTrajectory(f"other-{place}", screens) for place, screens in enumerate(others)]
    return GoldenTable(BackTest(Corpus([*own, *rest])), (0, 1))


def said(states: Sequence[GoldenState]) -> list[tuple[str, tuple[int, ...]]]:
    return [(state.sentence, state.steps) for state in states]


def test_what_both_went_through_is_suggested_with_its_steps() -> None:
    first = [screen("Home"), screen("Search"), screen("Results"), screen("Saved")]
    second = [screen("Home"), screen("Advert"), screen("Results"), screen("Detour"), screen("Saved")]
    found = states_in_common(table(first, second, [screen("Home"), screen("Cart")]), "Save a poster")
    assert set(said(found)) == {("'Results' is shown", (2, 2)), ("'Saved' is shown", (3, 4))}
    best = found[0]
    assert best.sentence == "'Saved' is shown", "it holds at the end"
    assert best.reason == (
        "Both golden trajectories come to it, at steps 4 and 5. The one other task does not. "
        "It holds at the end, too"
    )


def test_what_other_tasks_went_through_counts_when_it_is_asked_for_alone() -> None:
    both = [screen("Home"), screen("Results"), screen("Results", "Poster")]
    shown = table(both, both, [screen("Home"), screen("Results")])
    assert said(states_in_common(shown, "")) == [("'Poster' is shown", (2, 2))]
    shared = states_in_common(shown, "", most_other_tasks=9)
    assert said(shared) == [("'Poster' is shown", (2, 2)), ("'Results' is shown", (1, 1))]
    assert "One other task does too" in shared[1].reason


def test_two_things_together_are_suggested_where_neither_is_particular() -> None:
    both = [screen("Home"), screen("Cart", "Poster")]
    found = states_in_common(table(both, both, [screen("Cart")], [screen("Poster")]), "")
    assert said(found) == [("'Cart' is shown. 'Poster' is shown", (1, 1))]


def test_clocks_prices_that_differ_and_numbers_of_orders_are_passed_over() -> None:
    first = [
        screen("Home"),
        screen("price: $9.50", "count: 148 results", "Order W-1001", "At 9:41", clock="9:41"),
    ]
    second = [
        screen("Home"),
        screen("price: $11", "count: 150 results", "Order W-1001", "At 9:41", clock="9:41"),
    ]
    found = states_in_common(table(first, second), "")
    assert said(found) == [("'count' contains 'results'", (1, 1))]
    wanted = states_in_common(table(first, second), "Look up order W-1001")
    assert said(wanted) == [("'Order W-1001' is shown", (1, 1))], "the instruction names the number"


def test_words_of_the_instruction_count() -> None:
    both = [screen("Home"), screen("Welcome", "Botanical print")]
    found = states_in_common(table(both, both), "Find a botanical print")
    assert found[0].sentence == "'Botanical print' is shown"
    assert "The instruction says botanical, print" in found[0].reason
    wide = [screen("首页"), screen("确定", "海报列表")]
    assert "海报" in states_in_common(table(wide, wide), "搜索海报并收藏")[0].reason


@pytest.mark.parametrize(
    ("action", "sentence"),
    [(Answer("64.90"), "The answer '64.90' was given"), (Type("poster", 6), "'poster' was typed")],
)
def test_an_action_in_common_is_a_state_where_the_screen_shows_nothing(action: object, sentence: str) -> None:
    both = [screen("Home", action=action), screen("Home")]
    assert said(states_in_common(table(both, both), "")) == [(sentence, (1, 1))]


_TEXTS = st.sampled_from(
    ["Home", "Search", "Cart", "id: Poster", "id: $9.50", "Buy", "n: 3 items", "n: 4 items"]
)
_SCREENS = st.lists(
    st.builds(
        lambda texts, clock, action: screen(*texts, clock=f"12:{clock:02}", action=action),
        st.lists(_TEXTS, max_size=4), st.integers(0, 59),
        st.sampled_from([Tap(1, 1), Type("x", 1), Answer("3")]),
    ),
    min_size=1, max_size=6,
)  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(_SCREENS, _SCREENS, st.lists(_SCREENS, max_size=3), st.sampled_from(["", "Put 3 items into the cart"]))
def test_a_suggestion_holds_first_at_its_steps_never_at_the_start_and_in_no_other_task(
    first: Screens, second: Screens, others: list[Screens], instruction: str
) -> None:
    compared = table(first, second, *others)
    found = states_in_common(compared, instruction)
    assert said(found) == said(states_in_common(table(first, second, *others), instruction)), "deterministic"
    assert [state.score for state in found] == sorted((state.score for state in found), reverse=True)
    for state in found:
        for place, step in enumerate(state.steps):
            holds = [prove(state.conditions, view).holds for view in compared.views(place)]
            assert holds.index(True) == step > 0, state
        rule = Rule(id="x", kind=STATE, conditions=state.conditions)
        reach = [reach_of_states([rule], compared.views(place))["x"].reached for place in range(2)]
        assert tuple(reach) == state.steps, "the judge agrees"
        for number in range(2, len(compared.corpus.trajectories)):
            views = map(compared.corpus.view, compared.corpus.positions_of(number))
            assert not any(prove(state.conditions, view).holds for view in views)


RULE = """
bought:
  description: The poster is bought
  conditions:
  - {type: element_exists, selector: "text='Cart'"}
  - {type: element_exists, selector: "text='Thank you'"}
  - {type: element_exists, selector: "text='Home'"}
  - {type: state_reached, state: paid}
"""


def test_clauses_of_a_success_rule_are_suggested_where_they_hold() -> None:
    rule = read_rules(RULE, kind="success").rules[0]
    screens = [screen("Home"), screen("Cart"), screen("Cart", "Thank you")]
    found = list(states_of_rule(rule, table(screens, screens)))
    states = [item for item in found if isinstance(item, ClauseState)]
    assert [(state.sentence, state.steps) for state in states] == [
        ("'Cart' is shown", (1, 1)),
        ("'Thank you' is shown", (2, 2)),
    ]  # fmt: skip
    assert (
        states[0].reason
        == "Clause 1 of the success rule bought. The golden trajectories come to it at steps 2, 2"
    )
    assert [item.reason.partition(":")[0] for item in found if isinstance(item, ClauseLeftOut)] == [
        "Clause 3 of the success rule bought holds at the start already",
        "Clause 4 of the success rule bought names states itself, or cannot be read",
        "The success rule bought names states itself, or cannot be read",
    ]


def test_a_success_rule_is_a_state_without_golden_trajectories_too() -> None:
    rule = read_rules("done: {conditions: {any: [{type: min_step, value: 3}]}}", kind="success").rules[0]
    empty = GoldenTable(BackTest(Corpus([])), ())
    (state,) = states_of_rule(rule, empty)
    assert isinstance(state, ClauseState)
    assert (state.steps, state.score) == ((), 65)
    assert state.reason.endswith("No golden trajectory shows yet where it is reached")
