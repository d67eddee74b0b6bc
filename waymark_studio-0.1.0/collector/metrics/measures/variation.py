"""Reliability as OpenApps means it: how far rewards lie apart within a variation of the app, and across them.

The reward of an episode is 1 for success, else 0. A run of a variation is all its episodes with the same seed
and repeat. Both spreads are of success rates over the same tasks, so they can be compared.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from collector.metrics.episode_columns import EpisodeColumns, Floats, Ints
from collector.metrics.group_splits import GroupSplits, split_groups
from collector.metrics.grouping import Groups
from collector.metrics.measure import Counting, Measure, MeasureColumn, Unit, shares
from collector.metrics.statistics.spread import spreads_by_group
from collector.model.i18n import N_

RUN = ("variation", "seed", "repeat")


def _across(table: EpisodeColumns, groups: Groups, *, name: str) -> MeasureColumn:
    variations = split_groups(table, groups, ("variation",))
    spreads = spreads_by_group(variations.rates, variations.group, len(groups))
    values: Floats = getattr(spreads, name)
    # One variation alone has no spread, also where its deviation from itself is 0.
    return _column(variations, np.where(spreads.counts > 1, values, np.nan), spreads.counts)


def _within(table: EpisodeColumns, groups: Groups, *, name: str) -> MeasureColumn:
    variations, runs = split_groups(table, groups, ("variation",)), split_groups(table, groups, RUN)
    variation_of_run = np.zeros(len(runs.group), np.int64)
    variation_of_run[runs.of[runs.of >= 0]] = variations.of[runs.of >= 0]
    spreads = spreads_by_group(runs.rates, variation_of_run, len(variations.group))
    values: Floats = getattr(spreads, name)
    repeated = spreads.counts > 1
    counts = np.bincount(variations.group[repeated], minlength=len(groups))
    sums = np.bincount(variations.group[repeated], values[repeated], minlength=len(groups))
    return _column(variations, shares(sums, counts), counts)


def _column(variations: GroupSplits, values: Floats, counts: Ints) -> MeasureColumn:
    return MeasureColumn(values, counts, variations.of >= 0, Counting.VARIATIONS)


def _spread(id: str, title: str, how: str, *, across: str = "", within: str = "") -> Measure:  # noqa: A002 - as the field is called
    compute = partial(_across, name=across) if across else partial(_within, name=within)
    return Measure(id, title, Unit.PERCENT, how, compute, "OpenApps")


VARIATION = (
    _spread(
        "within-std", N_("Std within"), within="stds",
        how=N_("Standard deviation of the success rates of the runs of a variation, on average over the "
               "variations. A run is all episodes with the same seed and repeat."),
    ),
    _spread(
        "within-mad", N_("MAD within"), within="mads",
        how=N_("Mean absolute deviation of the success rates of the runs of a variation, on average over the "
               "variations. A run is all episodes with the same seed and repeat."),
    ),
    _spread(
        "across-std", N_("Std across"), across="stds",
        how=N_("Standard deviation of the success rates of the variations."),
    ),
    _spread(
        "across-mad", N_("MAD across"), across="mads",
        how=N_("Mean absolute deviation of the success rates of the variations."),
    ),
    _spread("across-min", N_("Min"), across="minima", how=N_("Lowest success rate of a variation.")),
    _spread("across-max", N_("Max"), across="maxima", how=N_("Highest success rate of a variation.")),
)  # fmt: skip
