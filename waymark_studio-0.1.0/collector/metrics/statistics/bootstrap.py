"""Bootstrap by cluster: episodes of a task depend on each other, so whole tasks are drawn (Efron 1979)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

RESAMPLES = 2_000
SEED = 20_260_101
"""Fixed, so that equal data give equal intervals."""
MOST_GROUPS = 100
"""More groups of a table than these have no intervals of their means."""
_ROWS_AT_ONCE = 4_000_000
"""Counts drawn in one piece, 32 MB, so that memory does not grow with the number of clusters."""

Floats = NDArray[np.float64]
Interval = tuple[float, float]


def bootstrap_interval(
    sums: Floats,
    statistic: Callable[[Floats], Floats],
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> Interval | None:
    """The 95 % percentile interval of a statistic of sums, when clusters are drawn with replacement.

    ``sums`` has a row a cluster and a column a sum; ``statistic`` takes rows of summed columns and gives one
    number a row, nan where it is undefined. None where clusters have nothing to tell of their spread: under
    two clusters, and when every draw gives the same number.
    """
    if len(sums) < 2:
        return None
    # Clusters with the same sums are interchangeable: how often each kind is drawn is multinomial, which
    # is exact and needs no draw a cluster.
    kinds, counts = np.unique(sums, axis=0, return_counts=True)
    order = np.argsort(-counts, kind="stable")
    kinds, chances = kinds[order], counts[order] / len(sums)
    generator = np.random.default_rng(seed)
    rows = max(1, min(resamples, _ROWS_AT_ONCE // len(kinds)))
    values = np.concatenate(
        [
            statistic(generator.multinomial(len(sums), chances, min(rows, resamples - start)) @ kinds)
            for start in range(0, resamples, rows)
        ]
    )
    values = values[~np.isnan(values)]
    if not len(values):
        return None
    low, high = np.quantile(values, (0.025, 0.975))
    # Draws of equal clusters differ in the last bit at most.
    return None if np.ptp(values) < 1e-12 else (float(low), float(high))


def intervals_of_means(
    amounts: Floats, clusters: NDArray[np.int64], groups: NDArray[np.int64], count: int
) -> tuple[Floats, Floats]:
    """Lower and upper ends of the intervals of the means of ``amounts`` in each of ``count`` groups.

    nan for a group without an interval, and for all groups where they are more than a table is read of:
    a bootstrap of each of ten thousand rows takes seconds.
    """
    ends = np.full((count, 2), np.nan)
    order = np.argsort(groups, kind="stable")
    starts = np.searchsorted(groups[order], np.arange(count + 1))
    for group in range(count if count <= MOST_GROUPS else 0):
        own = order[starts[group] : starts[group + 1]]
        sums = sums_by_cluster(clusters[own], amounts[own], np.ones(len(own)))
        interval = bootstrap_interval(sums, ratio)
        if interval is not None:
            ends[group] = interval
    return ends[:, 0], ends[:, 1]


def ratio(sums: Floats) -> Floats:
    """The first column divided by the second; nan where that is 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(sums[:, 1] > 0, sums[:, 0] / sums[:, 1], np.nan)


def difference_of_ratios(sums: Floats) -> Floats:
    """Columns: hits and count of the first, hits and count of the second. The second share less the first."""
    return ratio(sums[:, 2:]) - ratio(sums[:, :2])


def sums_by_cluster(clusters: NDArray[np.int64], *columns: NDArray[np.int64] | Floats) -> Floats:
    """The sums of ``columns`` by cluster; one row a cluster that is present."""
    present, of = np.unique(clusters, return_inverse=True)
    return np.column_stack([np.bincount(of, column, minlength=len(present)) for column in columns])
