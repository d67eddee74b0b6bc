"""Answers are compared by the declared rule, and people decide where it cannot."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collector.judge.evaluation.given_answer import answer_matches, done_with_answer
from collector.model.expected_answer import MATCHING_RULES, ExpectedAnswer


@pytest.mark.parametrize(
    ("rule", "texts", "answer", "matches"),
    [
        ("exact", ("Red Lamp",), "  red   lamp ", True),
        ("exact", ("Red lamp",), "a red lamp", False),
        ("exact", ("４２",), "42", True),
        ("exact", ("New York",), "NewYork", False),
        ("exact", ("购物",), "购 物", True),
        ("exact", ("3 个",), "3个", True),
        ("exact", ("サイズ M",), "サイズM", True),
        ("contains", ("红色台灯",), "一盏 红色 台灯", True),
        ("number", ("0.5",), "It is .5", True),
        ("number", ("-.50",), "-0.5", True),
        ("number", ("5",), "version 1.2.5", False),
        ("any of", ("red", "crimson"), "Crimson", True),
        ("any of", ("red", "crimson"), "blue", False),
        ("contains", ("lamp",), "The red LAMP is 12 euros", True),
        ("contains", ("lamp", "12"), "The red lamp", False),
        ("number", ("1234.5",), "It costs 1,234.50 euros", True),
        ("number", ("12",), "12 or 15", False),
        ("number", ("12",), "twelve", False),
        ("number", ("-3",), "\u22123 \N{DEGREE SIGN}C", True),
        ("number", ("12",), "item12 is 12", True),
        ("number", ("a few",), "12", None),
        ("regex", (r"^\d+ items?$",), "3 items", True),
        ("regex", (r"^\d+ items?$",), "no items", False),
        ("regex", ("(",), "(", None),
        ("by ear", ("x",), "x", None),
        ("exact", (), "x", None),
        ("exact", ("  ",), "x", None),
    ],
)
def test_rules(rule: str, texts: tuple[str, ...], answer: str, matches: bool | None) -> None:
    assert answer_matches(answer, ExpectedAnswer(texts, rule)) is matches


@given(st.text(), st.text(), st.sampled_from(MATCHING_RULES))
def test_any_texts_can_be_compared(answer: str, expected: str, rule: str) -> None:
    assert answer_matches(answer, ExpectedAnswer((expected,), rule)) in (True, False, None)


@given(st.integers(-(10**9), 10**9), st.sampled_from(["{}", "It is {}.", "{:,} in all"]))
def test_a_number_is_heard_in_a_sentence(number: int, sentence: str) -> None:
    assert answer_matches(sentence.format(number), ExpectedAnswer((str(number),), "number"))


@pytest.mark.parametrize(
    ("done", "answered", "has_rules", "decided"),
    [
        (False, True, True, False), (True, True, True, True), (None, True, True, None),
        (True, False, True, False), (True, None, True, None), (None, True, False, True),
        (None, False, False, False),
    ],
)  # fmt: skip
def test_an_answer_and_rules_decide_together(done, answered, has_rules, decided) -> None:
    assert done_with_answer(done, answered, has_rules=has_rules) is decided
