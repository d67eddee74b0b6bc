"""A pivot: measures by groups of episodes, each cell with the episodes behind it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from collector.metrics.breakdowns.dimensions import Dimension
from collector.metrics.breakdowns.grouping import Groups, group_by
from collector.metrics.episode_columns import EpisodeColumns, Ints
from collector.metrics.measure import Measure, MeasureColumn
from collector.metrics.report_cell import ReportCell


@dataclass(frozen=True)
class Pivot:
    """Rows are groups, columns are measures."""

    table: EpisodeColumns
    groups: Groups
    measures: tuple[Measure, ...]
    columns: tuple[MeasureColumn, ...]
    episodes: Ints
    """Selected episodes of each row, whatever a measure counts of them."""
    faults: Ints
    """Episodes of each row that a fault of the infrastructure ended."""

    def cell(self, row: int, column: int) -> ReportCell:
        """The number of a row and a measure, with its episodes; a measure that is no rate has no positive."""
        values, members = self.columns[column], self.groups.members
        return ReportCell(
            _known(values.values[row]),
            int(values.counts[row]),
            None if values.hits is None else int(values.hits[row]),
            None if values.low is None else _known(values.low[row]),
            None if values.high is None else _known(values.high[row]),
            members(row, values.behind),
            np.empty(0, np.int64) if values.positive is None else members(row, values.positive),
            values.note,
        )


def pivot(table: EpisodeColumns, rows: Sequence[Dimension], measures: Sequence[Measure]) -> Pivot:
    """Compute ``measures`` for the groups of the selected episodes by ``rows``."""
    groups = group_by(table, rows)
    columns = tuple(measure.compute(table, groups) for measure in measures)
    everything = np.ones(len(table), bool)
    return Pivot(
        table, groups, tuple(measures), columns, groups.count(everything), groups.count(table.faults)
    )


def _known(value: float) -> float | None:
    return None if math.isnan(value) else float(value)
