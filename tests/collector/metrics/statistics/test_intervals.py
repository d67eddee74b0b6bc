"""Intervals of rates, ratios and differences agree with statsmodels and scipy."""

from __future__ import annotations

import math

import numpy as np
import pytest

from collector.metrics.statistics.bootstrap import (
    bootstrap_interval,
    difference_of_ratios,
    ratio,
    sums_by_cluster,
)
from collector.metrics.statistics.intervals import Z_95, wilson_intervals
from collector.metrics.statistics.relative_risk import relative_risk
from tests.helpers.late_import import LateImport

stats = LateImport("scipy.stats")
proportions = LateImport("statsmodels.stats.proportion")


def test_wilson_agrees_with_statsmodels_for_every_rate_up_to_forty_episodes() -> None:
    cases = [(hits, count) for count in range(1, 41) for hits in range(count + 1)]
    cases += [(0, 100_000), (1, 100_000), (73_512, 100_000), (100_000, 100_000)]
    hits, counts = np.array(cases).T
    low, high = wilson_intervals(hits, counts)
    expected = np.column_stack(proportions.proportion_confint(hits, counts, method="wilson"))
    assert stats.norm.ppf(0.975) == pytest.approx(Z_95, abs=1e-15)
    np.testing.assert_allclose(np.column_stack((low, high)), expected, atol=1e-12)


@pytest.mark.parametrize("counts", [(27, 122, 44, 487), (1, 5, 4, 5), (3, 3, 1, 9), (30, 60, 20, 40)])
def test_relative_risk_agrees_with_scipy(counts: tuple[int, int, int, int]) -> None:
    found, expected = relative_risk(*counts), stats.contingency.relative_risk(*counts)
    interval = expected.confidence_interval(0.95)
    assert found.value == pytest.approx(expected.relative_risk, rel=1e-12)
    assert (found.low, found.high) == pytest.approx((interval.low, interval.high), rel=1e-12)


def test_relative_risk_without_hits_is_zero_infinite_or_undefined() -> None:
    assert relative_risk(0, 5, 2, 5).value == 0
    assert relative_risk(2, 5, 0, 5).value == math.inf
    assert relative_risk(0, 5, 0, 5).value is None
    assert relative_risk(0, 0, 2, 5).value is None


def clustered(tasks: int = 40) -> tuple[np.ndarray, np.ndarray]:
    """The task of each pair, and the change of success in it: -1, 0 or 1. Tasks differ in size."""
    generator = np.random.default_rng(5)
    task = np.repeat(np.arange(tasks), generator.integers(1, 7, tasks))
    chance = generator.uniform(0.1, 0.9, tasks)[task]
    return task, (generator.random(len(task)) < chance / 2) * 1 - (generator.random(len(task)) < chance)


def test_the_bootstrap_by_task_agrees_with_scipy() -> None:
    task, change = clustered()
    sums = sums_by_cluster(task, change, np.ones(len(task), np.int64))
    found = bootstrap_interval(sums, ratio, resamples=20_000)
    expected = stats.bootstrap(
        (sums[:, 0], sums[:, 1]),
        lambda change, count, axis: change.sum(axis) / count.sum(axis),
        paired=True, vectorized=True, n_resamples=20_000, method="percentile", rng=np.random.default_rng(3),
    ).confidence_interval  # fmt: skip
    assert found == pytest.approx((expected.low, expected.high), abs=0.004)


def test_a_task_of_its_own_for_each_pair_gives_the_interval_of_independent_pairs() -> None:
    change = np.repeat([-1, 0, 1], [52, 158, 6])
    sums = sums_by_cluster(np.arange(216), change, np.ones(216, np.int64))
    found = bootstrap_interval(sums, ratio, resamples=20_000)
    # Of 216 differences, by the normal distribution: what the mockup of Metrics says.
    assert found == pytest.approx((-0.276, -0.150), abs=0.004)


def test_tasks_that_hang_together_widen_the_interval() -> None:
    change = np.repeat([-1, 0, 1], [80, 240, 40])
    alone = bootstrap_interval(sums_by_cluster(np.arange(360), change, np.ones(360, np.int64)), ratio)
    together = bootstrap_interval(
        sums_by_cluster(np.arange(360) // 10, change, np.ones(360, np.int64)), ratio
    )
    assert alone is not None
    assert together is not None
    assert together[1] - together[0] > 2 * (alone[1] - alone[0])


def test_the_bootstrap_repeats_itself_and_knows_what_it_cannot_say() -> None:
    task, change = clustered()
    sums = sums_by_cluster(task, change, np.ones(len(task), np.int64))
    assert bootstrap_interval(sums, ratio) == bootstrap_interval(sums[::-1], ratio)
    assert bootstrap_interval(sums, ratio) != bootstrap_interval(sums, ratio, seed=1)
    assert bootstrap_interval(sums[:1], ratio) is None
    assert bootstrap_interval(np.zeros((5, 2)), ratio) is None


def test_two_selections_of_different_tasks_have_a_difference_too() -> None:
    first, second = np.arange(60) < 45, np.arange(80) < 40
    sums = sums_by_cluster(
        np.arange(140), np.r_[first, np.zeros(80)], np.r_[np.ones(60), np.zeros(80)],
        np.r_[np.zeros(60), second], np.r_[np.zeros(60), np.ones(80)],
    )  # fmt: skip
    found = bootstrap_interval(sums, difference_of_ratios, resamples=20_000)
    expected = stats.bootstrap(
        (first.astype(float), second.astype(float)), lambda a, b, axis: b.mean(axis) - a.mean(axis),
        vectorized=True, n_resamples=20_000, method="percentile", rng=np.random.default_rng(3),
    ).confidence_interval  # fmt: skip
    assert found == pytest.approx((expected.low, expected.high), abs=0.012)
