"""The interaction of two factors: by how much both together do more than each alone.

With the rates of neither, the first, the second and both it is ``(both - second) - (first - neither)``.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from collector.metrics.statistics.bootstrap import Floats, bootstrap_interval, ratio


@dataclass(frozen=True, slots=True)
class Interaction:
    """A difference of differences of rates, -2 to 2; None where a rate is unknown."""

    value: float | None
    low: float | None = None
    """Lower end of the 95 % interval, from a bootstrap by cluster; None under two clusters."""
    high: float | None = None


def interaction(sums: Floats) -> Interaction:
    """The interaction of hits and counts: a row a cluster, such as a task, with eight columns.

    Hits and count of neither, then those of the first alone, of the second alone, and of both.
    """
    (value,) = difference_of_differences(sums.sum(axis=0, keepdims=True)) if len(sums) else [np.nan]
    if np.isnan(value):
        return Interaction(None)
    low, high = bootstrap_interval(sums, difference_of_differences) or (None, None)
    return Interaction(float(value), low, high)


def difference_of_differences(sums: Floats) -> Floats:
    """Of each row of such sums the interaction; nan where one of the counts is 0."""
    neither, first, second, both = (ratio(sums[:, at : at + 2]) for at in range(0, 8, 2))
    return (both - second) - (first - neither)
