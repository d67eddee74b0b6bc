"""Success, failure and uncompleted episodes, and those that no rate counts."""

from __future__ import annotations

from collector.metrics.episode_columns import EpisodeColumns
from collector.metrics.grouping import Groups
from collector.metrics.measure import Measure, MeasureColumn, Unit, rate
from collector.model.i18n import N_


def _success(table: EpisodeColumns, groups: Groups) -> MeasureColumn:
    return rate(table, groups, table.counted, table.is_success)


def _uncompleted_of_failed(table: EpisodeColumns, groups: Groups) -> MeasureColumn:
    return rate(table, groups, table.counted & ~table.is_success, table.is_uncompleted)


def _early_of_uncompleted(table: EpisodeColumns, groups: Groups) -> MeasureColumn:
    return rate(table, groups, table.is_uncompleted, table.column("is_early_stop") == 1)


SUCCESS_RATE = Measure(
    "sr", N_("SR"), Unit.PERCENT,
    N_("Successful episodes divided by all judged episodes. Faults of the machine are left out."),
    _success, "D-GARA, ProBench, A3",
)  # fmt: skip
UNCOMPLETED = Measure(
    "uncompleted", N_("Uncompleted"), Unit.PERCENT,
    N_("Of the episodes without success, the share that ended without a completion signal."),
    _uncompleted_of_failed, "ProBench, Table 4", higher_is_better=None,
)  # fmt: skip
EARLY_STOP = Measure(
    "early-stop", N_("Early stop"), Unit.PERCENT,
    N_("Of the uncompleted episodes, the share that was stopped early, after identical actions."),
    _early_of_uncompleted, "ProBench, Table 4", higher_is_better=False,
)  # fmt: skip
OUTCOMES = (SUCCESS_RATE, UNCOMPLETED, EARLY_STOP)
