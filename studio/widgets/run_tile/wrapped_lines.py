"""Wrap a text into the lines that fit a place, the last one cut with an ellipsis."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QTextLayout, QTextOption

from studio.theme import theme
from studio.theme.mirroring import upright

_MOST = 4000
"""Characters that are laid out; no tile shows more."""


class WrappedLines:
    """Keeps the lines of the text it drew last, since tiles are painted far more often than they change."""

    def __init__(self) -> None:
        self._key: tuple[str, str, int, int] = ("", "", 0, 0)
        self._lines: list[str] = []

    def paint(self, painter: QPainter, place: QRect, text: str, role: str, tone: str, line: int) -> bool:
        """Draw the text in lines of ``line`` pixels; return whether it was cut."""
        font = theme.font(role)
        count = max(0, place.height() // line)
        key = (text, role, place.width(), count)
        if key != self._key:
            self._key, self._lines = key, _wrapped(text, font, place.width(), count)
        painter.setFont(font)
        painter.setPen(theme.color(tone))
        for number, words in enumerate(self._lines):
            row = QRect(place.left(), place.top() + number * line, place.width(), line)
            with upright(painter, row):
                painter.drawText(row, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, words)
        return bool(self._lines) and self._lines[-1].endswith("…")


def _wrapped(text: str, font: QFont, width: int, count: int) -> list[str]:
    """At most ``count`` lines."""
    if count <= 0 or width <= 0:
        return []
    text = " ".join(text[:_MOST].split())
    layout = QTextLayout(text, font)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout.setTextOption(option)
    starts: list[int] = []
    layout.beginLayout()
    while len(starts) <= count and (line := layout.createLine()).isValid():
        line.setLineWidth(width)
        starts.append(line.textStart())
    layout.endLayout()
    ends = [*starts[1:], len(text)]
    # Qt counts in UTF-16 units, Python in characters.
    lines = [_utf16_slice(text, start, end).strip() for start, end in zip(starts, ends, strict=True)]
    if len(lines) <= count:
        return lines
    rest = _utf16_slice(text, starts[count - 1], len(text) * 2)
    last = QFontMetrics(font).elidedText(rest, Qt.TextElideMode.ElideRight, width)
    return [*lines[: count - 1], last]


def _utf16_slice(text: str, start: int, end: int) -> str:
    if text.isascii():
        return text[start:end]
    data = text.encode("utf-16-le", "surrogatepass")
    return data[2 * start : 2 * end].decode("utf-16-le", "replace")
