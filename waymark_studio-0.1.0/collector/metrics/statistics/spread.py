"""How far values lie apart: mean, standard deviation, mean absolute deviation, minimum and maximum."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Spread:
    """The spread of some values; None where too few are known."""

    count: int
    mean: float | None = None
    std: float | None = None
    """Of the sample: the squares are divided by one less than the count. None under two values."""
    mad: float | None = None
    """Mean absolute deviation from the mean."""
    minimum: float | None = None
    maximum: float | None = None

    @property
    def range(self) -> float | None:
        """Maximum less minimum."""
        return None if self.maximum is None or self.minimum is None else self.maximum - self.minimum


@dataclass(frozen=True, slots=True)
class Spreads:
    """The spread of values by group: arrays with one entry a group, nan where a Spread has None."""

    counts: Ints
    means: Floats
    stds: Floats
    mads: Floats
    minima: Floats
    maxima: Floats


def spread_of(values: Floats) -> Spread:
    """The spread of ``values``; nan among them is left out."""
    spreads = spreads_by_group(values, np.zeros(len(values), np.int64), 1)
    numbers = (spreads.means, spreads.stds, spreads.mads, spreads.minima, spreads.maxima)
    return Spread(int(spreads.counts[0]), *(_known(array[0]) for array in numbers))


def spreads_by_group(values: Floats, of: Ints, groups: int) -> Spreads:
    """The spread of ``values`` by group, where ``of`` numbers each value's group; -1 and nan are left out."""
    known = (of >= 0) & ~np.isnan(values)
    values, of = values[known], of[known]
    counts = np.bincount(of, minlength=groups)
    minima, maxima = np.full(groups, np.inf), np.full(groups, -np.inf)
    np.minimum.at(minima, of, values)
    np.maximum.at(maxima, of, values)
    with np.errstate(divide="ignore", invalid="ignore"):
        means = np.bincount(of, values, minlength=groups) / counts
        # The mean of equal values may differ from them in the last bit, and they have no spread.
        means = np.where(minima == maxima, minima, means)
        away = values - means[of]
        stds = np.sqrt(np.bincount(of, away * away, minlength=groups) / (counts - 1))
        mads = np.bincount(of, np.abs(away), minlength=groups) / counts
    nothing = counts == 0
    means, mads, minima, maxima = (
        np.where(nothing, np.nan, array) for array in (means, mads, minima, maxima)
    )
    return Spreads(counts, means, np.where(counts < 2, np.nan, stds), mads, minima, maxima)


def _known(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
