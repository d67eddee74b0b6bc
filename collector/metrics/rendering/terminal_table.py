"""Reports for a terminal: columns under a header, with intervals and what was counted."""

from __future__ import annotations

from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from collector.metrics.rendering.columns import column_title, sentences
from collector.metrics.rendering.number_text import cell_text
from collector.metrics.rendering.plain_text import label_text, plain
from collector.metrics.report import ReportTable

_WIDEST = 10_000
"""Columns of what is no terminal: nothing is wrapped in a file."""


def print_reports(tables: Sequence[ReportTable], *, with_intervals: bool = True) -> None:
    """Print tables on the standard output; a terminal wraps what does not fit."""
    console = Console(highlight=False, markup=False, emoji=False)
    if not console.is_terminal:
        console = Console(highlight=False, markup=False, emoji=False, width=_WIDEST)
    for place, table in enumerate(tables):
        if place:
            console.print()
        _print(console, table, with_intervals)


def _print(console: Console, table: ReportTable, with_intervals: bool) -> None:
    # Texts as Text: no character of a name is taken for a style.
    if table.title:
        console.print(Text(plain(table.title), style="bold"))
    shown = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False, header_style="bold")
    for title in table.label_titles:
        shown.add_column(Text(plain(title)), overflow="fold")
    for column in table.columns:
        group = f"{column.group}\n" if column.group else ""
        shown.add_column(Text(group + plain(column_title(column))), justify="right", overflow="fold")
    for row in table.rows:
        numbers = (
            cell_text(cell.number, column.unit, with_intervals=with_intervals)
            for cell, column in zip(row.cells, table.columns, strict=True)
        )
        shown.add_row(*(Text(label_text(label)) for label in row.labels), *map(Text, numbers))
    console.print(shown)
    for sentence in sentences(table):
        console.print(Text(plain(sentence)))
