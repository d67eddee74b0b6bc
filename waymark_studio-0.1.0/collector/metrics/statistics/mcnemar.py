"""McNemar's exact test for pairs (McNemar 1947): only pairs whose outcomes differ say anything."""

from __future__ import annotations

import math

import numpy as np


def exact_mcnemar(only_first: int, only_second: int) -> float:
    """The two-sided p value of ``only_first`` against ``only_second`` pairs; 1 without such a pair.

    Twice the smaller tail of the binomial distribution with chance 1/2, at most 1.
    """
    pairs, fewer = only_first + only_second, min(only_first, only_second)
    if pairs == 0 or 2 * fewer >= pairs:
        return 1.0
    # Logarithms of the binomial coefficients, each from the one before, so that no power of 2 underflows.
    steps = np.arange(1, fewer + 1, dtype=np.float64)
    logs = np.concatenate(([0.0], np.cumsum(np.log(pairs - steps + 1) - np.log(steps))))
    top = float(logs.max())
    tail = math.log(float(np.exp(logs - top).sum())) + top - pairs * math.log(2)
    return min(1.0, 2 * math.exp(tail))
