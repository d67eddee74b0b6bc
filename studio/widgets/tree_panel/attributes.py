"""A table of all attributes of a node as in the dump; a click copies a value."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    QSize,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QHeaderView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from collector.model.i18n import _
from collector.model.tree import Node
from studio.theme import theme
from studio.theme.mirroring import mirrored
from studio.widgets.painting import draw_text, elided
from studio.widgets.tables.table_view import TableView
from studio.widgets.wrapped_text import tooltip_text

_FIRST = ("text", "resource-id", "class", "content-desc", "bounds", "clickable", "enabled", "selected")
_PROSE = frozenset({"text", "content-desc", "hint", "tooltip-text"})
_NAME_WIDTH = 116
_ARROW = 24
CHANGE_ROLE = Qt.ItemDataRole.UserRole + 1
"""Of an attribute that differs from the counterpart's its values before and after; else None."""
_Index = QModelIndex | QPersistentModelIndex


class AttributeModel(QAbstractTableModel):
    """Two columns, name and value; the most used attributes come first.

    Beside a counterpart, the node on another screen, those that differ come before all others.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: list[tuple[str, str]] = []
        self._changes: dict[str, tuple[str, str]] = {}

    def set_node(
        self, node: Node | None, counterpart: Node | None = None, *, counterpart_is_first: bool = True
    ) -> None:
        """Show a node; ``counterpart_is_first`` says that its counterpart has the values before."""
        self.beginResetModel()
        given = dict(node.attributes) if node is not None else {}
        other = dict(counterpart.attributes) if counterpart is not None else given
        names = list(dict.fromkeys((*_FIRST, *given, *other)))
        self._changes = {
            name: (other.get(name, ""), given.get(name, ""))
            if counterpart_is_first
            else (given.get(name, ""), other.get(name, ""))
            for name in names
            if given.get(name, "") != other.get(name, "")
        }
        names.sort(key=lambda name: name not in self._changes)
        self._rows = [(name, given.get(name, "")) for name in names if name in given or name in other]
        self.endResetModel()

    @property
    def changes(self) -> dict[str, tuple[str, str]]:
        """The attributes that differ from the counterpart's, as (before, after)."""
        return self._changes

    def rowCount(self, parent: _Index | None = None) -> int:  # noqa: N802 - Qt's name
        return 0 if parent is not None and parent.isValid() else len(self._rows)

    def columnCount(self, parent: _Index | None = None) -> int:  # noqa: N802 - Qt's name
        return 0 if parent is not None and parent.isValid() else 2

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        name, value = self._rows[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return value if index.column() else name
        change = self._changes.get(name)
        if role == CHANGE_ROLE:
            return change
        if role == Qt.ItemDataRole.ToolTipRole:
            return tooltip_text("\n→ ".join(each or _("empty") for each in change) if change else value)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            shown = " → ".join(each or _("empty") for each in change) if change else value or _("empty")
            return f"{name}: {shown}"
        return None


class _AttributeDelegate(QStyledItemDelegate):
    """Paint names in the secondary tone, and values in the mono font unless they are prose."""

    def sizeHint(self, _option: QStyleOptionViewItem, _index: object) -> QSize:  # noqa: N802 - Qt's name
        return QSize(80, theme.size("row_tree"))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        with mirrored(painter, option.rect):
            self._paint_item(painter, option, index)

    def _paint_item(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        rect: QRect = option.rect
        state = option.state
        if state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, theme.color("accent-weak"))
        elif index.data(CHANGE_ROLE) is not None:
            painter.fillRect(rect, theme.color("warn-weak"))
        painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, theme.color("line"))
        text = index.data()
        if index.column() == 0:
            draw_text(painter, rect.adjusted(12, 0, -4, 0), text, "body", "text-2")
            return
        name = index.sibling(index.row(), 0).data()
        inner = rect.adjusted(0, 0, -12, 0)
        change = index.data(CHANGE_ROLE)
        if change is None:
            _draw_value(painter, inner, name, text)
            return
        before, after = change
        half = inner.adjusted(0, 0, -(inner.width() + _ARROW) // 2, 0)
        left = half.left() + _draw_value(painter, half, name, before, "text-2")
        left += draw_text(painter, QRect(left, rect.top(), _ARROW, rect.height()), " → ", "body", "text-2")
        _draw_value(painter, QRect(left, rect.top(), inner.right() - left + 1, rect.height()), name, after)


def _draw_value(painter: QPainter, inner: QRect, name: str, text: str, tone: str = "text") -> int:
    """Draw the value of an attribute; return the width it took."""
    if not text:
        return draw_text(painter, inner, _("empty"), "body", "text-3")
    plain = name in _PROSE or text in ("true", "false") or text.isdecimal()
    role, shown = "body" if plain else "code_inline", " ".join(text.split())
    if name not in _PROSE:  # ids and classes differ at their ends
        shown = elided(theme.font(role), shown, inner.width(), Qt.TextElideMode.ElideMiddle)
    return draw_text(painter, inner, shown, role, tone)


class AttributeTable(TableView):
    """A click copies a value, as Enter and Ctrl+C do; emits the copied text."""

    copied = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(_("Attributes of the node"), "row_tree", parent=parent)
        self.attributes = AttributeModel(self)
        self.setModel(self.attributes)
        self.setItemDelegate(_AttributeDelegate(self))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.horizontalHeader().hide()
        self.horizontalHeader().setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        self.setColumnWidth(0, _NAME_WIDTH)
        self.viewport().setCursor(Qt.CursorShape.PointingHandCursor)
        self.clicked.connect(self.copy)
        self.opened.connect(self.copy)

    def set_node(
        self, node: Node | None, counterpart: Node | None = None, *, counterpart_is_first: bool = True
    ) -> None:
        """Show a node, beside its counterpart on another screen where there is one."""
        self.attributes.set_node(node, counterpart, counterpart_is_first=counterpart_is_first)

    def copied_text(self) -> str:
        """The value of the current attribute."""
        return str(self.currentIndex().siblingAtColumn(1).data() or "")

    @Slot()
    def copy(self) -> None:
        """Put the value onto the clipboard."""
        super().copy()
        self.copied.emit(self.copied_text())
