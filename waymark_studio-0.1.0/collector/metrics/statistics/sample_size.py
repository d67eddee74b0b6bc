"""How many episodes or pairs would do for a number that one can trust."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from collector.metrics.statistics.intervals import Z_95, wilson_intervals

ENOUGH_HALF_WIDTH = 0.10
"""A rate is known well enough when its 95 % interval reaches at most 10 points to either side."""
_POWER_80 = 0.8416212335729143
"""The 80 % quantile of the normal distribution."""
_FEWEST_DISCORDANT = 6
"""Under 6 pairs that differ, no outcome of the exact test has p < 0.05."""
_ROUNDING = 1e-9

Ints = NDArray[np.int64]


def episodes_for_rates(hits: Ints, counts: Ints) -> Ints:
    """The smallest numbers of episodes whose rates are known well enough; counts are over 0.

    Each at the rate of the present interval that needs most of them, the closest to one half: a small sample
    does not know its rate well.
    """
    low, high = wilson_intervals(hits, counts)
    share = np.minimum(np.maximum(0.5, low), high)
    # Wilson's half width is small enough where this quadratic in z squared / n is at most 0.
    square = ENOUGH_HALF_WIDTH * ENOUGH_HALF_WIDTH
    most = 0.25 - square
    linear = share * (1 - share) - 2 * square
    weight = (np.sqrt(linear * linear + 4 * most * square) - linear) / (2 * most)
    enough: Ints = np.ceil(Z_95 * Z_95 / weight - _ROUNDING).astype(np.int64)
    return enough


def pairs_for_difference(only_first: int, only_second: int, pairs: int) -> int | None:
    """Pairs with which McNemar's test would see the observed difference at p < 0.05 four times in five.

    Connor 1987, at the observed shares of pairs that differ. None where there is no difference to see.
    """
    difference = abs(only_first - only_second) / pairs if pairs else 0.0
    if not difference:
        return None
    discordant = (only_first + only_second) / pairs
    root = Z_95 * math.sqrt(discordant) + _POWER_80 * math.sqrt(discordant - difference * difference)
    return max(math.ceil(root * root / (difference * difference)), math.ceil(_FEWEST_DISCORDANT / discordant))
