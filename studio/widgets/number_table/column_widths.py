"""Widths of the columns of a table of numbers: numbers as wide as they need, labels share the rest."""

from __future__ import annotations

from studio.widgets.number_table.content import ColumnKind, NumberColumn, TableContent
from studio.widgets.number_table.delegate import SIDE
from studio.widgets.painting import text_width

_LOOKED_AT = 200
"""Rows whose texts are measured."""
_LEAST_NUMBER, _LEAST_LABEL, _WHOLE_LABEL, _MOST_LABEL = 64, 96, 180, 420
"""Pixels. A label column of at most ``_WHOLE_LABEL`` is never cut."""
_INTERVAL, _SMALL_INTERVAL = 112, 72
_ROOM_FOR_ARROW = 14
_ROUNDING = 2
"""Widths of texts are whole pixels, rounded; a label is not cut for a part of one."""


def column_widths(content: TableContent, width: int) -> list[int]:
    """A width for each column, so that they fill ``width`` where it is wide enough."""
    widths = [_wanted(column) for column in content.columns]
    labels = [place for place, column in enumerate(content.columns) if column.kind is ColumnKind.LABEL]
    spare = width - sum(widths)
    if spare < 0:  # details give way first, then long labels, then the table scrolls
        for least in (_without_details, _least):
            for place in labels:
                less = max(0, min(-spare, widths[place] - least(content.columns[place])))
                widths[place] -= less
                spare += less
    elif labels:
        for number, place in enumerate(labels):
            widths[place] += spare // len(labels) + (spare % len(labels) if number == 0 else 0)
    return widths


def _least(column: NumberColumn) -> int:
    return min(_WHOLE_LABEL, _without_details(column))


def _without_details(column: NumberColumn) -> int:
    longest = max((text_width(text, "name") for text in column.texts[:_LOOKED_AT]), default=0)
    return min(_MOST_LABEL, max(_LEAST_LABEL, longest + 2 * SIDE + _ROUNDING))


def _wanted(column: NumberColumn) -> int:
    if column.kind is ColumnKind.INTERVAL:
        return max(_INTERVAL if column.is_main else _SMALL_INTERVAL, text_width(column.title) + 2 * SIDE)
    title = text_width(column.title, "name") + 2 * SIDE + _ROOM_FOR_ARROW
    if column.kind is ColumnKind.LABEL:
        longest = max(
            (_label_width(column, row) for row in range(min(_LOOKED_AT, len(column.texts)))), default=0
        )
        return min(_MOST_LABEL, max(_LEAST_LABEL, title, longest + 2 * SIDE + _ROUNDING))
    longest = max((text_width(text, "name") for text in column.texts[:_LOOKED_AT]), default=0)
    return max(_LEAST_NUMBER, title, longest + 2 * SIDE)


def _label_width(column: NumberColumn, row: int) -> int:
    detail = column.details[row] if column.details else ""
    return text_width(column.texts[row], "name") + (text_width(detail) + SIDE if detail else 0)
