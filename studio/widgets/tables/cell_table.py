"""A table of painted cells: text with icon, key cap or bar, one row chosen, walked by the keyboard."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, QRect, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import (
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from collector.model.i18n import _
from studio.theme import theme
from studio.theme.mirroring import mirrored
from studio.widgets.painting import draw_item_ground, draw_key, draw_text, key_width
from studio.widgets.tables.spoken_cell import spoken_cell
from studio.widgets.tables.table_view import TableView

CELL_ROLE = Qt.ItemDataRole.UserRole
"""The :class:`TableCell` of an index."""
_ROLES = (
    CELL_ROLE, Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.ToolTipRole,
)  # fmt: skip
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
    tip: str = ""


class CellModel(QAbstractTableModel):
    """Rows of cells under columns; a subclass says which, and may make a cell when it is painted."""

    columns: Sequence[TableColumn] = ()

    def row_count(self) -> int:
        """Number of rows."""
        raise NotImplementedError

    def cell(self, row: int, column: int) -> TableCell:
        """What one cell shows."""
        raise NotImplementedError

    def rowCount(self, parent: _Index | None = None) -> int:  # noqa: N802 - Qt's name
        return 0 if parent is not None and parent.isValid() else self.row_count()

    def columnCount(self, parent: _Index | None = None) -> int:  # noqa: N802 - Qt's name
        return 0 if parent is not None and parent.isValid() else len(self.columns)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if role not in _ROLES or not index.isValid():
            return None
        cell = self.cell(index.row(), index.column())
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return cell.text
            case Qt.ItemDataRole.AccessibleTextRole:
                column = self.columns[index.column()]
                return spoken_cell(column.title or column.tip, cell.text or cell.tip)
            case Qt.ItemDataRole.ToolTipRole:
                return cell.tip or cell.text
        return cell

    def headerData(  # noqa: N802 - Qt's name
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(self.columns):
            return None
        column = self.columns[section]
        match role:
            case Qt.ItemDataRole.TextAlignmentRole:
                side = Qt.AlignmentFlag.AlignRight if column.at_right else Qt.AlignmentFlag.AlignLeft
                return side | Qt.AlignmentFlag.AlignVCenter
            case Qt.ItemDataRole.ToolTipRole:
                return column.tip or None
            case Qt.ItemDataRole.DisplayRole:
                return column.title
            case Qt.ItemDataRole.AccessibleTextRole:
                return column.title or column.tip or _("Column {number}", number=section + 1)
        return None


class _GivenCells(CellModel):
    """Cells that are all given at once."""

    rows: tuple[tuple[TableCell, ...], ...] = ()

    def row_count(self) -> int:
        return len(self.rows)

    def cell(self, row: int, column: int) -> TableCell:
        return self.rows[row][column]

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


class CellDelegate(QStyledItemDelegate):
    """Paints a :class:`TableCell`."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        with mirrored(painter, option.rect):
            self._paint_item(painter, option, index)

    def _paint_item(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        cell: TableCell = index.data(CELL_ROLE)
        rect = option.rect
        draw_item_ground(painter, option)
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


class CellTable(TableView):
    """Shows rows of cells that are all given at once."""

    def __init__(
        self, name: str, columns: Sequence[TableColumn], row_height: str = "row_list",
        *, left_keys: str = "", parent: QWidget | None = None,
    ) -> None:  # fmt: skip
        super().__init__(name, row_height, left_keys=left_keys, parent=parent)
        self._columns = tuple(columns)
        self._cells = _GivenCells(self)
        self.setModel(self._cells)
        self.setItemDelegate(CellDelegate(self))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.horizontalHeader().setSectionsClickable(False)
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
        self._is_showing = True
        if self._cells.columns == self._columns and len(rows) == len(self._cells.rows):
            self._cells.update_rows(rows)
        else:
            self._cells.show(self._columns, rows)
            size_columns(self, self._columns)
        self.choose(min(wanted, len(rows) - 1))
        self._is_showing = False


def size_columns(view: QTableView, columns: Sequence[TableColumn]) -> None:
    """Give columns their widths, and to those without one what is left."""
    header = view.horizontalHeader()
    for place, column in enumerate(columns):
        if column.width:
            header.setSectionResizeMode(place, QHeaderView.ResizeMode.Fixed)
            header.resizeSection(place, column.width)
        else:
            header.setSectionResizeMode(place, QHeaderView.ResizeMode.Stretch)
