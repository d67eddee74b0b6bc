"""Texts that are like another, letter by letter, and what is said of those that are not like enough."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collector.hierarchy.parse import parse_tree
from collector.rules.conditions.text_similar import TextSimilar, similarity
from collector.rules.evaluation.explanation import near_nodes, reason
from collector.rules.evaluation.state_view import StateView
from collector.rules.evaluation.waymark_semantics import prove
from tests.helpers.dumps import hierarchy, node

VIEW = StateView(parse_tree(hierarchy(node(text="Order  CONFIRMED!"), node(text="Orders")).encode()))


@pytest.mark.parametrize(
    ("first", "second", "score"),
    [
        ("abcd", "abcd", 1.0),
        ("Order  confirmed", "order CONFIRMED", 1.0),
        ("abcd", "abxd", 2 * 3 / 8),  # a, b and d of eight letters
        ("abc", "xyz", 0.0),
        ("", "abc", 0.0),
        ("", "", 0.0),
    ],
)
def test_the_score_is_that_of_hand(first: str, second: str, score: float) -> None:
    assert similarity(first, second) == pytest.approx(score)


@given(st.text(max_size=40), st.text(max_size=40))
def test_it_does_not_matter_which_text_is_asked_about(first: str, second: str) -> None:
    assert similarity(first, second) == similarity(second, first)
    assert 0 <= similarity(first, second) <= 1


def test_a_text_like_enough_holds_and_the_likest_is_named_otherwise() -> None:
    assert prove(TextSimilar(text="Order confirmed"), VIEW).nodes == (0,)
    assert prove(TextSimilar(text="Order confirmed", selector="text='Orders'"), VIEW).near == (1,)
    proof = prove(TextSimilar(text="Order confirmd now", threshold=0.95), VIEW)
    assert not proof.holds
    assert reason(proof, VIEW).startswith("The text that is most like 'Order confirmd now' scores 0.8")
    assert [named.text for named, _tag in near_nodes(proof, VIEW)] == ["Order  CONFIRMED!"]


def test_texts_that_take_too_long_to_compare_are_not_alike() -> None:
    assert similarity("abc" * 166, "acb" * 166) == 0.0
    assert similarity("ab" * 250, "ba" * 250) > 0.9
    assert similarity("x " * 1_000_000, "x " * 1_000_001) == 1.0
