"""The tree view: rows of 24 px with guide lines, class, id and text."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import (
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeView,
    QWidget,
)

from collector.model.i18n import _
from collector.model.tree import Node
from rule_editor.widgets.item_view import set_up_view
from studio.theme import theme
from studio.theme.mirroring import keep_left_to_right
from studio.widgets.captions.node_text import tree_line
from studio.widgets.painting import draw_node_line
from studio.widgets.tree_panel.model import NODE_ROLE, NodeTreeModel

_INDENT, _LEAST_INDENT = 16, 9
_STAIRS = 128
"""Largest share of the width that the indent of the deepest row takes, where possible."""
_CHEVRON = 14
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_INSET = 4
_LAZY_OVER = 5_000
"""Larger trees expand only two levels, because laying out every row would take too long."""


class _RowHeight(QStyledItemDelegate):
    """Gives the height of a row; the view paints it."""

    def sizeHint(self, _option: QStyleOptionViewItem, _index: object) -> QSize:  # noqa: N802 - Qt's name
        return QSize(200, theme.size("row_tree"))


class NodeTreeView(QTreeView):
    """Selects nodes by keyboard and mouse; emits the node of a hovered row."""

    node_hovered = Signal(object)
    node_selected = Signal(object)
    tapped = Signal(object)
    """The person taps this node on the phone: Enter."""
    pressed_long = Signal(object)
    """The person presses long on this node: Shift+Enter."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        keep_left_to_right(self)
        self.nodes = NodeTreeModel(self)
        self.setModel(self.nodes)
        self.setItemDelegate(_RowHeight(self))
        self.setHeaderHidden(True)
        self.setUniformRowHeights(True)
        self.setIndentation(_INDENT)
        set_up_view(self, _("Tree of the screen"), theme)
        self.selectionModel().currentChanged.connect(self._current_changed)

    def open_all(self) -> None:
        """Expand the tree; a large one only its first levels."""
        tree = self.nodes.tree
        deepest = max((node.depth for node in tree), default=0) if tree is not None else 0
        self.setIndentation(max(_LEAST_INDENT, min(_INDENT, _STAIRS // (deepest + 1))))
        if tree is not None and len(tree) > _LAZY_OVER:
            self.expandToDepth(1)
        else:
            self.expandAll()

    def show_node(self, node: Node | None) -> None:
        """Select a node and scroll to it, without a signal."""
        index = self.nodes.index_of(node)
        self.selectionModel().currentChanged.disconnect(self._current_changed)
        if index.isValid():
            self.setCurrentIndex(index)
            self.scrollTo(index, QTreeView.ScrollHint.EnsureVisible)
        else:
            self.selectionModel().clear()
        self.selectionModel().currentChanged.connect(self._current_changed)

    @Slot(QModelIndex, QModelIndex)
    def _current_changed(self, current: QModelIndex, _before: QModelIndex) -> None:
        self.node_selected.emit(self.nodes.node(current))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        self.node_hovered.emit(self.nodes.node(self.indexAt(event.position().toPoint())))
        super().mouseMoveEvent(event)

    def leaveEvent(self, event: object) -> None:  # noqa: N802 - Qt's name
        self.node_hovered.emit(None)
        super().leaveEvent(event)  # type: ignore[arg-type]

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        if event.key() == Qt.Key.Key_Escape and self.currentIndex().isValid():
            self.selectionModel().clear()
            self.node_selected.emit(None)
            return
        if event.key() in _ENTER and self.currentIndex().isValid() and not event.isAutoRepeat():
            touch = {
                Qt.KeyboardModifier.NoModifier: self.tapped,
                Qt.KeyboardModifier.ShiftModifier: self.pressed_long,
            }
            if (asked := touch.get(event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier)) is not None:
                asked.emit(self.nodes.node(self.currentIndex()))
                return
        super().keyPressEvent(event)

    def drawRow(  # noqa: N802 - Qt's name
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        """Paint selection and hover over the whole width of the panel."""
        rect = QRect(0, option.rect.top(), self.viewport().width(), option.rect.height())
        state = option.state
        if index == self.currentIndex():
            painter.fillRect(rect, theme.color("accent-weak"))
        elif state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(rect, theme.color("bg-3"))
        # The style would fill the indent in another colour, so the row is painted here.
        item = self.visualRect(index)
        self.drawBranches(painter, QRect(0, item.top(), item.left(), item.height()), index)
        strong = index == self.currentIndex()
        draw_node_line(painter, item.adjusted(4, 0, -8, 0), tree_line(index.data(NODE_ROLE)), strong=strong)

    def drawBranches(  # noqa: N802 - Qt's name
        self, painter: QPainter, rect: QRect, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Paint a guide line for each ancestor, and a chevron for a node with children."""
        level = 0
        above = index.parent()
        while above.isValid():
            level += 1
            above = above.parent()
        line = theme.color("line")
        for step in range(level):
            x = step * self.indentation() + _INSET + _INDENT // 2 + 1
            painter.fillRect(x, rect.top(), 1, rect.height(), line)
        if self.nodes.rowCount(index):
            name = "chevd" if self.isExpanded(index) else "chevr"
            left = max(0, rect.right() - _INDENT + 1 + (_INDENT - _CHEVRON) // 2 + _INSET // 2)
            box = QRect(left, rect.top(), _CHEVRON, rect.height())
            theme.draw_icon_in(painter, name, box, _CHEVRON, "text-2")
