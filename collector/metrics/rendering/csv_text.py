"""Reports as CSV that no spreadsheet takes for formulas."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from collector.metrics.rendering.columns import column_ids
from collector.metrics.rendering.number_text import exported
from collector.metrics.rendering.plain_text import plain
from collector.metrics.report import ReportRow, ReportTable
from collector.metrics.report_cell import ReportCell
from collector.model.episode_text import BASELINE

Value = str | int | float | None
_SIGNS: Final = "=+\\-@" + "＝＋－＠" + "﹦﹢﹣﹫" + "⁼⁺⁻₌₊₋" + "−﬩"
_FORMULA = re.compile(rf"""((?:^|[,;|"'])[\s"']*)(?=[{_SIGNS}])""")
"""Where a formula could begin: at the start of a cell, or after a sign that a program separates cells by."""
_ALWAYS = ("", "_count")
_PARTS = ("", "_low", "_high", "_hits", "_count")


def as_csv(tables: Sequence[ReportTable]) -> str:
    """Tables as CSV: of each number its value, the ends of its interval, its numerator and its denominator.

    Values have twelve digits; a share is 0 to 1. Several tables have their titles above them, and an empty
    line between them. A text that a spreadsheet would take for a formula gets an apostrophe in front.
    """
    output = io.StringIO()
    # Quoted texts: a program that separates cells by another sign must not cut one.
    writer = csv.writer(output, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n")
    for place, table in enumerate(tables):
        if place:
            output.write("\n")
        if len(tables) > 1:
            writer.writerow([csv_cell(table.title)])
        writer.writerows(_lines(table))
    return output.getvalue()


def csv_cell(text: str) -> str:
    """``text`` on one line, with an apostrophe wherever a formula could begin; a dash alone is none."""
    return text if text == "-" else _FORMULA.sub(r"\1'", plain(text))


def _labels(table: ReportTable, row: ReportRow) -> Iterator[str]:
    """The labels of a row; a run without an anomaly is of the condition ``baseline``, as in experiments."""
    for place, label in enumerate(row.labels):
        is_condition = table.label_dimensions[place : place + 1] == ("condition",)
        yield label or (BASELINE if is_condition else "")


def _lines(table: ReportTable) -> Iterator[list[Value]]:
    with_faults = any(row.faults is not None for row in table.rows)
    numbers = [[_parts(cell) for cell in row.cells] for row in table.rows]
    used = [
        [part for part in _PARTS if part in _ALWAYS or any(row[place][part] is not None for row in numbers)]
        for place in range(len(table.columns))
    ]
    names = [name + part for name, parts in zip(column_ids(table), used, strict=True) for part in parts]
    header: list[Value] = [csv_cell(text) for text in (*table.label_titles, *names)]
    yield [*header, "episodes", "faults"] if with_faults else header
    for row, values in zip(table.rows, numbers, strict=True):
        line: list[Value] = [csv_cell(label) for label in _labels(table, row)]
        line += [value[part] for value, parts in zip(values, used, strict=True) for part in parts]
        if with_faults:
            line += [None if row.episodes is None else len(row.episodes), row.faults]
        yield ["" if value is None else value for value in line]


def _parts(number: ReportCell) -> Mapping[str, Value]:
    amounts = [None if end is None else exported(end) for end in (number.value, number.low, number.high)]
    return dict(zip(_PARTS, (*amounts, number.hits, number.count), strict=True))
