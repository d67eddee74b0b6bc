"""Kappa, precision and recall agree with NLTK and with examples worked out by hand."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from collector.judge.votes.agreement import Agreement, Quality, agreement, cohen_kappa, fleiss_kappa, quality
from tests.helpers.late_import import LateImport

metrics = LateImport("nltk.metrics", without="scipy.stats")
nltk_agreement = LateImport("nltk.metrics.agreement", without="scipy.stats")

VERDICTS = st.sampled_from(["reached", "missed", "undecided"])


def by_nltk(rows: list[list[str]]) -> Any:
    return nltk_agreement.AnnotationTask(
        [
            (f"judge-{place}", number, vote)
            for number, row in enumerate(rows)
            for place, vote in enumerate(row)
        ]
    )


@settings(max_examples=60)
@given(st.lists(st.tuples(VERDICTS, VERDICTS), min_size=1, max_size=30))
def test_cohen_agrees_with_nltk(pairs: list[tuple[str, str]]) -> None:
    first, second = [a for a, _ in pairs], [b for _, b in pairs]
    kappa = cohen_kappa(first, second)
    if len({*first, *second}) == 1:
        assert kappa is None
    else:
        assert kappa == pytest.approx(by_nltk([list(pair) for pair in pairs]).kappa(), abs=1e-12)


@settings(max_examples=60)
@given(st.integers(2, 5).flatmap(lambda n: st.lists(st.lists(VERDICTS, min_size=n, max_size=n), min_size=1)))
def test_fleiss_agrees_with_nltk(rows: list[list[str]]) -> None:
    kappa = fleiss_kappa([Counter(row) for row in rows])
    if len({vote for row in rows for vote in row}) == 1:
        assert kappa is None
    else:
        assert kappa == pytest.approx(by_nltk(rows).pi(), abs=1e-12)


@settings(max_examples=60)
@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=30))
def test_precision_and_recall_agree_with_nltk(pairs: list[tuple[bool, bool]]) -> None:
    judged = {number for number, (judge, _reference) in enumerate(pairs) if judge}
    truth = {number for number, (_judge, reference) in enumerate(pairs) if reference}
    found = quality(pairs)
    assert found.precision == metrics.precision(truth, judged)
    assert found.recall == metrics.recall(truth, judged)
    assert found.f1 == (
        pytest.approx(metrics.f_measure(truth, judged))
        if truth and judged
        else (0.0 if truth or judged else None)
    )
    assert found.accuracy == metrics.accuracy(
        [reference for _, reference in pairs], [judge for judge, _ in pairs]
    )


def test_the_example_of_cohen_s_two_readers() -> None:
    """50 grant proposals, two readers, yes or no: 20 and 15 in common, 5 and 10 apart."""
    first = ["yes"] * 25 + ["no"] * 25
    second = ["yes"] * 20 + ["no"] * 5 + ["yes"] * 10 + ["no"] * 15
    # Observed 35/50 = 0.7; by chance 0.5 * 0.6 + 0.5 * 0.4 = 0.5.
    assert cohen_kappa(first, second) == pytest.approx(0.4)


def test_the_example_of_fleiss_fourteen_judges() -> None:
    """Fourteen judges put ten subjects into five classes; kappa is 0.21 (Fleiss 1971)."""
    table = [
        (0, 0, 0, 0, 14), (0, 2, 6, 4, 2), (0, 0, 3, 5, 6), (0, 3, 9, 2, 0), (2, 2, 8, 1, 1),
        (7, 7, 0, 0, 0), (3, 2, 6, 3, 0), (2, 5, 3, 2, 2), (6, 5, 2, 1, 0), (0, 2, 2, 3, 7),
    ]  # fmt: skip
    assert fleiss_kappa([dict(enumerate(row)) for row in table]) == pytest.approx(0.2099, abs=1e-4)


def test_two_judges_are_compared_by_cohen_and_three_by_fleiss() -> None:
    two = agreement(
        [
            {"ann": "reached", "lin": "reached"},
            {"ann": "missed", "lin": "reached"},
            {"ann": "missed", "lin": "missed"},
        ]
    )
    assert two == Agreement(3, pytest.approx(200 / 3), pytest.approx(0.4))
    three = agreement([{"a": 1, "b": 1, "c": 1}, {"a": 1, "b": 0, "c": 0}])
    # One subject with all three pairs alike, one with a pair of three: 4 of 6. By chance (4/6)^2 + (2/6)^2.
    assert three.percent == pytest.approx(100 * 2 / 3)
    assert three.kappa == pytest.approx((2 / 3 - 5 / 9) / (4 / 9))


def test_subjects_that_a_judge_left_out_do_not_count() -> None:
    assert agreement([{"a": 1, "b": 1}, {"a": 0}]) == Agreement(1, 100.0, None)
    assert agreement([{"a": 1}]) == Agreement(0, None, None)
    assert agreement([]) == Agreement(0, None, None)


def test_votes_that_do_not_fit_together_are_refused() -> None:
    with pytest.raises(ValueError, match="not on the same subjects"):
        cohen_kappa([1], [1, 2])
    with pytest.raises(ValueError, match="same number of judges"):
        fleiss_kappa([{"a": 2}, {"a": 3}])
    assert (cohen_kappa([], []), fleiss_kappa([])) == (None, None)
    assert quality([]) == Quality()
    assert (quality([]).precision, quality([]).accuracy) == (None, None)
