"""Carets of multi-line text fields: the place of a caret in px, and the caret nearest to a place."""

from __future__ import annotations

from collections.abc import Iterator

from collector.model.geometry import Rect
from collector.virtual.ui import widgets as w
from collector.virtual.ui.look import Look
from collector.virtual.ui.text import TextStyle, lay_text, natural_width

TOP = 10.0
"""Padding in dp above the first line of a multi-line field."""


def field_style(field: w.TextField, look: Look) -> TextStyle:
    """The style of a field's own text."""
    color = "text" if field.enabled else "text@0.38"
    return look.line_style(w.Text(size=field.size, color=color, mono=field.mono))


def line_height(style: TextStyle) -> float:
    """Distance of two lines in px."""
    return style.size * style.line_height


def caret_place(field: w.TextField, look: Look, width: int, caret: int) -> tuple[int, int]:
    """The corner of the caret in px, from the corner of a text of ``width`` px."""
    style = field_style(field, look)
    if field.wrap:
        return _wrapped_place(field.text[:caret], style, width) if field.text else (0, 0)
    before = field.text[:caret]
    return _width_of(before.rpartition("\n")[2], style), round(before.count("\n") * line_height(style))


def nearest_caret(field: w.TextField, look: Look, x: float, y: float) -> int:
    """The caret of a field that does not wrap nearest to a place in px, from the corner of its text."""
    style = field_style(field, look)
    lines = field.text.split("\n")
    number = min(max(0, int(y // line_height(style))), len(lines) - 1)
    line = lines[number]
    start = sum(len(earlier) + 1 for earlier in lines[:number])
    return start + min(range(len(line) + 1), key=lambda place: abs(_width_of(line[:place], style) - x))


def range_boxes(field: w.TextField, look: Look, start: int, end: int) -> Iterator[Rect]:
    """The boxes of a range of a text that does not wrap, one a line, from the corner of the text."""
    style = field_style(field, look)
    tall = line_height(style)
    begin = 0
    for number, line in enumerate(field.text.split("\n")):
        left, right = max(start, begin), min(end, begin + len(line))
        if left < right or (left == right and start < right < end):
            sides = [_width_of(line[: place - begin], style) for place in (left, right)]
            yield Rect(
                sides[0], round(number * tall), max(sides[1], sides[0] + 2), round((number + 1) * tall)
            )
        begin += len(line) + 1


def _width_of(text: str, style: TextStyle) -> int:
    return natural_width(text + "\u200b", style)


def _wrapped_place(before: str, style: TextStyle, width: int) -> tuple[int, int]:
    laid = lay_text(before or " ", style, width)
    line = line_height(style)
    lines = max(1, round(laid.height / line))
    last = before.rpartition("\n")[2]
    # The last visual line holds the rest of the text.
    start = len(last)
    while (
        start
        and lay_text(before[: len(before) - len(last) + start] or " ", style, width).height == laid.height
    ):
        start -= 1
    return _width_of(last[start:], style), round((lines - 1) * line)
