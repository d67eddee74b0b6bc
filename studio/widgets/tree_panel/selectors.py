"""Selectors of the selected node, the most robust first; each can be copied."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QMouseEvent, QPainter
from PySide6.QtWidgets import QWidget

from collector.hierarchy.selector_ranking import RankedSelector
from collector.model.i18n import _
from studio.theme import theme
from studio.theme.mirroring import logical_point
from studio.widgets.painting import RIGHT, draw_text, elided
from studio.widgets.tables.entry_list import EntryList, RowState

_GOOD = 70
_POOR = 30


def score_icon(ranked: RankedSelector) -> str:
    """The icon that shows how robust a selector is."""
    if ranked.score >= _GOOD and ranked.matches == 1:
        return "state-ok"
    return "state-warn" if ranked.score >= _POOR else "state-err"


def copy_rect(row: QRect) -> QRect:
    """Rectangle of the copy icon of a row."""
    return QRect(row.right() - 36, row.top(), 28, row.height())


class SelectorList(EntryList):
    """Lists a :class:`RankedSelector` a row; copies one by a click on the copy icon, Ctrl+C or Enter."""

    is_uniform = True

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(_("Selectors of the node"), parent=parent)
        self.opened.connect(self.copy)

    def text_of(self, entry: RankedSelector) -> str:
        return entry.text

    def spoken_of(self, entry: RankedSelector) -> str:
        return f"{entry.text}\n{entry.reason} ({entry.score})"

    def tip_of(self, entry: RankedSelector) -> str:
        return self.spoken_of(entry)

    def height_of(self, _row: int, _width: int) -> int:
        return theme.size("row_selector")

    def paint_row(self, painter: QPainter, box: QRect, row: int, state: RowState) -> None:
        ranked: RankedSelector = self.entries[row]
        state.draw_ground(painter, box)
        icon = QRect(box.left() + 12, box.top(), 14, box.height())
        theme.draw_icon_in(painter, score_icon(ranked), icon, 14)
        inner = box.adjusted(34, 4, -48, -4)
        half = inner.height() // 2
        text = elided(theme.font("code_inline"), ranked.text, inner.width(), Qt.TextElideMode.ElideMiddle)
        draw_text(painter, QRect(inner.left(), inner.top(), inner.width(), half), text, "code_inline")
        under = QRect(inner.left(), inner.top() + half, inner.width(), half)
        draw_text(painter, under, ranked.reason, "caption", "text-3")
        if state.is_selected or state.is_hovered:
            theme.draw_icon_in(painter, "copy", copy_rect(box), 16, "text-2")
        else:
            score = QRect(box.right() - 40, box.top(), 28, box.height())
            draw_text(painter, score, str(ranked.score), "caption", "text-3", RIGHT)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        super().mouseReleaseEvent(event)
        at = event.position().toPoint()
        index = self.indexAt(at)
        row = self.visualRect(index)
        if index.isValid() and copy_rect(row).contains(logical_point(self, at, row)):
            self.copy()
