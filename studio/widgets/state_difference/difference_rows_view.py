"""The list of differences: rows of 24 px with a sign, what differs and how."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QRect, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QContextMenuEvent,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
)
from PySide6.QtWidgets import (
    QMenu,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeView,
    QWidget,
)

from collector.model.i18n import _
from rule_editor.widgets.item_view import is_enter, set_up_view
from rule_editor.widgets.popup_menu import PopupMenu
from studio.theme import theme
from studio.theme.mirroring import keep_left_to_right
from studio.widgets.painting import draw_text, text_width
from studio.widgets.state_difference.difference_line import SIGNS, TONES, DifferenceLine
from studio.widgets.state_difference.tree_difference_model import LINE_ROLE, TreeDifferenceModel

_SIDE, _BADGE, _GAP, _INDENT, _MOST_INDENT, _CHEVRON = 12, 18, 8, 14, 70, 14
_Index = QModelIndex | QPersistentModelIndex


class _RowHeight(QStyledItemDelegate):
    """Gives the height of a row; the view paints it."""

    def sizeHint(self, _option: QStyleOptionViewItem, _index: object) -> QSize:  # noqa: N802 - Qt's name
        return QSize(200, theme.size("row_tree"))


class DifferenceRowsView(QTreeView):
    """Rows that can be opened where several nodes differ together. Ctrl+C copies a row and all below it."""

    difference_chosen = Signal(object)
    """The NodeDifference of the chosen row; None for a row without a node, and without a row."""
    difference_opened = Signal(object)
    """The NodeDifference of a row that was double-clicked, or opened with Enter."""
    copied = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        keep_left_to_right(self)
        self.differences = TreeDifferenceModel(self)
        self.setModel(self.differences)
        self.setItemDelegate(_RowHeight(self))
        self.setHeaderHidden(True)
        self.setUniformRowHeights(True)
        self.setRootIsDecorated(False)
        self.setIndentation(0)
        self.setExpandsOnDoubleClick(False)
        set_up_view(self, _("Differences of the trees"), theme, "Home End Space")
        self.selectionModel().currentChanged.connect(self._current_changed)

    @Slot(QModelIndex, QModelIndex)
    def _current_changed(self, current: QModelIndex, _before: QModelIndex) -> None:
        self.difference_chosen.emit(self.differences.difference(current))

    @Slot()
    def copy_row(self) -> None:
        """Copy the chosen row and all below it."""
        if self.currentIndex().isValid():
            self._copy(self.differences.text_of(self.currentIndex()))

    @Slot()
    def copy_all(self) -> None:
        """Copy all rows that are shown."""
        rows = range(self.differences.rowCount())
        self._copy("\n".join(self.differences.text_of(self.differences.index(row, 0)) for row in rows))

    def _copy(self, text: str) -> None:
        QGuiApplication.clipboard().setText(text)
        self.copied.emit(text)

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        at = event.position().toPoint()
        index = self.indexAt(at)
        if event.button() == Qt.MouseButton.LeftButton and self._chevron(index).contains(at):
            self.setExpanded(index, not self.isExpanded(index))
            return
        super().mousePressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        at = event.position().toPoint()
        index = self.indexAt(at)
        if self._chevron(index).contains(at):
            self.setExpanded(index, not self.isExpanded(index))
        elif index.isValid():
            self.difference_opened.emit(self.differences.difference(index))

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        index = self.currentIndex()
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_row()
        elif is_enter(event) and index.isValid():
            self.difference_opened.emit(self.differences.difference(index))
        elif event.key() == Qt.Key.Key_Escape and index.isValid():
            self.selectionModel().clear()
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # noqa: N802 - Qt's name
        if self.differences.rowCount():
            self.row_menu().exec(event.globalPos())

    def row_menu(self) -> QMenu:
        """The menu of a row."""
        menu = PopupMenu(self)
        copy = menu.addAction(_("Copy row"), self.copy_row)
        copy.setEnabled(self.currentIndex().isValid())
        menu.addAction(_("Copy all rows"), self.copy_all)
        menu.addSeparator()
        menu.addAction(_("Open all"), self.expandAll)
        menu.addAction(_("Close all"), self.collapseAll)
        return menu

    def _chevron(self, index: _Index) -> QRect:
        """The rectangle of the chevron of a row; empty for a row without rows below it."""
        if not index.isValid() or not self.differences.rowCount(index):
            return QRect()
        row = self.visualRect(index)
        width = _CHEVRON + 2 * _GAP
        return QRect(self.viewport().width() - width, row.top(), width, row.height())

    # -- painting ------------------------------------------------------------
    def drawBranches(self, painter: QPainter, rect: QRect, index: _Index) -> None:  # noqa: N802 - Qt's name
        """Rows have no branches."""

    def drawRow(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:  # noqa: N802 - Qt's name
        row = QRect(0, option.rect.top(), self.viewport().width(), option.rect.height())
        if index == self.currentIndex():
            painter.fillRect(row, theme.color("accent-weak"))
        elif option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(row, theme.color("bg-3"))
        line: DifferenceLine = index.data(LINE_ROLE)
        left = _SIDE + min(_INDENT * _level(index), _MOST_INDENT)
        draw_sign(painter, QPoint(left, row.center().y() - _BADGE // 2 + 1), line)
        right = row.right() - _SIDE
        chevron = self._chevron(index)
        if not chevron.isEmpty():
            icon = "chevd" if self.isExpanded(index) else "chevr"
            theme.draw_icon_in(painter, icon, chevron, _CHEVRON, "text-2")
            right = chevron.left()
        left += _BADGE + _GAP
        place = QRect(left, row.top(), right - left, row.height())
        _draw_line(painter, place, line, strong=index == self.currentIndex())
        if index == self.currentIndex() and self.hasFocus():
            painter.fillRect(QRect(0, row.top(), 2, row.height()), theme.color("accent"))


def _level(index: _Index) -> int:
    level, above = 0, index.parent()
    while above.isValid():
        level, above = level + 1, above.parent()
    return level


def _draw_line(painter: QPainter, place: QRect, line: DifferenceLine, *, strong: bool) -> None:
    role = "name" if strong else "body"
    # What differs gives way only where how it differs would not be seen at all.
    wanted = text_width(line.detail) if line.detail else 0
    room = max(place.width() // 2, place.width() - wanted)
    head = QRect(place.left(), place.top(), min(room, place.width()), place.height())
    left = place.left() + draw_text(painter, head, line.head, role) + _GAP
    if place.right() - left > _BADGE:
        rest = QRect(left, place.top(), place.right() - left + 1, place.height())
        draw_text(painter, rest, line.detail, "body", "text-2")


def draw_sign(painter: QPainter, at: QPoint, line: DifferenceLine) -> None:
    """Draw the square with the sign of a difference: +, -, ~ or an arrow."""
    box = QRect(at.x(), at.y(), _BADGE, _BADGE)
    tone = TONES[line.kind]
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.color(f"{tone}-weak"))
    painter.drawRoundedRect(QRectF(box), 3, 3)
    painter.setFont(theme.font("name"))
    painter.setPen(theme.color(tone))
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, SIGNS[line.kind])
    painter.restore()
