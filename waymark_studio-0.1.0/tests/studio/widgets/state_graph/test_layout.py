"""The layout of states holds its promises for any states: no overlap, lines to the right, no dice."""

from __future__ import annotations

from itertools import combinations, pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from studio.widgets.state_graph.layout import (
    CARD_HEIGHT,
    LANE,
    SLOT,
    START,
    GraphState,
    PlacedCard,
    closes_circle,
    lay_out,
)

SLOTS = 16


@st.composite
def any_states(draw: st.DrawFn) -> list[GraphState]:
    """Up to 30 states whose names may lead anywhere: to themselves, in circles, to what is not there."""
    count = draw(st.integers(0, 30))
    names = [f"s{number}" for number in range(count)]
    some = st.lists(st.sampled_from([*names, "gone"]), max_size=3).map(tuple)
    return [
        GraphState(
            name,
            draw(st.integers(70, 220)),
            draw(st.none() | st.integers(0, SLOTS - 1)),
            draw(some),
            draw(some),
        )
        for name in names
    ]


def is_apart(first: PlacedCard, other: PlacedCard) -> bool:
    return first.lane != other.lane or first.right < other.left or other.right < first.left


@settings(max_examples=25, deadline=None)
@given(any_states())
def test_no_card_overlaps_and_every_line_goes_right(states: list[GraphState]) -> None:
    layout = lay_out(states, SLOTS)
    assert layout == lay_out(states, SLOTS)
    assert set(layout.cards) == {START, *(state.id for state in states)}
    assert all(is_apart(*pair) for pair in combinations(layout.cards.values(), 2))
    assert all(card.left >= 0 and card.right <= layout.width for card in layout.cards.values())
    assert {card.lane for card in layout.cards.values()} <= set(range(layout.lanes))
    for (first, then), way in layout.edges.items():
        before, after = layout.cards[first], layout.cards[then]
        assert before.left < after.left
        assert way[-1] == (after.left, after.middle)
        assert before.left <= way[0][0] <= before.right
        assert way[0][1] in (before.top, before.middle, before.bottom)
        for (x1, y1), (x2, y2) in pairwise(way):
            assert x1 <= x2
            assert (x1 == x2) is not (y1 == y2)  # orthogonal, and never a dot
    for state in states:
        if state.step is None:
            assert state.id not in layout.links
        else:
            assert layout.links[state.id][-1] == (state.step * SLOT + SLOT // 2, layout.height)


@settings(max_examples=25, deadline=None)
@given(any_states())
def test_each_state_follows_what_it_names_unless_that_closes_a_circle(states: list[GraphState]) -> None:
    edges = lay_out(states, SLOTS).edges
    ids = {state.id for state in states}
    for state in states:
        drawn = {first for first, then in edges if then == state.id}
        assert drawn
        assert drawn <= {START, *state.after}
        missing = set(state.after) & ids - drawn - {state.id}
        assert all(closes_circle(states, name, state.id) for name in missing)


def test_a_card_stands_over_the_step_that_reaches_it() -> None:
    states = [
        GraphState("m1", 128, 5),
        GraphState("m2", 148, 8, ("m1",)),
        GraphState("m3", 180, 10, ("m2",)),
        GraphState("m4", 150, 13, ("m2",)),
        GraphState("m5", 128, 14, ("m3", "m4"), ("m4",)),
        GraphState("m6", 104, 15, ("m5",)),
    ]
    layout = lay_out(states, SLOTS)
    for state in states:
        column = state.step * SLOT + SLOT // 2
        assert layout.cards[state.id].left < column < layout.cards[state.id].right
    assert layout.lanes <= 3
    assert layout.edges["", "m1"] == ((66, 22), (layout.cards["m1"].left, 22))
    assert ("m5", "m4") in layout.alternatives
    for (first, then), way in layout.edges.items():
        others = [card for name, card in layout.cards.items() if name not in (first, then)]
        assert not any(
            max(x1, x2) >= card.left and min(x1, x2) <= card.right
            and max(y1, y2) >= card.top and min(y1, y2) <= card.top + CARD_HEIGHT
            for (x1, y1), (x2, y2) in pairwise(way) for card in others
        )  # fmt: skip


def test_a_long_chain_stays_low() -> None:
    chain = [GraphState(f"s{n}", 150, n // 2, (f"s{n - 1}",) if n else ()) for n in range(30)]
    layout = lay_out(chain, SLOTS)
    assert layout.height <= 5 * LANE
    assert layout.width < 2.2 * SLOTS * SLOT


def test_a_circle_is_seen_before_it_is_closed() -> None:
    chain = [GraphState("a", 80), GraphState("b", 80, after=("a",)), GraphState("c", 80, after=("b",))]
    assert closes_circle(chain, "c", "a")
    assert closes_circle(chain, "a", "a")
    assert not closes_circle(chain, "a", "c")
    assert not closes_circle([], "gone", "a")
