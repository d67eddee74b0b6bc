"""Reliability: the success of each agent under each variation, its spread between runs and variations."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from collector.metrics.breakdowns.dimensions import DIMENSIONS, Dimension
from collector.metrics.breakdowns.grouping import Groups, group_by
from collector.metrics.episode_columns import EpisodeColumns, Ints
from collector.metrics.pairs import combined
from collector.metrics.statistics.intervals import wilson_intervals
from collector.metrics.statistics.spread import Spread, spread_of


@dataclass(frozen=True)
class ReliabilityPoint:
    """The success rate of a series at one place. Rates are 0 to 1."""

    label: str
    rate: float
    count: int
    hits: int
    low: float
    """Lower end of Wilson's 95 % interval."""
    high: float
    runs: Spread
    """The spread of the rates of its runs: the same tasks with one seed and one repeat each."""
    behind: Ints
    """Indexes of the episodes counted."""
    positive: Ints
    """Those of them that succeeded."""
    tasks: int


@dataclass(frozen=True)
class ReliabilitySeries:
    """A series of points, such as an agent."""

    name: str
    points: tuple[ReliabilityPoint, ...]
    """In the order of ``Reliability.labels``; places without an episode are left out."""
    spread: Spread
    """The spread of the rates of its points."""


@dataclass(frozen=True)
class Reliability:
    """What the reliability plot and the table of spread below it show."""

    table: EpisodeColumns
    across: Dimension
    of: Dimension
    labels: tuple[str, ...]
    """Values of ``across`` in their order: the places along the plot."""
    series: tuple[ReliabilitySeries, ...]


def reliability(table: EpisodeColumns, across: Dimension) -> Reliability:
    """Success of the selected, counted episodes by agent and ``across``."""
    of = DIMENSIONS["agent"]
    counted = table.where(table.selected & table.counted)
    groups = group_by(counted, (of, across))
    labels = tuple(label for (label,) in group_by(counted, (across,)).labels)
    points: dict[str, list[ReliabilityPoint]] = {}
    for group, (name, label) in enumerate(groups.labels):
        points.setdefault(name, []).append(_point(counted, groups, group, label))
    series = tuple(
        ReliabilitySeries(name, tuple(own), spread_of(np.array([point.rate for point in own])))
        for name, own in points.items()
    )
    return Reliability(table, across, of, labels, series)


def _point(table: EpisodeColumns, groups: Groups, group: int, label: str) -> ReliabilityPoint:
    behind = groups.members(group, table.selected)
    succeeds = table.is_success[behind]
    hits, count = int(np.count_nonzero(succeeds)), len(behind)
    low, high = wilson_intervals(np.array([hits]), np.array([count]))
    runs = table.derived("runs", lambda: combined(table, ("seed", "repeat")))[behind]
    _present, of_run = np.unique(runs, return_inverse=True)
    rates = np.bincount(of_run, succeeds) / np.bincount(of_run)
    return ReliabilityPoint(
        label, hits / count, count, hits, float(low[0]), float(high[0]), spread_of(rates), behind,
        behind[succeeds], len(np.unique(table.column("task")[behind])),
    )  # fmt: skip
