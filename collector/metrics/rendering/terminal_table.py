"""Reports for a terminal: columns under a header, with intervals and what was counted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from io import StringIO

from rich.box import SIMPLE_HEAD
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from collector.metrics.rendering.columns import column_title, sentences
from collector.metrics.rendering.number_text import cell_text
from collector.metrics.rendering.plain_text import plain
from collector.metrics.report import ReportColumn, ReportRow, ReportTable
from collector.metrics.value_text import row_labels

_WIDEST = 10_000
"""Columns of what is no terminal: nothing is wrapped in a file."""
_GAP = 3
"""Columns between two columns of a table."""
_EDGE = 1
"""What rich 13 gives the first column beyond its greatest width; it would fold a number then."""


def print_reports(tables: Sequence[ReportTable], *, with_intervals: bool = True) -> None:
    """Print tables on the standard output; what a terminal is too narrow for follows below."""
    console = Console(highlight=False, markup=False, emoji=False)
    if not console.is_terminal:
        console = Console(highlight=False, markup=False, emoji=False, width=_WIDEST)
    _print(console, tables, with_intervals)


def as_text(tables: Sequence[ReportTable], *, with_intervals: bool = True) -> str:
    """Tables as plain text without wrapping, for a file."""
    text = StringIO()
    console = Console(file=text, highlight=False, markup=False, emoji=False, color_system=None, width=_WIDEST)
    _print(console, tables, with_intervals)
    return text.getvalue()


def _print(console: Console, tables: Sequence[ReportTable], with_intervals: bool) -> None:
    for place, table in enumerate(tables):
        if place:
            console.print()
        # Texts as Text: no character of a name is taken for a style.
        if table.title:
            console.print(Text(plain(table.title), style="bold"))
        for part in _parts(table, console.width, with_intervals):
            console.print(part)
        for sentence in sentences(table):
            console.print(Text(plain(sentence)))


def _parts(table: ReportTable, width: int, with_intervals: bool) -> Iterator[Table]:
    """The table, or several with some of its columns each where ``width`` is too little for all."""
    widest = max(1, width // 2 // max(1, len(table.label_titles)) - _GAP)
    texts = [row_labels(table, row) for row in table.rows]
    labels = [
        [plain(title), *(row[place] for row in texts)] for place, title in enumerate(table.label_titles)
    ]
    numbers = [
        [_header(column), *(_number(row, place, column, with_intervals) for row in table.rows)]
        for place, column in enumerate(table.columns)
    ]
    left = width - _EDGE - sum(min(_width(column), widest) + _GAP for column in labels)
    part: list[list[str]] = []
    taken = 0
    for column in numbers:
        taken += _width(column) + _GAP
        if part and taken - _GAP > left:
            yield _table(labels, part, widest)
            part, taken = [], _width(column) + _GAP
        part.append(column)
    yield _table(labels, part, widest)


def _table(labels: Sequence[Sequence[str]], numbers: Sequence[Sequence[str]], widest: int) -> Table:
    shown = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False, header_style="bold")
    for title, *_cells in labels:
        shown.add_column(Text(title), overflow="fold", max_width=widest)
    for title, *_cells in numbers:
        shown.add_column(Text(title), justify="right", overflow="fold")
    _titles, *rows = zip(*labels, *numbers, strict=True)
    for row in rows:
        shown.add_row(*map(Text, row))
    return shown


def _header(column: ReportColumn) -> str:
    group = f"{plain(column.group)}\n" if column.group else ""
    return group + plain(column_title(column))


def _number(row: ReportRow, place: int, column: ReportColumn, with_intervals: bool) -> str:
    return cell_text(row.cells[place], column.unit, with_intervals=with_intervals)


def _width(column: Sequence[str]) -> int:
    return max(cell_len(line) for text in column for line in text.split("\n"))
