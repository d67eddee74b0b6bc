"""Success, failure and uncompleted episodes, and those that no rate counts."""

from __future__ import annotations

from collector.metrics.breakdowns.grouping import Groups
from collector.metrics.episode_columns import EpisodeColumns
from collector.metrics.measure import Measure, MeasureColumn, Unit, rate
from collector.model.i18n import N_


def _success(table: EpisodeColumns, groups: Groups) -> MeasureColumn:
    return rate(table, groups, table.counted, table.is_success)


def _failure(table: EpisodeColumns, groups: Groups) -> MeasureColumn:
    return rate(table, groups, table.counted, table.is_failure)


def _uncompleted(table: EpisodeColumns, groups: Groups) -> MeasureColumn:
    return rate(table, groups, table.counted, table.is_uncompleted)


def _uncompleted_of_failed(table: EpisodeColumns, groups: Groups) -> MeasureColumn:
    return rate(table, groups, table.counted & ~table.is_success, table.is_uncompleted)


def _early_of_uncompleted(table: EpisodeColumns, groups: Groups) -> MeasureColumn:
    return rate(table, groups, table.is_uncompleted, table.column("is_early_stop") == 1)


SUCCESS_RATE = Measure(
    "sr", N_("SR"), Unit.PERCENT,
    N_("Successful episodes divided by all judged episodes. Faults of the machine are left out."),
    _success, "D-GARA, ProBench, A3",
)  # fmt: skip
FAILURE_RATE = Measure(
    "failure", N_("Failure"), Unit.PERCENT,
    N_("Episodes that failed divided by all judged episodes. Uncompleted episodes are not among the failed."),
    _failure, "ProBench",
)  # fmt: skip
UNCOMPLETED_RATE = Measure(
    "uncompleted-rate", N_("Uncompleted, of all"), Unit.PERCENT,
    N_("Episodes that ended without a completion signal divided by all judged episodes."),
    _uncompleted, "ProBench",
)  # fmt: skip
UNCOMPLETED = Measure(
    "uncompleted", N_("Uncompleted"), Unit.PERCENT,
    N_("Of the episodes without success, the share that ended without a completion signal."),
    _uncompleted_of_failed, "ProBench, Table 4",
)  # fmt: skip
EARLY_STOP = Measure(
    "early-stop", N_("Early stop"), Unit.PERCENT,
    N_("Of the uncompleted episodes, the share that was stopped early, after identical actions."),
    _early_of_uncompleted, "ProBench, Table 4",
)  # fmt: skip
OUTCOMES = (SUCCESS_RATE, FAILURE_RATE, UNCOMPLETED_RATE, UNCOMPLETED, EARLY_STOP)
