"""A grid of painted cells between a head and a foot, with names at the left and figures at the right."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPoint, QRect, Qt, Signal
from PySide6.QtGui import (
    QGuiApplication,
    QHelpEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QToolTip, QWidget

from rule_editor.widgets.item_view import is_enter
from rule_editor.widgets.painted_rows import PaintedRows, expose_rows, tell_current
from rule_editor.widgets.toolkit import DesignTokens

_STEPS = {
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
}
"""Rows down and columns across for each arrow key."""


@dataclass(frozen=True, slots=True)
class GridCell:
    """A place in a grid: the row as it is shown, and the column; both from 0."""

    row: int
    column: int


class CellGrid(PaintedRows, QAbstractScrollArea):
    """One cell is current: arrows, Home, End and paging move it, Enter opens it, Ctrl+C copies its words.

    A subclass says which cells there are and paints them. It knows a cell by a key that outlives
    sorting and filtering: the current cell stays current where it is shown again. All lengths are
    logical pixels. Only visible rows and columns are painted, so that the cost ignores their number.
    """

    chosen = Signal(object)
    """The person moved to the cell with this key."""
    opened = Signal(object)
    """The person asks for the cell with this key, by Enter or a double click."""
    head_height = row_height = 22
    foot_height = 0
    column_width = 30
    """Width of each column, and what the horizontal scroll bar moves by."""
    names_width = 0
    figures_width = 0
    revealed_margin = QPoint()
    """What is to be seen around the current cell."""
    opens_on_click = False
    """Whether one click does."""

    def __init__(self, name: str, tokens: DesignTokens, parent: QWidget | None = None) -> None:
        """``name`` is read by assistive technology; the current cell is its description."""
        super().__init__(parent)
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self._tokens = tokens
        self._key: Hashable = None
        self.setFrameShape(QAbstractScrollArea.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(name)
        self.setProperty("takesNavigationKeys", True)
        self.viewport().setMouseTracking(True)
        tokens.changed.connect(self.refresh)
        expose_rows()

    # -- what a subclass says ------------------------------------------------
    def row_count(self) -> int:
        """Number of rows that are shown."""
        raise NotImplementedError

    def column_count(self) -> int:
        """Number of columns of the widest row."""
        raise NotImplementedError

    def key_of(self, cell: GridCell) -> Hashable:
        """What identifies a cell; None where there is none."""
        raise NotImplementedError

    def cell_of(self, key: Hashable) -> GridCell | None:
        """Where a cell is shown; None when it is filtered out, or gone."""
        raise NotImplementedError

    def describe(self, cell: GridCell) -> str:
        """A cell in words: its tooltip, its description, and what is copied."""
        raise NotImplementedError

    def row_tip(self, row: int) -> str:
        """What the tooltip says over the name of a row."""
        raise NotImplementedError

    def head_tip(self, _across: int) -> str:
        """What the tooltip says over the head, by the distance from the left edge of the first column."""
        return ""

    def first_cell(self) -> GridCell:
        """Where the first key goes while no cell is current."""
        return GridCell(0, 0)

    def paint_head(self, painter: QPainter, columns: range) -> None:
        """Paint the titles over names, columns and figures."""
        raise NotImplementedError

    def paint_foot(self, painter: QPainter) -> None:
        """Paint what stands below the cells, over the rows that are scrolled there."""

    def paint_row(self, painter: QPainter, row: int, top: int, *, is_current: bool) -> None:
        """Paint the ground, name and figures of a row; ``is_current`` when the current cell is in it."""
        raise NotImplementedError

    def paint_cell(self, painter: QPainter, cell: GridCell, box: QRect) -> None:
        """Paint a cell into its rectangle."""
        raise NotImplementedError

    # -- columns: as wide as each other, unless a subclass says so ------------
    def cells_width(self) -> int:
        """Width of all columns."""
        return self.column_count() * self.column_width

    def left_of(self, column: int) -> int:
        """Where a column begins, from the left edge of the first."""
        return column * self.column_width

    def width_of(self, _column: int) -> int:
        """Width of the cells of a column."""
        return self.column_width

    def column_at(self, across: int) -> int | None:
        """The column at a distance from the left edge of the first; None between two."""
        return across // self.column_width

    def columns_within(self, left: int, right: int) -> range:
        """The columns that lie at least partly between two distances."""
        return range(left // self.column_width, min(right // self.column_width + 1, self.column_count()))

    # -- the current cell ----------------------------------------------------
    @property
    def current(self) -> Hashable:
        """The key of the current cell; None without one, and while it is filtered out."""
        return self._key if self.current_cell is not None else None

    @property
    def current_cell(self) -> GridCell | None:
        """Where the current cell is shown."""
        return self.cell_of(self._key) if self._key is not None else None

    def set_current(self, key: Hashable, *, reveals: bool = True) -> None:
        """Make a cell the current one, without a signal; None for none. ``reveals`` scrolls to it."""
        self._key = key
        self._show_current(reveals=reveals)

    def go(self, cell: GridCell) -> None:
        """Make a cell the current one, as the person does; nothing happens where there is none."""
        key = self.key_of(cell)
        if key is not None:
            self.set_current(key)
            self.chosen.emit(key)

    def open_current(self) -> None:
        """Emit ``opened`` for the current cell."""
        if (key := self.current) is not None:
            self.opened.emit(key)

    def choose_at(self, point: QPoint | None) -> QPoint | None:
        """Choose the cell at a point for its menu; without a point, the current one. Return its place."""
        cell = self.cell_at(point) if point is not None else self.current_cell
        if cell is None:
            return None
        self.go(cell)
        return point if point is not None else self.cell_rect(cell).center()

    def copy(self) -> None:
        """Put the words of the current cell onto the clipboard."""
        if (cell := self.current_cell) is not None:
            QGuiApplication.clipboard().setText(self.describe(cell))

    def refresh(self) -> None:
        """Measure and paint again, after rows or columns changed."""
        self._measure()
        self.describe_current()
        self.viewport().update()

    def _show_current(self, *, reveals: bool = True) -> None:
        if (cell := self.current_cell) is not None and reveals:
            self._reveal(cell)
        self.describe_current()
        tell_current(self)
        self.viewport().update()

    def describe_current(self) -> None:
        """Tell assistive technology what is known of the current cell now."""
        cell = self.current_cell
        self.setAccessibleDescription(self.describe(cell) if cell is not None else "")

    # -- for assistive technology ----------------------------------------------
    def spoken_rows(self) -> int:
        return self.row_count()

    def spoken_cells(self, row: int) -> int:
        columns = range(self.column_count() - 1, -1, -1)
        return next((each + 1 for each in columns if self.key_of(GridCell(row, each)) is not None), 0)

    def row_words(self, row: int) -> str:
        return self.row_tip(row)

    def cell_words(self, row: int, number: int) -> str:
        cell = GridCell(row, number)
        return self.describe(cell) if self.key_of(cell) is not None else ""

    def row_place(self, row: int) -> QRect:
        return QRect(0, self.top_of(row), self.viewport().width(), self.row_height)

    def cell_place(self, row: int, number: int) -> QRect:
        return self.cell_rect(GridCell(row, number))

    def current_place(self) -> tuple[int, int] | None:
        cell = self.current_cell
        return (cell.row, cell.column) if cell is not None else None

    # -- places --------------------------------------------------------------
    def cells_rect(self) -> QRect:
        """The part of the viewport with cells."""
        room = self.viewport().rect()
        width = min(self.cells_width(), room.width() - self.names_width - self.figures_width)
        height = room.height() - self.head_height - self.foot_height
        return QRect(self.names_width, self.head_height, max(0, width), max(0, height))

    def cell_rect(self, cell: GridCell) -> QRect:
        """Where a cell is drawn, in pixels of the viewport."""
        left = self.cells_left() + self.left_of(cell.column)
        return QRect(left, self.top_of(cell.row), self.width_of(cell.column), self.row_height)

    def frame_rect(self, cell: GridCell) -> QRect:
        """What is framed while a cell is current."""
        return self.cell_rect(cell)

    def cells_left(self) -> int:
        """Where the first column begins in the viewport; it may be scrolled away."""
        return self.names_width - self.horizontalScrollBar().value()

    def top_of(self, row: int) -> int:
        """Where a row begins in the viewport."""
        return self.head_height + row * self.row_height - self.verticalScrollBar().value()

    def row_at(self, point: QPoint) -> int:
        """The row at a point below the head; there may be none with this number."""
        return (point.y() - self.top_of(0)) // self.row_height

    def cell_at(self, point: QPoint) -> GridCell | None:
        """The cell at a point; None where there is none."""
        if not self.cells_rect().contains(point):
            return None
        column = self.column_at(point.x() - self.cells_left())
        cell = GridCell(self.row_at(point), column) if column is not None else None
        return cell if cell is not None and self.key_of(cell) is not None else None

    def _measure(self) -> None:
        across, down, cells = self.horizontalScrollBar(), self.verticalScrollBar(), self.cells_rect()
        across.setRange(0, max(0, self.cells_width() - cells.width()))
        across.setPageStep(max(1, cells.width()))
        across.setSingleStep(self.column_width)
        down.setRange(0, max(0, self.row_count() * self.row_height - cells.height()))
        down.setPageStep(max(self.row_height, cells.height()))
        down.setSingleStep(self.row_height)

    def _reveal(self, cell: GridCell) -> None:
        margin, room = self.revealed_margin, self.cells_rect()
        box = self.cell_rect(cell).adjusted(-margin.x(), -margin.y(), margin.x(), margin.y())
        across, down = self.horizontalScrollBar(), self.verticalScrollBar()
        across.setValue(
            across.value() + min(0, box.left() - room.left()) + max(0, box.right() - room.right())
        )
        down.setValue(down.value() + min(0, box.top() - room.top()) + max(0, box.bottom() - room.bottom()))

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self._measure()

    # -- input ---------------------------------------------------------------
    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        cell = self.cell_at(event.position().toPoint())
        if cell is not None and event.button() == Qt.MouseButton.LeftButton:
            self.go(cell)
            if self.opens_on_click:
                self.open_current()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        is_left = event.button() == Qt.MouseButton.LeftButton
        if is_left and self.cell_at(event.position().toPoint()) is not None:
            self.open_current()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        key, columns = Qt.Key(event.key()), self.column_count()
        page = max(1, self.cells_rect().height() // self.row_height - 1)
        steps = {
            **_STEPS,
            Qt.Key.Key_PageUp: (-page, 0), Qt.Key.Key_PageDown: (page, 0),
            Qt.Key.Key_Home: (0, -columns), Qt.Key.Key_End: (0, columns),
        }  # fmt: skip
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        elif is_enter(event):
            self.open_current()
        elif key in steps and self.row_count():
            self._step(*steps[key])
        else:
            super().keyPressEvent(event)

    def _step(self, down: int, across: int) -> None:
        """Move by rows and columns, as far as there are cells."""
        here = self.current_cell
        if here is None:
            self._go_near(self.first_cell(), 1)
            return
        row = min(max(0, here.row + down), self.row_count() - 1)
        column = min(max(0, here.column + across), self.column_count() - 1)
        is_last = column == self.column_count() - 1
        backwards = is_last if across > 0 else column > 0
        self._go_near(GridCell(row, column), -1 if backwards else 1)

    def _go_near(self, cell: GridCell, direction: int) -> None:
        """Go to a cell; where there is none, to the next one of its row in a direction."""
        while 0 <= cell.column < self.column_count():
            if self.key_of(cell) is not None:
                self.go(cell)
                return
            cell = GridCell(cell.row, cell.column + direction)

    def viewportEvent(self, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        if isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), self.tip_at(event.pos()), self.viewport())
            return True
        return super().viewportEvent(event)

    def tip_at(self, point: QPoint) -> str:
        """What is known of the cell, the row or the column at a point."""
        if (cell := self.cell_at(point)) is not None:
            return self.describe(cell)
        row, is_name = self.row_at(point), point.x() < self.names_width
        if point.y() < self.head_height:
            return "" if is_name else self.head_tip(point.x() - self.cells_left())
        is_above_foot = point.y() <= self.cells_rect().bottom()
        return self.row_tip(row) if is_name and is_above_foot and 0 <= row < self.row_count() else ""

    # -- painting ------------------------------------------------------------
    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter, dirty, top = QPainter(self.viewport()), event.rect(), self.top_of(0)
        painter.setLayoutDirection(self.layoutDirection())
        painter.fillRect(dirty, self._tokens.color("bg-1"))
        first = max(0, (dirty.top() - top) // self.row_height)
        rows = range(first, min(self.row_count(), (dirty.bottom() - top) // self.row_height + 1))
        offset, cells = self.horizontalScrollBar().value(), self.cells_rect()
        columns = self.columns_within(offset, offset + cells.width())
        self.paint_rows(painter, rows, columns)
        self.paint_current(painter)
        if dirty.top() < self.head_height:
            self.paint_head(painter, columns)
        if self.foot_height:
            self.paint_foot(painter)

    def paint_rows(self, painter: QPainter, rows: range, columns: range) -> None:
        """Paint rows, and their cells in columns."""
        current = self.current_cell
        for row in rows:
            is_current = current is not None and current.row == row
            self.paint_row(painter, row, self.top_of(row), is_current=is_current)
        painter.save()
        painter.setClipRect(self.cells_rect())
        for cell in (GridCell(row, column) for row in rows for column in columns):
            if self.key_of(cell) is not None:
                self.paint_cell(painter, cell, self.cell_rect(cell))
        painter.restore()

    def paint_current(self, painter: QPainter) -> None:
        """Frame the current cell."""
        if (cell := self.current_cell) is not None:
            painter.save()
            painter.setClipRect(self.cells_rect())
            painter.setPen(QPen(self._tokens.color("accent"), 2))
            painter.drawRect(self.frame_rect(cell).adjusted(1, 1, -2, -2))
            painter.restore()
