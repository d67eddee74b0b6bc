"""What the heat map draws: the success of episodes by the values of two dimensions, and its words."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from collector.metrics.breakdowns.dimensions import DIMENSIONS
from collector.metrics.breakdowns.grouping import values_of
from collector.metrics.episode_columns import EpisodeColumns
from collector.metrics.measure import Counting
from collector.metrics.measures.outcomes import SUCCESS_RATE
from collector.metrics.pivot import pivot
from collector.metrics.report_cell import ReportCell
from collector.metrics.value_text import counted_text, dimension_value_text
from collector.model.i18n import _
from studio.widgets.metric_plots.heat_cells import HeatCell, HeatSheet

MOST_VALUES = 60
"""So many rows and columns are drawn: more are no picture, and a saved one would not fit into memory."""


@dataclass(frozen=True)
class SuccessByFactors:
    """The success rate of the counted episodes with each two values of two dimensions."""

    rows: str
    columns: str
    """Ids of the dimensions."""
    row_labels: tuple[str, ...]
    column_labels: tuple[str, ...]
    """Their values among the counted episodes, in order."""
    cells: dict[tuple[str, str], ReportCell]
    """By the values of row and column; two without a judged episode have none."""


def success_by_factors(table: EpisodeColumns, rows: str, columns: str) -> SuccessByFactors:
    """Break the success rate of the selected episodes down by two dimensions."""
    counted = table.where(table.selected & table.counted)
    found = pivot(counted, (DIMENSIONS[rows], DIMENSIONS[columns]), (SUCCESS_RATE,))
    cells = {(row, column): found.cell(place, 0) for place, (row, column) in enumerate(found.groups.labels)}
    return SuccessByFactors(rows, columns, _present(counted, rows), _present(counted, columns), cells)


def counted_values(table: EpisodeColumns, dimension: str) -> int:
    """How many values of a dimension the counted episodes have."""
    return len(_present(table.where(table.selected & table.counted), dimension))


def _present(table: EpisodeColumns, dimension: str) -> tuple[str, ...]:
    labels, codes = values_of(table, DIMENSIONS[dimension])
    return tuple(labels[code] for code in np.unique(codes[table.selected]).tolist())


def heat_sheet_of(found: SuccessByFactors) -> HeatSheet:
    """The cells in words, of as many rows and columns as are drawn."""
    rows, columns = found.row_labels[:MOST_VALUES], found.column_labels[:MOST_VALUES]
    return HeatSheet(
        tuple(dimension_value_text(found.rows, label) for label in rows),
        tuple(dimension_value_text(found.columns, label) for label in columns),
        tuple(tuple(_cell(found, row, column) for column in columns) for row in rows),
    )


def heat_note_of(found: SuccessByFactors) -> str:
    """What the cells are, in words."""
    words = _("SR and episodes")
    counts = (len(found.row_labels), len(found.column_labels))
    if max(counts) <= MOST_VALUES:
        return words
    shown = " x ".join(str(min(count, MOST_VALUES)) for count in counts)
    return _(
        "{words}; {shown} of {count} drawn", words=words, shown=shown, count=" x ".join(map(str, counts))
    )


def heat_place_text(found: SuccessByFactors, row: str, column: str) -> str:
    """The values of a cell in words, as in "careful, dark_theme"."""
    pair = dimension_value_text(found.rows, row), dimension_value_text(found.columns, column)
    return _("{name}, {place}", name=pair[0], place=pair[1])


def _cell(found: SuccessByFactors, row: str, column: str) -> HeatCell:
    place, number = heat_place_text(found, row, column), found.cells.get((row, column))
    if number is None or number.value is None:
        tip = _("{place}: no episodes", place=place)
        return HeatCell(None, _("no episodes"), "", tip)
    rate = 100 * number.value
    tip = _("{place}: {rate} %, {counted}", place=place, rate=f"{rate:.1f}",
            counted=counted_text(number, Counting.EPISODES))  # fmt: skip
    if number.low is not None and number.high is not None:
        tip += "\n" + _(
            "95 % interval {low} to {high}", low=f"{100 * number.low:.1f}", high=f"{100 * number.high:.1f}"
        )
    return HeatCell(rate, f"{rate:.1f}", f"{number.hits}/{number.count}", tip)
