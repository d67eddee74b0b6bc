"""Selectors of the selected node, the most robust first; each can be copied."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QMouseEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from collector.hierarchy.selector_ranking import RankedSelector
from collector.model.i18n import _
from studio.theme import theme
from studio.widgets.painting import draw_text, elided

RANKED_ROLE = Qt.ItemDataRole.UserRole + 1
_GOOD = 70
_POOR = 30
_Index = QModelIndex | QPersistentModelIndex


class SelectorModel(QAbstractListModel):
    """Ranked selectors, best first."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._ranked: tuple[RankedSelector, ...] = ()

    def set_ranked(self, ranked: Sequence[RankedSelector]) -> None:
        self.beginResetModel()
        self._ranked = tuple(ranked)
        self.endResetModel()

    def rowCount(self, parent: _Index | None = None) -> int:  # noqa: N802 - Qt's name
        return 0 if parent is not None and parent.isValid() else len(self._ranked)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        ranked = self._ranked[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return ranked.text
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            return f"{ranked.text}\n{ranked.reason} ({ranked.score})"
        return ranked if role == RANKED_ROLE else None


def score_icon(ranked: RankedSelector) -> str:
    """The icon that shows how robust a selector is."""
    if ranked.score >= _GOOD and ranked.matches == 1:
        return "state-ok"
    return "state-warn" if ranked.score >= _POOR else "state-err"


class _SelectorDelegate(QStyledItemDelegate):
    def sizeHint(self, _option: QStyleOptionViewItem, _index: object) -> QSize:  # noqa: N802 - Qt's name
        return QSize(200, theme.size("row_selector"))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        ranked = index.data(RANKED_ROLE)
        rect: QRect = option.rect
        state = option.state
        chosen = bool(state & QStyle.StateFlag.State_Selected)
        hovered = bool(state & QStyle.StateFlag.State_MouseOver)
        if chosen or hovered:
            painter.fillRect(rect, theme.color("accent-weak" if chosen else "bg-3"))
        painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, theme.color("line"))
        icon = QRect(rect.left() + 12, rect.top(), 14, rect.height())
        theme.draw_icon_in(painter, score_icon(ranked), icon, 14)
        inner = rect.adjusted(34, 4, -48, -4)
        half = inner.height() // 2
        text = elided(theme.font("code_inline"), ranked.text, inner.width(), Qt.TextElideMode.ElideMiddle)
        draw_text(painter, QRect(inner.left(), inner.top(), inner.width(), half), text, "code_inline")
        under = QRect(inner.left(), inner.top() + half, inner.width(), half)
        draw_text(painter, under, ranked.reason, "caption", "text-3")
        right = QRect(rect.right() - 40, rect.top(), 28, rect.height())
        if chosen or hovered:
            theme.draw_icon_in(painter, "copy", copy_rect(rect), 16, "text-2")
        else:
            align = Qt.AlignmentFlag.AlignRight
            draw_text(painter, right, str(ranked.score), "caption", "text-3", align)


def copy_rect(row: QRect) -> QRect:
    """Rectangle of the copy icon of a row."""
    return QRect(row.right() - 36, row.top(), 28, row.height())


class SelectorList(QListView):
    """Copies a selector by a click on the copy icon, Ctrl+C or Enter."""

    copied = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.ranked = SelectorModel(self)
        self.setModel(self.ranked)
        self.setItemDelegate(_SelectorDelegate(self))
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(_("Selectors of the node"))
        theme.changed.connect(self.viewport().update)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        at: QPoint = event.position().toPoint()
        index = self.indexAt(at)
        if index.isValid() and copy_rect(self.visualRect(index)).contains(at):
            self._copy(index)
        super().mouseReleaseEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if (enter or event.matches(QKeySequence.StandardKey.Copy)) and self.currentIndex().isValid():
            self._copy(self.currentIndex())
        else:
            super().keyPressEvent(event)

    def _copy(self, index: QModelIndex) -> None:
        text = index.data()
        QGuiApplication.clipboard().setText(text)
        self.copied.emit(text)
