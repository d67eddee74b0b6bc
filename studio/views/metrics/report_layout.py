"""Lays out a report for the table of numbers: labels in words, numbers as texts, intervals to be drawn."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from collector.metrics.baseline_rows import baseline_rows
from collector.metrics.breakdowns.dimensions import DIMENSIONS
from collector.metrics.measure import Unit
from collector.metrics.pivot import Pivot
from collector.metrics.rendering.columns import column_title
from collector.metrics.rendering.number_text import NOTHING, interval_text, value_text
from collector.metrics.report import ReportColumn, ReportTable
from collector.metrics.report_cell import ReportCell
from collector.metrics.value_text import counted_text, dimension_value_text, row_labels
from collector.model.i18n import _
from studio.widgets.number_table.content import ColumnKind, Floats, Ints, NumberColumn, TableContent

MOST_DRAWN = 3
"""Columns of intervals of a pivot; the intervals of other numbers are in their tooltips."""
_DETAILS = {"agent": "modality", "anomaly-category": "condition", "task": "app"}
"""Dimension -> another that is named after its value where all episodes of the row have the same."""


def number_text(cell: ReportCell, unit: Unit) -> str:
    """A number with a true minus sign; a dash where nothing was counted."""
    text = value_text(cell, unit)
    return "–" if text == NOTHING else _with_minus(text)


def interval_words(number: ReportCell, unit: Unit) -> str:
    """The 95 % interval with true minus signs; empty without one."""
    return _with_minus(interval_text(number, unit))


def _with_minus(text: str) -> str:
    return text.replace("-", "−")


def count_sentence(cell: ReportCell, column: ReportColumn) -> str:
    """The number with what was counted and its interval, in one line."""
    counted = counted_text(cell, cell.counting or column.counting) if cell.count else ""
    parts = [f"{column.title} {number_text(cell, column.unit)}", counted]
    if interval := interval_words(cell, column.unit):
        parts.append(_("95 % interval {interval}", interval=interval))
    return ", ".join(filter(None, parts))


def content_of_pivot(result: Pivot, report: ReportTable) -> TableContent:
    """A pivot with the baselines of its rows marked on the intervals."""
    groups = result.groups
    labels = tuple(_label_column(result, place) for place in range(len(groups.dimensions)))
    tip = _("All selected episodes of the row, those that no rate counts included")
    counts = [_count_column(_("Episodes"), tip, result.episodes, len(report.columns))]
    if result.faults.any():
        tip = _("Episodes that a fault of the machine ended; they are in no denominator")
        counts.append(_count_column(_("Faults"), tip, result.faults, len(report.columns) + 1))
    numbers = _number_columns(report, baseline_rows(groups), _drawn(report))
    return TableContent((*labels, *counts, *numbers), len(groups), groups.labels)


def _count_column(title: str, tip: str, counts: Ints, number: int) -> NumberColumn:
    """How many episodes each row has; ``number`` comes after those of the report."""
    texts = tuple(f"{count:,}" for count in counts.tolist())
    return NumberColumn(title, tip=tip, texts=texts, values=counts.astype(np.float64), report_column=number)


def _drawn(report: ReportTable) -> tuple[str, ...]:
    """The first rates that have intervals; a difference may be negative, and has no place from 0 to 100."""
    rates = [
        column.id
        for place, column in enumerate(report.columns)
        if column.unit is Unit.PERCENT and any(_is_rate(row.cells[place]) for row in report.rows)
    ]
    return tuple(rates[:MOST_DRAWN])


def _is_rate(number: ReportCell) -> bool:
    return number.hits is not None and number.low is not None


def content_of_report(report: ReportTable) -> TableContent:
    """A paper's table: no row has a baseline, and no interval is drawn."""
    texts = [row_labels(report, row) for row in report.rows]
    labels = tuple(
        NumberColumn(title, ColumnKind.LABEL, texts=tuple(row[place] for row in texts))
        for place, title in enumerate(report.label_titles)
    )
    keys = tuple(row.labels for row in report.rows)
    return TableContent((*labels, *_number_columns(report, None, ())), len(report.rows), keys)


