"""Reliability as OpenApps means it: how far rewards lie apart within a variation of the app, and across them.

The reward of an episode is 1 for success, else 0. A run of a variation is all its episodes with the same seed
and repeat. Both spreads are of success rates over the same tasks, so they can be compared.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from collector.metrics.breakdowns.grouping import Groups
from collector.metrics.episode_columns import EpisodeColumns, Floats, Ints, Mask
from collector.metrics.group_splits import GroupSplits, split_groups
from collector.metrics.measure import Counting, Measure, MeasureColumn, Unit, shares
from collector.metrics.pairs import combined
from collector.metrics.statistics.relative_risk import relative_risk
from collector.metrics.statistics.spread import spreads_by_group
from collector.model.i18n import N_
from collector.model.variation.phone_variation import DEFAULT

RUN = ("variation", "seed", "repeat")
_SHARED = (
    "task", "agent", "model", "prompt", "condition", "buttons", "modality", "language", "goal_style", "start",
)  # fmt: skip
"""What an episode under a variation and those without one have in common."""


def _across(table: EpisodeColumns, groups: Groups, *, name: str) -> MeasureColumn:
    variations = split_groups(table, groups, ("variation",))
    spreads = spreads_by_group(variations.rates, variations.group, len(groups))
    values: Floats = getattr(spreads, name)
    # One variation alone has no spread, also where its deviation from itself is 0.
    return _column(variations, np.where(spreads.counts > 1, values, np.nan), spreads.counts)


def _ratio(table: EpisodeColumns, groups: Groups) -> MeasureColumn:
    across, within = _across(table, groups, name="stds"), _within(table, groups, name="stds")
    with np.errstate(divide="ignore", invalid="ignore"):
        values = across.values / within.values  # infinite where runs of a variation never differ
    counts = np.where(np.isnan(values), 0, across.counts)
    return replace(across, values=values, counts=counts)


def _range(table: EpisodeColumns, groups: Groups) -> MeasureColumn:
    highest, lowest = _across(table, groups, name="maxima"), _across(table, groups, name="minima")
    return replace(highest, values=highest.values - lowest.values)


def _risk(table: EpisodeColumns, groups: Groups) -> MeasureColumn:
    """Failing under a variation against failing without one, of the same agent at the same task."""
    behind = table.counted & table.selected & is_varied(table) & (groups.of >= 0)
    failed = behind & ~table.is_success
    others, other_hits = _without_variation(table, groups, behind)
    numbers = (groups.count(failed), groups.count(behind), other_hits, others)
    risks = [relative_risk(*map(int, each)) for each in zip(*numbers, strict=True)]
    low, high = _numbers([risk.low for risk in risks]), _numbers([risk.high for risk in risks])
    values = _numbers([risk.value for risk in risks])
    return MeasureColumn(values, groups.count(behind), behind, positive=failed, low=low, high=high)


def _without_variation(table: EpisodeColumns, groups: Groups, behind: Mask) -> tuple[Ints, Ints]:
    """Of each group how many episodes without a variation stand beside those ``behind``, and how many of
    these fail. They are looked for among all episodes, whatever is selected."""
    units = table.derived("units but for the variation", lambda: combined(table, _SHARED))
    count = int(units.max(initial=-1)) + 1
    plain = table.counted & ~is_varied(table)
    episodes = np.bincount(units[plain], minlength=count)
    failures = np.bincount(units[plain & ~table.is_success], minlength=count)
    group, unit = np.divmod(np.unique(groups.of[behind] * max(1, count) + units[behind]), max(1, count))
    sums = (np.bincount(group, each[unit], minlength=len(groups)) for each in (episodes, failures))
    others, other_hits = (each.astype(np.int64) for each in sums)
    return others, other_hits


def _numbers(values: list[float | None]) -> Floats:
    return np.array([np.nan if value is None else value for value in values], np.float64)


def is_varied(table: EpisodeColumns) -> Mask:
    """Episodes whose phone is not as it is by default."""
    variation = table.column("variation")
    return table.derived(
        "is varied", lambda: (variation != table.code("")) & (variation != table.code(DEFAULT))
    )


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
    Measure(
        "spread-ratio", N_("Across / within"), Unit.RATIO,
        N_("Std across divided by Std within: how many times as far success lies apart between variations "
           "as between runs of the same variation."),
        _ratio, "OpenApps",
    ),
    Measure(
        "across-range", N_("Range"), Unit.PERCENT,
        N_("Highest success rate of a variation minus the lowest."), _range, "OpenApps",
    ),
    _spread("across-min", N_("Min"), across="minima", how=N_("Lowest success rate of a variation.")),
    _spread("across-max", N_("Max"), across="maxima", how=N_("Highest success rate of a variation.")),
)  # fmt: skip
"""Spreads, as a paper's table has them side by side."""
VARIATION_RISK = Measure(
    "variation-risk", N_("Risk under variation"), Unit.RATIO,
    N_("How many times as likely an episode under a variation is to end without success as an episode of the "
       "same agent at the same task, under the same condition, without a variation."),
    _risk, "OpenApps",
)  # fmt: skip
