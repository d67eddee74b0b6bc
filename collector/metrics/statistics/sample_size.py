"""How many episodes or pairs would do for a number that one can trust."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from collector.metrics.statistics.intervals import Z_95, wilson_intervals

ENOUGH_HALF_WIDTH = 0.10
"""A rate is known well enough when its 95 % interval reaches at most 10 points to either side."""
_POWER_80 = 0.8416212335729143
"""The 80 % quantile of the normal distribution."""
_FEWEST_DISCORDANT = 6
"""Under 6 pairs that differ, no outcome of the exact test has p < 0.05."""
_MOST = 10_000_000


def half_width(hits: int, count: int) -> float:
    """Half the width of Wilson's 95 % interval of a rate, 0 to 0.5."""
    low, high = wilson_intervals(np.array([hits]), np.array([count]))
    return float(high[0] - low[0]) / 2


def episodes_for_rate(hits: int, count: int, wanted: float = ENOUGH_HALF_WIDTH) -> int:
    """The smallest number of episodes whose interval reaches ``wanted`` to either side, at the same rate."""
    share = hits / count

    def width(number: int) -> float:
        weight = Z_95 * Z_95 / number
        return Z_95 / (1 + weight) * math.sqrt(share * (1 - share) / number + weight / (4 * number))

    return _smallest(lambda number: width(number) <= wanted)


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


def _smallest(holds: Callable[[int], bool]) -> int:
    """The smallest number from 1 on for which ``holds``, which stays true once it is."""
    low, high = 0, 1
    while not holds(high) and high < _MOST:
        low, high = high, high * 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high
