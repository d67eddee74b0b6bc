"""Success without and with an anomaly, and D-GARA's robust success rate over pairs of episodes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from collector.metrics.breakdowns.grouping import Groups
from collector.metrics.episode_columns import EpisodeColumns, Mask
from collector.metrics.measure import Counting, Measure, MeasureColumn, Unit, mean, rate
from collector.metrics.pairs import pair_notes, paired, with_baseline_success
from collector.metrics.statistics.bootstrap import intervals_of_means
from collector.model.i18n import N_, paragraph


def _without(table: EpisodeColumns, groups: Groups) -> MeasureColumn:
    return rate(table, groups, table.counted & table.baselines, table.is_success)


def _with(table: EpisodeColumns, groups: Groups) -> MeasureColumn:
    return rate(table, groups, table.counted & table.interrupted, table.is_success)


def _with_met(table: EpisodeColumns, groups: Groups) -> MeasureColumn:
    return rate(table, groups, table.counted & table.met, table.is_success)


def _met_rate(table: EpisodeColumns, groups: Groups) -> MeasureColumn:
    return rate(table, groups, table.counted & table.interrupted, table.met)


def _robust(table: EpisodeColumns, groups: Groups) -> MeasureColumn:
    return _robust_among(table, groups, with_baseline_success(table))


def _robust_met(table: EpisodeColumns, groups: Groups) -> MeasureColumn:
    return _robust_among(table, groups, with_baseline_success(table) & table.met)


def _robust_among(table: EpisodeColumns, groups: Groups, behind: Mask) -> MeasureColumn:
    note = paragraph(*pair_notes(table))
    return rate(table, groups, behind, table.is_success, note=note, counting=Counting.PAIRS)


def _difference(table: EpisodeColumns, groups: Groups) -> MeasureColumn:
    success = table.is_success.astype(np.float64)
    baselines, has_baseline = paired(table)
    change = np.where(has_baseline, success - success[baselines], np.nan)
    note = paragraph(*pair_notes(table))
    column = mean(table, groups, has_baseline, change, note=note, counting=Counting.PAIRS)
    behind = np.flatnonzero(column.behind & (groups.of >= 0))
    low, high = intervals_of_means(
        change[behind], table.column("task")[behind], groups.of[behind], len(groups)
    )
    return replace(column, low=low, high=high)


SR_WITHOUT = Measure(
    "sr-none", N_("SR without anomaly"), Unit.PERCENT,
    N_("Successful episodes divided by all judged episodes, of those without an anomaly."),
    _without, "D-GARA, Table 1",
)  # fmt: skip
SR_WITH = Measure(
    "sr-anomaly", N_("SR with anomaly"), Unit.PERCENT,
    N_("Successful episodes divided by all judged episodes, of those whose condition has an anomaly."),
    _with, "D-GARA, Table 1",
)  # fmt: skip
SR_MET = Measure(
    "sr-met", N_("SR, met only"), Unit.PERCENT,
    N_("Successful episodes divided by all judged episodes, of those in which the anomaly really appeared."),
    _with_met,
)  # fmt: skip
MET_RATE = Measure(
    "met", N_("Met"), Unit.PERCENT,
    N_("Of the judged episodes with an anomaly, the share in which the anomaly really appeared."),
    _met_rate,
)  # fmt: skip
ROBUST_SUCCESS = Measure(
    "rsr", N_("RSR"), Unit.PERCENT,
    N_("Pairs in which both episodes succeed divided by the pairs whose baseline succeeds. A pair is an "
       "episode with an anomaly and its baseline without one."),
    _robust, "D-GARA, Tables 1 and 2",
)  # fmt: skip
ROBUST_MET = Measure(
    "rsr-met", N_("RSR, met only"), Unit.PERCENT,
    N_("As RSR, but only of pairs in which the anomaly really appeared."),
    _robust_met,
)  # fmt: skip
DIFFERENCE = Measure(
    "difference", N_("vs baseline"), Unit.PERCENT,
    N_("SR of the episodes with an anomaly minus SR of their baselines, over pairs of both."),
    _difference,
)  # fmt: skip
ROBUSTNESS = (SR_WITHOUT, SR_WITH, SR_MET, MET_RATE, ROBUST_SUCCESS, ROBUST_MET, DIFFERENCE)
