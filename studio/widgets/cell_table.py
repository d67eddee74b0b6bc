"""A table of painted cells: text with icon, key cap or bar, one row chosen, walked by the keyboard."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import (
    QAbstractTableModel,
    QItemSelectionModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    Qt,
    Signal,
)
from PySide6.QtGui import QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from studio.theme import theme
from studio.widgets.painting import draw_key, draw_row_ground, draw_text, key_width

CELL_ROLE = Qt.ItemDataRole.UserRole
"""The :class:`TableCell` of an index."""
_SIDE, _ICON, _GAP, _BAR = 8, 14, 6, 4
_Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True)
class TableCell:
    """What one cell shows."""

    text: str = ""
    tone: str = "text"
    role: str = "body"
    icon: str = ""
    icon_tone: str = "text-2"
    key: str = ""
    """A key cap before the text."""
    share: float | None = None
    """A bar in place of the text, filled from 0 to 1; negative shares leave it empty."""
    tip: str = ""
    at_right: bool = False


@dataclass(frozen=True, slots=True)
class TableColumn:
    """A column: its title, and its width in logical pixels; 0 shares what is left."""

    title: str
    width: int = 0
    at_right: bool = False


class _CellModel(QAbstractTableModel):
    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.columns: tuple[TableColumn, ...] = ()
        self.rows: tuple[tuple[TableCell, ...], ...] = ()

    def show(self, columns: Sequence[TableColumn], rows: Sequence[Sequence[TableCell]]) -> None:
        """Replace everything."""
        self.beginResetModel()
        self.columns, self.rows = tuple(columns), tuple(map(tuple, rows))
        self.endResetModel()

    def update_rows(self, rows: Sequence[Sequence[TableCell]]) -> None:
        """Replace the cells of as many rows as there are."""
        self.rows = tuple(map(tuple, rows))
        if self.rows and self.columns:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self.rows) - 1, len(self.columns) - 1))

    def rowCount(self, parent: _Index | None = None) -> int:  # noqa: N802 - Qt's name
        return 0 if parent is not None and parent.isValid() else len(self.rows)

    def columnCount(self, parent: _Index | None = None) -> int:  # noqa: N802 - Qt's name
        return 0 if parent is not None and parent.isValid() else len(self.columns)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        cell = self.rows[index.row()][index.column()]
        if role == CELL_ROLE:
            return cell
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return cell.text
        return (cell.tip or cell.text) if role == Qt.ItemDataRole.ToolTipRole else None

    def headerData(  # noqa: N802 - Qt's name
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(self.columns):
            return None
        column = self.columns[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if column.at_right else Qt.AlignmentFlag.AlignLeft
            return side | Qt.AlignmentFlag.AlignVCenter
        return column.title if role == Qt.ItemDataRole.DisplayRole else None


class CellDelegate(QStyledItemDelegate):
    """Paints a :class:`TableCell`."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        cell: TableCell = index.data(CELL_ROLE)
        rect = option.rect
        draw_row_ground(
            painter, rect,
            is_selected=bool(option.state & QStyle.StateFlag.State_Selected),
            is_hovered=bool(option.state & QStyle.StateFlag.State_MouseOver),
        )  # fmt: skip
        place = rect.adjusted(_SIDE, 0, -_SIDE, 0)
        if cell.key:
            draw_key(painter, place, cell.key)
            place.setLeft(place.left() + key_width(cell.key) + _GAP)
        if cell.icon:
            box = QRect(place.left(), place.top(), _ICON, place.height())
            theme.draw_icon_in(painter, cell.icon, box, _ICON, cell.icon_tone)
            place.setLeft(place.left() + _ICON + _GAP)
        if cell.share is not None:
            bar = QRect(place.left(), place.center().y() - _BAR // 2 + 1, place.width(), _BAR)
            painter.fillRect(bar, theme.color("bg-4"))
            bar.setWidth(round(bar.width() * max(0.0, min(cell.share, 1.0))))
            painter.fillRect(bar, theme.color("accent"))
        elif cell.text:
            side = Qt.AlignmentFlag.AlignRight if cell.at_right else Qt.AlignmentFlag.AlignLeft
            draw_text(painter, place, cell.text, cell.role, cell.tone, side)


class CellTable(QTableView):
    """Rows of cells. Up and Down choose a row; Enter and a double click open it.

    The keys of ``left_keys`` are left to the commands of the window.
    """

    chosen = Signal(int)
    """The person chose the row with this number."""
    opened = Signal(int)

    def __init__(
        self, name: str, columns: Sequence[TableColumn], *, left_keys: str = "", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._columns = tuple(columns)
        self._cells = _CellModel(self)
        self._showing = False
        self.setModel(self._cells)
        self.setItemDelegate(CellDelegate(self))
        self.setAccessibleName(name)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setMouseTracking(True)
        self.setTabKeyNavigation(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(theme.size("row_list"))
        self.horizontalHeader().setSectionsClickable(False)
        self.horizontalHeader().setHighlightSections(False)
        self._left_keys = left_keys.split()
        self.setProperty("leavesKeys", left_keys)
        self.selectionModel().currentRowChanged.connect(self._row_changed)
        self.doubleClicked.connect(self._double_clicked)
        theme.changed.connect(self.viewport().update)
        self.show_rows(())

    @property
    def rows(self) -> tuple[tuple[TableCell, ...], ...]:
        """The cells on show, row by row."""
        return self._cells.rows

    @property
    def current(self) -> int:
        """The number of the chosen row; -1 for none."""
        return self.currentIndex().row()

    def set_columns(self, columns: Sequence[TableColumn]) -> None:
        """Show other columns; rows for them follow."""
        self._columns = tuple(columns)

    def show_rows(self, rows: Sequence[Sequence[TableCell]], current: int | None = None) -> None:
        """Show rows; without ``current`` the row with the same number stays chosen, without a signal."""
        wanted = self.current if current is None else current
        self._showing = True
        if self._cells.columns == self._columns and len(rows) == len(self._cells.rows):
            self._cells.update_rows(rows)
        else:
            self._cells.show(self._columns, rows)
            self._size_columns()
        self._choose(min(wanted, len(rows) - 1))
        self._showing = False

    def choose(self, row: int) -> None:
        """Choose a row; ``chosen`` follows when it was another."""
        self._choose(row)

    def _choose(self, row: int) -> None:
        if row == self.current and (row < 0 or self.selectionModel().isRowSelected(row)):
            return  # Qt makes the first row current with the focus, but does not select it
        if row < 0:
            self.selectionModel().clear()
            return
        flags = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
        self.selectionModel().setCurrentIndex(self._cells.index(row, 0), flags)
        self.scrollTo(self._cells.index(row, 0))

    def _size_columns(self) -> None:
        header = self.horizontalHeader()
        for place, column in enumerate(self._columns):
            if column.width:
                header.setSectionResizeMode(place, QHeaderView.ResizeMode.Fixed)
                header.resizeSection(place, column.width)
            else:
                header.setSectionResizeMode(place, QHeaderView.ResizeMode.Stretch)

    def _row_changed(self, current: QModelIndex) -> None:
        if not self._showing and current.isValid():
            self.chosen.emit(current.row())

    def _double_clicked(self, index: QModelIndex) -> None:
        self.opened.emit(index.row())

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        key = Qt.Key(event.key())
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.modifiers() and self.current >= 0:
            self.opened.emit(self.current)
        elif key.name.removeprefix("Key_") in self._left_keys:
            event.ignore()
        else:
            super().keyPressEvent(event)
