"""McNemar's exact test and rank agreement agree with scipy and statsmodels; sample sizes have their power."""

from __future__ import annotations

import math

import numpy as np
import pytest

from collector.metrics.statistics.mcnemar import exact_mcnemar
from collector.metrics.statistics.rank_agreement import rank_agreement, ranks
from collector.metrics.statistics.sample_size import episodes_for_rates, pairs_for_difference
from tests.helpers.late_import import LateImport

stats = LateImport("scipy.stats")
tables = LateImport("statsmodels.stats.contingency_tables")
proportions = LateImport("statsmodels.stats.proportion")


def test_mcnemar_agrees_with_statsmodels_for_every_small_table() -> None:
    for first in range(26):
        for second in range(26):
            expected = tables.mcnemar([[7, first], [second, 3]], exact=True).pvalue if first + second else 1.0
            assert exact_mcnemar(first, second) == pytest.approx(expected, rel=1e-11), (first, second)


@pytest.mark.parametrize(("first", "second"), [(52, 6), (400, 520), (20_300, 19_700), (3_000, 100)])
def test_mcnemar_agrees_with_scipy_for_many_pairs(first: int, second: int) -> None:
    expected = stats.binomtest(first, first + second, 0.5).pvalue
    assert exact_mcnemar(first, second) == pytest.approx(expected, rel=1e-9, abs=1e-300)


def test_rank_agreement_agrees_with_scipy_with_and_without_ties() -> None:
    generator = np.random.default_rng(11)
    for size in range(2, 12):
        for levels in (3, 1000):
            first, second = generator.integers(0, levels, (2, size)) / 7
            found = rank_agreement(first, second)
            tied = len(set(first)) == 1 or len(set(second)) == 1
            assert (found.kendall is None) == (found.spearman is None) == tied
            if not tied:
                assert found.kendall == pytest.approx(stats.kendalltau(first, second).statistic)
                assert found.spearman == pytest.approx(stats.spearmanr(first, second).statistic)
            assert ranks(first).tolist() == stats.rankdata(-first).tolist()


def test_rank_agreement_leaves_out_what_either_does_not_rank() -> None:
    found = rank_agreement(np.array([3.0, 2.0, np.nan, 1.0]), np.array([30.0, 20.0, 10.0, 5.0]))
    assert (found.count, found.kendall, found.spearman) == (3, 1, 1)
    assert rank_agreement(np.array([1.0]), np.array([1.0])).kendall is None
    with pytest.raises(ValueError, match="2 and 1 values"):
        rank_agreement(np.array([1.0, 2.0]), np.array([1.0]))


@pytest.mark.parametrize(("hits", "count"), [(0, 4), (0, 40), (1, 2), (5, 5), (7, 18), (90, 100)])
def test_the_number_of_episodes_is_the_smallest_that_does(hits: int, count: int) -> None:
    low, high = proportions.proportion_confint(hits, count, method="wilson")
    share = min(max(0.5, low), high)

    def reaches(number: int) -> bool:
        ends = proportions.proportion_confint(share * number, number, method="wilson")
        return bool(ends[1] - ends[0] <= 0.2)

    (enough,) = episodes_for_rates(np.array([hits]), np.array([count])).tolist()
    assert reaches(enough)
    assert not reaches(enough - 1)


def power(only_first: float, only_second: float, pairs: int) -> float:
    """The chance that the exact test has p < 0.05 when pairs differ with these shares."""
    numbers = np.arange(pairs + 1)
    # The largest smaller count with p < 0.05 among so many pairs that differ; -1 where there is none.
    cuts = stats.binom.ppf(0.025, numbers, 0.5)
    cuts = np.where(2 * stats.binom.cdf(cuts, numbers, 0.5) < 0.05, cuts, cuts - 1)
    share = only_first / (only_first + only_second)
    rejects = stats.binom.cdf(cuts, numbers, share) + stats.binom.sf(numbers - cuts - 1, numbers, share)
    return float(np.dot(stats.binom.pmf(numbers, pairs, only_first + only_second), rejects))


@pytest.mark.parametrize("boxes", [(52, 6, 216), (9, 5, 40), (30, 20, 100), (3, 1, 50), (60, 20, 90)])
def test_as_many_pairs_as_said_see_the_difference_four_times_in_five(boxes: tuple[int, int, int]) -> None:
    only_first, only_second, pairs = boxes
    enough = pairs_for_difference(*boxes)
    assert enough is not None
    assert 0.70 < power(only_first / pairs, only_second / pairs, enough) < 0.90


def test_no_number_of_pairs_is_said_without_a_difference_and_never_under_six_that_differ() -> None:
    assert pairs_for_difference(3, 3, 20) is None
    assert pairs_for_difference(0, 0, 0) is None
    assert pairs_for_difference(3, 0, 3) == 6
    assert exact_mcnemar(6, 0) < 0.05 < exact_mcnemar(5, 0)
    assert math.isclose(exact_mcnemar(6, 0), 2 / 64)
