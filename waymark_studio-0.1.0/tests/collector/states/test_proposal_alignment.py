"""Two proposals aligned: alike from both sides, whole for equal ones, with every difference named."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from collector.states.documents.proposal import Proposal, ProposedState
from collector.states.proposal_alignment import (
    AFTER,
    ALTERNATIVES,
    CONDITION,
    ONLY_A,
    ONLY_B,
    OPTIONAL,
    STEP,
    WORDING,
    ProposalAlignment,
    align,
    difference_sentence,
)


def exists(name: str) -> Any:
    return [{"type": "element_exists", "selector": f"resource-id='shop:id/{name}'"}]


SENTENCES = (
    "Signed in", "Posters searched", "Sorted by price, low to high", "Only items in stock", "海报已收藏",
    "The cheapest poster is open", "Added to the cart", "The order is placed",
)  # fmt: skip
MIRRORED = {ONLY_A: ONLY_B, ONLY_B: ONLY_A}


@st.composite
def proposal(draw: st.DrawFn, who: str) -> Proposal:
    count = draw(st.integers(0, 6))
    states = []
    for number in range(1, count + 1):
        before = [str(name) for name in range(1, number)]
        states.append(
            ProposedState(
                str(number),
                draw(st.sampled_from(SENTENCES)) + draw(st.sampled_from(("", ".", " now"))),
                draw(st.sampled_from((None, *map(exists, ("a", "b", "c"))))),
                tuple(draw(st.lists(st.sampled_from(before), max_size=2, unique=True)) if before else ()),
                draw(st.booleans()),
            )
        )
    return Proposal("t", who, "g", tuple(states))


def reached_by(proposal: Proposal, draw: st.DrawFn) -> dict[str, tuple[int | None, int | None]]:
    step = st.one_of(st.none(), st.integers(0, 4))
    return {state.id: (draw(step), draw(step)) for state in proposal.states if state.conditions}


def ids(alignment: ProposalAlignment) -> list[tuple[str, str]]:
    return [(pair.a.id if pair.a else "", pair.b.id if pair.b else "") for pair in alignment.pairs]


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_swapping_the_operators_mirrors_the_alignment(data: st.DataObject) -> None:
    a, b = data.draw(proposal("lin")), data.draw(proposal("sara"))
    reached_a, reached_b = reached_by(a, data.draw), reached_by(b, data.draw)
    one = align(a, b, reached_a, reached_b)
    turned = {state: (steps[1], steps[0]) for state, steps in reached_a.items()}
    other = align(b, a, {state: (steps[1], steps[0]) for state, steps in reached_b.items()}, turned)
    assert ids(one) == [(first, second) for second, first in ids(other)]
    for pair, mirror in zip(one.pairs, other.pairs, strict=True):
        assert pair.score == mirror.score
        assert set(pair.differences) == {MIRRORED.get(name, name) for name in mirror.differences}


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_equal_proposals_align_state_by_state(data: st.DataObject) -> None:
    a = data.draw(proposal("lin"))
    reached = reached_by(a, data.draw)
    alignment = align(a, replace(a, who="sara"), reached, reached)
    assert ids(alignment) == [(state.id, state.id) for state in a.states]
    assert all(pair.differences == () and pair.is_agreed for pair in alignment.pairs)


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_every_state_is_in_one_pair(data: st.DataObject) -> None:
    a, b = data.draw(proposal("lin")), data.draw(proposal("sara"))
    alignment = align(a, b)
    assert sorted(pair.a.id for pair in alignment.pairs if pair.a) == sorted(state.id for state in a.states)
    assert sorted(pair.b.id for pair in alignment.pairs if pair.b) == sorted(state.id for state in b.states)
    assert len({pair.key for pair in alignment.pairs}) == len(alignment.pairs)


def of(who: str, *states: ProposedState) -> Proposal:
    return Proposal("t", who, "g", states)


S = ProposedState


def test_the_proposals_of_the_mockup_align_as_a_person_would() -> None:
    """Lin proposes five states, Sara six: wording, condition and order differ, one is Sara's alone."""
    lin = of(
        "Lin",
        S("1", "Signed in", exists("account_badge")),
        S("2", "Posters searched", [{"type": "element_text_contains", "text": "poster",
                                     "selector": "resource-id='id/result_count'"}], ("1",)),
        S("3", "Sorted by price, low to high", [{"type": "element_text_equals", "text": "Price: low to high",
                                                 "selector": "resource-id='id/chip_sort'"}], ("2",)),
        S("4", "Only items in stock", [{"type": "element_property", "property": "selected", "value": "true",
                                        "selector": "resource-id='id/chip_filter'"}], ("3",)),
        S("5", "Added to cart", [{"type": "element_text_contains", "selector": "resource-id='id/snack'",
                                  "text": "Added"}], ("4",)),
    )  # fmt: skip
    sara = of(
        "Sara",
        lin.states[0],
        lin.states[1],
        S("3", "Results cheapest first", [{"type": "element_text_contains", "text": "low to high",
                                           "selector": "resource-id='id/chip_sort'"}], ("2",)),
        S("4", "Only items in stock", [{"type": "element_text_equals", "text": "In stock",
                                        "selector": "resource-id='id/chip_filter'"}], ("2",)),
        S("5", "Cheapest poster opened", [{"type": "element_text_equals", "text": "$9.50",
                                           "selector": "resource-id='id/price'"}], ("3", "4")),
        S("6", "Added to cart", lin.states[4].conditions, ("5",)),
    )  # fmt: skip
    steps = {"1": (5, 5), "2": (8, 8), "3": (10, 10), "4": (13, 13), "5": (15, 15)}
    alignment = align(lin, sara, steps, {**steps, "5": (14, 14), "6": (15, 15)})
    assert ids(alignment) == [("1", "1"), ("2", "2"), ("3", "3"), ("4", "4"), ("", "5"), ("5", "6")]
    assert [pair.key for pair in alignment.pairs] == ["A1", "A2", "A3", "A4", "B5", "A5"]
    assert [pair.differences for pair in alignment.pairs] == [
        (), (), (WORDING, CONDITION), (CONDITION, AFTER), (ONLY_B,), (AFTER,),
    ]  # fmt: skip
    assert [difference_sentence(alignment, pair) for pair in alignment.pairs] == [
        "Same sentence, same condition", "Same sentence, same condition", "Wording; Condition",
        "Condition; Order", "Only Sara proposes it", "Order",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("mine", "theirs", "differences"),
    [
        (S("1", "In the cart"), S("7", "In  the cart "), ()),
        (S("1", "In the cart"), S("7", "in the cart"), (WORDING,)),
        (S("1", "In the cart", optional=True), S("7", "In the cart"), (OPTIONAL,)),
        (S("1", "In the cart", exists("a")), S("7", "In the cart"), (CONDITION,)),
        # However the same conditions are written.
        (S("1", "In the cart", exists("a")), S("7", "In the cart", {"all": exists("a")}), ()),
        # Equal conditions make one state of two sentences that share no word.
        (S("1", "In the cart", exists("a")), S("7", "Basket filled", exists("a")), (WORDING,)),
        (S("1", "海报已收藏"), S("7", "海报已经收藏"), (WORDING,)),
        (S("1", "Signed in"), S("7", "The order is placed"), None),
    ],
)
def test_one_state_with_each_difference(
    mine: ProposedState, theirs: ProposedState, differences: tuple[str, ...] | None
) -> None:
    alignment = align(of("lin", mine), of("sara", theirs))
    if differences is None:
        assert [pair.differences for pair in alignment.pairs] == [(ONLY_A,), (ONLY_B,)] or [
            pair.differences for pair in alignment.pairs
        ] == [(ONLY_B,), (ONLY_A,)]
        return
    (pair,) = alignment.pairs
    assert pair.differences == differences
    assert pair.is_agreed == (not differences)


