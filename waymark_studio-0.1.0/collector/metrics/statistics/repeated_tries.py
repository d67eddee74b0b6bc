"""pass@k and pass^k of tasks tried several times, by their unbiased estimators.

pass@k: at least one of k tries succeeds (Chen and others 2021). pass^k: all k tries succeed (tau-bench, Yao
and others 2024). Both are exact means over all choices of k among the tries made.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


def pass_at_k(successes: Ints, tries: Ints, k: int) -> Floats:
    """By task, the chance that at least one of ``k`` tries succeeds; nan with fewer tries than ``k``.

    Raises ValueError when ``k`` is under 1.
    """
    return 1 - _all_from(tries - successes, tries, k)


def pass_hat_k(successes: Ints, tries: Ints, k: int) -> Floats:
    """By task, the chance that all of ``k`` tries succeed (pass^k); nan with fewer tries than ``k``.

    Raises ValueError when ``k`` is under 1.
    """
    return _all_from(successes, tries, k)


def _all_from(chosen: Ints, tries: Ints, k: int) -> Floats:
    """C(chosen, k) / C(tries, k): the chance that k different tries are all among ``chosen``."""
    if k < 1:
        raise ValueError(f"k is {k}; it must be 1 or more")
    chance = np.ones(np.shape(tries), np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        for drawn in range(k):
            chance *= np.maximum(chosen - drawn, 0) / (tries - drawn)
    return np.where(tries >= k, chance, np.nan)
