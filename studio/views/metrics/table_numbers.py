"""The numbers of a table for the side panel, each with exactly its episodes."""

from __future__ import annotations

import numpy as np

from collector.metrics.measure import Counting, Unit
from collector.metrics.pivot import Pivot
from collector.metrics.report_cell import ReportCell
from collector.metrics.value_text import counting_text, dimension_value_text
from collector.model.i18n import _
from studio.views.metrics.report_layout import number_text
from studio.views.metrics.session import MetricsTable, ShownNumber

_UNITS = {Unit.PERCENT: " %", Unit.SECONDS: " s"}


def number_of_table(table: MetricsTable, row: int, number: int) -> ShownNumber:
    """A number of a row: of a column of the report; after these, all its episodes, then its faults."""
    line, values = table.report.rows[row], row_values(table, row)
    words = [dimension_value_text(name, value) for name, value in values.items()]
    detail = ", ".join(words or [label for label in line.labels if label])
    if number >= len(table.report.columns) and table.pivot is not None:
        return _episodes_of_row(table.pivot, row, detail, faults=number > len(table.report.columns))
    column, cell = table.report.columns[number], line.cells[number]
    title = ": ".join(filter(None, (column.group, column.title)))
    unit = _UNITS.get(column.unit, "") if cell.value is not None else ""
    return ShownNumber(
        f"{title} {number_text(cell, column.unit)}{unit}", detail, cell, column.unit,
        cell.how or column.how, cell.counting or column.counting, values,
    )  # fmt: skip


def row_values(table: MetricsTable, row: int) -> dict[str, str]:
    """Dimension -> value of a row of a pivot; empty for a paper's table."""
    if table.pivot is None:
        return {}
    groups = table.pivot.groups
    return {item.id: label for item, label in zip(groups.dimensions, groups.labels[row], strict=True)}


def _episodes_of_row(pivot: Pivot, row: int, detail: str, *, faults: bool) -> ShownNumber:
    """All selected episodes of a row, or those of them that a fault of the machine ended."""
    among = pivot.table.selected & pivot.table.faults if faults else pivot.table.selected
    episodes = pivot.groups.members(row, among)
    how = _("All selected episodes of the row. Those that no number counts are among them.")
    if faults:
        how = _("A fault of the machine ended these episodes. They are in no denominator.")
    cell = ReportCell(float(len(episodes)), len(episodes), behind=episodes, positive=np.empty(0, np.int64))
    return ShownNumber(counting_text(Counting.EPISODES, len(episodes)), detail, cell, Unit.COUNT, how)
