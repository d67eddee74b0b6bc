"""A list of what people did, newest first: a sentence of any length and when it was."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRect
from PySide6.QtGui import QPainter

from studio.theme import theme
from studio.widgets.painting import draw_text
from studio.widgets.tables.entry_list import EntryList, RowState
from studio.widgets.wrapped_text import LINE_HEIGHTS, draw_wrapped, wrapped_lines

_SIDE, _TEXT, _TOP, _CAPTION = 12, 36, 8, 18
_MOST_LINES = 6


@dataclass(frozen=True, slots=True)
class ActEntry:
    """One act: its icon, the sentence, when, and what it is about."""

    icon: str
    sentence: str
    when: str
    tip: str = ""
    subject: str = ""
    """Id of what was acted on; empty when the entry leads nowhere."""


class ActList(EntryList):
    """Lists an :class:`ActEntry` a row."""

    opens_on_click = True

    def text_of(self, entry: ActEntry) -> str:
        return f"{entry.sentence} {entry.when}"

    def tip_of(self, entry: ActEntry) -> str:
        return entry.tip

    def height_of(self, row: int, width: int) -> int:
        lines = wrapped_lines(self.entries[row].sentence, "body", width - _TEXT - _SIDE, _MOST_LINES)
        return _TOP + len(lines) * LINE_HEIGHTS["body"] + _CAPTION + 6

    def paint_row(self, painter: QPainter, box: QRect, row: int, state: RowState) -> None:
        entry: ActEntry = self.entries[row]
        state.draw_ground(painter, box, hovers=bool(entry.subject))
        icon = QRect(box.left() + _SIDE, box.top() + _TOP, 14, LINE_HEIGHTS["body"])
        theme.draw_icon_in(painter, entry.icon, icon, 14)
        inner = QRect(box.left() + _TEXT, box.top(), box.width() - _TEXT - _SIDE, box.height())
        bottom = draw_wrapped(painter, inner, box.top() + _TOP, entry.sentence, "body", most=_MOST_LINES)
        when = QRect(inner.left(), bottom, inner.width(), _CAPTION)
        draw_text(painter, when, entry.when, "caption", "text-2")