def _number_columns(report: ReportTable, baselines: Ints | None, drawn: Sequence[str]) -> list[NumberColumn]:
    columns: list[NumberColumn] = []
    is_first = True
    for place, column in enumerate(report.columns):
        cells = [row.cells[place] for row in report.rows]
        is_drawn = column.id in drawn
        values = _floats([cell.value for cell in cells])
        describe = partial(_described, cells, column)
        texts = tuple(number_text(cell, column.unit) for cell in cells)
        columns.append(
            NumberColumn(
                column_title(column), tip=column.how, group=column.group, texts=texts, values=values,
                describe=describe, report_column=place, is_main=is_drawn and is_first,
            )
        )  # fmt: skip
        if is_drawn:
            marks = None if baselines is None or not is_first else _at_rows(values, baselines)
            columns.append(
                NumberColumn(
                    _("95 % interval") if is_first else "", ColumnKind.INTERVAL,
                    tip=_("95 % interval of {number}, from 0 to 100 %", number=column.title),
                    group=column.group,
                    texts=tuple(interval_words(cell, column.unit) for cell in cells), values=values,
                    low=_floats([cell.low for cell in cells]),
                    high=_floats([cell.high for cell in cells]),
                    marks=marks, describe=describe, report_column=place, is_main=is_first,
                )
            )  # fmt: skip
            is_first = False
    return columns


def _described(cells: Sequence[ReportCell], column: ReportColumn, row: int) -> str:
    note = cells[row].note
    return count_sentence(cells[row], column) + (f"\n{note}" if note else "")


def _floats(values: Sequence[float | None]) -> Floats:
    return np.array([np.nan if value is None else value for value in values], np.float64)


def _at_rows(values: Floats, rows: Ints) -> Floats:
    if not len(rows):
        return values
    marks: Floats = np.where(rows >= 0, values[np.maximum(rows, 0)], np.nan)
    return marks


def _label_column(result: Pivot, place: int) -> NumberColumn:
    dimension = result.groups.dimensions[place]
    values = [labels[place] for labels in result.groups.labels]
    rank = {value: number for number, value in enumerate(dimension.values(result.table)[0])}
    texts = tuple(dimension_value_text(dimension.id, value) for value in values)
    return NumberColumn(
        _(dimension.title),
        ColumnKind.LABEL,
        texts=texts,
        details=_details_of(result, place, texts),
        values=np.array([rank[value] for value in values], np.float64),
    )


def _details_of(result: Pivot, place: int, texts: Sequence[str]) -> tuple[str, ...]:
    """What is said after each label of a dimension: the modality of an agent, the anomaly of a category.

    Empty where the episodes of the row differ in it, it says what the label says, or the table has a column
    for it.
    """
    groups = result.groups
    other = _DETAILS.get(groups.dimensions[place].id, "")
    if not other or other in {dimension.id for dimension in groups.dimensions}:
        return ()
    labels, codes = DIMENSIONS[other].values(result.table)
    chosen = groups.of >= 0
    low = np.full(len(groups), len(labels), np.int64)
    high = np.full(len(groups), -1, np.int64)
    np.minimum.at(low, groups.of[chosen], codes[chosen])
    np.maximum.at(high, groups.of[chosen], codes[chosen])
    is_shown = [least == most for least, most in zip(low.tolist(), high.tolist(), strict=True)]
    details = (
        dimension_value_text(other, labels[code]) if same and (labels[code] or other == "condition") else ""
        for code, same in zip(low.tolist(), is_shown, strict=True)
    )
    return tuple(
        "" if detail.casefold() == label.casefold() else detail  # as of the baseline
        for detail, label in zip(details, texts, strict=True)
    )
