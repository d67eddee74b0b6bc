"""pass@k and pass^k count every choice of k tries; the spread agrees with scipy and numpy."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from collector.metrics.statistics.repeated_tries import pass_at_k, pass_hat_k
from collector.metrics.statistics.spread import spread_of, spreads_by_group
from tests.helpers.late_import import LateImport

stats = LateImport("scipy.stats")


def test_pass_at_k_and_pass_hat_k_are_means_over_all_choices_of_k() -> None:
    for tries in range(1, 8):
        for successes in range(tries + 1):
            outcomes = [True] * successes + [False] * (tries - successes)
            for k in range(1, tries + 1):
                choices = list(combinations(outcomes, k))
                number, out_of = np.array([successes]), np.array([tries])
                assert pass_at_k(number, out_of, k)[0] == pytest.approx(np.mean([any(c) for c in choices]))
                assert pass_hat_k(number, out_of, k)[0] == pytest.approx(np.mean([all(c) for c in choices]))
                # No failure among k tries, as the hypergeometric distribution of scipy has it.
                assert pass_hat_k(number, out_of, k)[0] == pytest.approx(
                    stats.hypergeom.pmf(k, tries, successes, k)
                )


def test_fewer_tries_than_k_say_nothing() -> None:
    successes, tries = np.array([0, 1, 2]), np.array([0, 1, 2])
    assert np.isnan(pass_at_k(successes, tries, 2)).tolist() == [True, True, False]
    assert np.isnan(pass_hat_k(successes, tries, 1)).tolist() == [True, False, False]
    with pytest.raises(ValueError, match="k is 0"):
        pass_at_k(successes, tries, 0)


def test_spread_agrees_with_scipy_by_group() -> None:
    generator = np.random.default_rng(2)
    values, of = generator.random(60), generator.integers(-1, 5, 60)
    values[:3] = np.nan
    found = spreads_by_group(values, of, 6)
    for group in range(5):
        own = values[(of == group) & ~np.isnan(values)]
        described = stats.describe(own)
        assert found.counts[group] == described.nobs
        assert found.means[group] == pytest.approx(described.mean)
        assert found.stds[group] == pytest.approx(described.variance**0.5)
        assert found.mads[group] == pytest.approx(np.abs(own - own.mean()).mean())
        assert (found.minima[group], found.maxima[group]) == described.minmax
    assert found.counts[5] == 0
    assert np.isnan([found.means[5], found.stds[5], found.mads[5], found.minima[5], found.maxima[5]]).all()


def test_equal_values_have_no_spread_and_a_single_value_no_deviation() -> None:
    equal = spread_of(np.array([0.1] * 7))
    assert (equal.mean, equal.std, equal.mad, equal.range) == (0.1, 0, 0, 0)
    single = spread_of(np.array([0.4]))
    assert (single.count, single.mean, single.std, single.mad, single.range) == (1, 0.4, None, 0, 0)
    nothing = spread_of(np.array([np.nan]))
    assert (nothing.count, nothing.mean, nothing.mad, nothing.range) == (0, None, None, None)
