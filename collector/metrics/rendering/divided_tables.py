"""Divide a table that is too wide for a page into parts that are read without a lens."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from collector.metrics.rendering.columns import column_groups, column_title
from collector.metrics.rendering.number_text import cell_text
from collector.metrics.report import ReportTable
from collector.metrics.value_text import row_labels

_LETTER_PT, _GAP_PT = 5.0, 12.0
"""Mean width of a letter of Computer Modern at 10 pt, and the space between two columns."""
_LONGEST_LABEL = 40
"""Letters of a label that are counted: one name that is longer divides no table."""


def parts_that_fit(table: ReportTable, width_pt: float, *, with_intervals: bool) -> list[ReportTable]:
    """The table, or several with its labels and some of its columns each, estimated to be so wide at most.

    Columns of one group stay together where they fit. Only the last part has the notes.
    """
    widths = list(_widths(table, with_intervals))
    first = len(table.label_titles)
    room = width_pt - sum(min(width, _LONGEST_LABEL * _LETTER_PT) for width in widths[:first])
    places = list(_places(column_groups(table), widths[first:], room))
    if len(places) < 2:
        return [table]
    title = table.title or table.id
    return [
        replace(
            table,
            id=f"{table.id}-{number}",
            title=f"{title} ({number}/{len(places)})",
            columns=table.columns[place],
            rows=tuple(replace(row, cells=row.cells[place]) for row in table.rows),
            notes=table.notes if number == len(places) else (),
        )
        for number, place in enumerate(places, 1)
    ]


def _widths(table: ReportTable, with_intervals: bool) -> Iterator[float]:
    """The estimated width of each column, labels first, in pt."""
    numbers = (
        [cell_text(row.cells[at], column.unit, with_intervals=with_intervals) for row in table.rows]
        for at, column in enumerate(table.columns)
    )
    labels = [row_labels(table, row) for row in table.rows]
    titles = (*table.label_titles, *map(column_title, table.columns))
    texts = [*([row[at] for row in labels] for at in range(len(table.label_titles))), *numbers]
    for title, column in zip(titles, texts, strict=True):
        yield max(map(len, (title, *column))) * _LETTER_PT + _GAP_PT


def _places(groups: Sequence[tuple[str, int]], widths: Sequence[float], room: float) -> Iterator[slice]:
    """The columns of each part."""
    begin, end, used = 0, 0, 0.0
    for _title, count in groups:
        own = sum(widths[end : end + count])
        if end > begin and used + own > room and own <= room:
            yield slice(begin, end)
            begin, used = end, 0.0
        for width in widths[end : end + count]:
            if end > begin and used + width > room:
                yield slice(begin, end)
                begin, used = end, 0.0
            end, used = end + 1, used + width
    yield slice(begin, end)
