"""Wrap text into lines and paint them, in cards that paint themselves."""

from __future__ import annotations

from PySide6.QtCore import QRect
from PySide6.QtGui import QFontMetrics, QPainter

from studio.theme import theme
from studio.widgets.painting import draw_text

_TIP_WIDTH = 480
_TIP_LINES = 20
_TIP_CHARACTERS = 4000
LINE_HEIGHTS = {"instruction": 20, "body": 16, "title": 18}
"""Height of a line by the role of its font, in logical pixels."""


def wrapped_lines(text: str, role: str, width: int, most: int = 0) -> list[str]:
    """Wrap a text into lines as Qt does: Chinese may break between any two characters.

    With ``most``, only so many lines, the last one ending in an ellipsis when there are more.
    """
    metrics = QFontMetrics(theme.font(role))
    lines: list[str] = []
    for paragraph in text.splitlines():
        rest = paragraph
        while rest:
            if most and len(lines) == most:
                lines[-1] += "…"
                return lines
            end = _line_end(rest, metrics, width)
            lines.append(rest[:end].rstrip())
            rest = rest[end:].lstrip()
    return lines or [""]


def _line_end(text: str, metrics: QFontMetrics, width: int) -> int:
    """Index where a line of ``width`` ends: after a space or a wide character, or within a long word."""
    if metrics.horizontalAdvance(text) <= width:
        return len(text)
    low, high = 1, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if metrics.horizontalAdvance(text[:middle]) <= width:
            low = middle
        else:
            high = middle - 1
    for end in range(low, 0, -1):
        if text[end] == " " or ord(text[end - 1]) > 0x2E80:
            return end
    return low


def tooltip_text(text: str) -> str:
    """A text of any length as a tooltip: lines of at most 480 px, and not more than 20 of them.

    Qt breaks no line of a tooltip in plain text: a long thought would be as wide as the screen.
    """
    return "\n".join(wrapped_lines(text[:_TIP_CHARACTERS], "body", _TIP_WIDTH, _TIP_LINES))


def draw_wrapped(
    painter: QPainter, inner: QRect, top: int, text: str, role: str, tone: str = "text", most: int = 0
) -> int:
    """Draw wrapped lines from ``top``; return the y below them."""
    height = LINE_HEIGHTS[role]
    for line in wrapped_lines(text, role, inner.width(), most):
        draw_text(painter, QRect(inner.left(), top, inner.width() + 4, height), line, role, tone)
        top += height
    return top