def test_what_a_state_comes_after_is_compared_by_pairs_and_not_by_ids() -> None:
    lin = of("lin", S("1", "Signed in"), S("2", "Order placed", after=("1",), alternatives=("1",)))
    sara = of("sara", S("8", "Signed in"), S("9", "Order placed", after=("8",)))
    assert [pair.differences for pair in align(lin, sara).pairs] == [(), (ALTERNATIVES,)]


def test_a_different_step_is_said_and_does_not_keep_the_pair_open() -> None:
    lin, sara = (of(who, S("1", "Bought", exists("a"))) for who in ("lin", "sara"))
    (pair,) = align(lin, sara, {"1": (3, 2)}, {"1": (3, 4)}).pairs
    assert (pair.differences, pair.is_agreed) == ((STEP,), True)


def test_the_operators_say_what_is_one_state_whatever_the_words_say() -> None:
    lin = of("lin", S("1", "Signed in"), S("2", "Order placed"))
    sara = of("sara", S("1", "Signed in"), S("2", "Paid"))
    assert [pair.key for pair in align(lin, sara).pairs] == ["A1", "A2", "B2"]
    told = {("2", "2"): True, ("1", "1"): False}
    alignment = align(lin, sara, pairing=told)
    assert ids(alignment) == [("1", ""), ("", "1"), ("2", "2")]
    assert [pair.key for pair in alignment.pairs] == ["A1", "B1", "A2"]
