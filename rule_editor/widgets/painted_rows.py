"""Rows and cells of a painted widget for assistive technology, which otherwise finds nothing in the widget.

Nothing here runs before a screen reader, or a test, asks for what is on the screen.
"""

from __future__ import annotations

from functools import cache, partial
from typing import Any

from PySide6.QtCore import QObject, QPoint, QRect
from PySide6.QtGui import QAccessible, QAccessibleEvent, QAccessibleInterface
from PySide6.QtWidgets import QAbstractScrollArea, QAccessibleWidget

from collector.model.i18n import _

_Place = tuple[int, int]


class PaintedRows:
    """What a scroll area that paints its rows says of them; its constructor calls :func:`expose_rows`.

    Rows and their cells are counted from 0. Places are pixels of the viewport.
    """

    def spoken_rows(self) -> int:
        """Number of rows."""
        raise NotImplementedError

    def spoken_cells(self, row: int) -> int:
        """Number of cells in a row."""
        raise NotImplementedError

    def row_words(self, row: int) -> str:
        """The name of a row."""
        raise NotImplementedError

    def cell_words(self, row: int, number: int) -> str:
        """What a cell says."""
        raise NotImplementedError

    def row_place(self, row: int) -> QRect:
        """Where a row is painted; it may be scrolled away."""
        raise NotImplementedError

    def cell_place(self, row: int, number: int) -> QRect:
        """Where a cell is painted; it may be scrolled away."""
        raise NotImplementedError

    def current_place(self) -> _Place | None:
        """Row and number of the current cell."""
        raise NotImplementedError


@cache
def expose_rows() -> None:
    """Let assistive technology find the rows of every :class:`PaintedRows` of this process."""
    QAccessible.installFactory(_interface_of)


def tell_current(widget: QAbstractScrollArea) -> None:
    """Tell a screen reader that another cell is current."""
    if not QAccessible.isActive() or not widget.hasFocus():
        return
    shown = QAccessible.queryAccessibleInterface(widget)
    cell = shown.focusChild() if isinstance(shown, _Table) else None
    if cell is not None:
        QAccessible.updateAccessibility(QAccessibleEvent(cell, QAccessible.Event.Focus))


def _interface_of(_class_name: str, of: QObject | None) -> QAccessibleInterface | None:
    if isinstance(of, QAbstractScrollArea) and isinstance(of, PaintedRows):
        return _Table(of)
    return None


# Qt takes None where its stubs for Python do not: hence Any.
class _Table(QAccessibleWidget):
    """The widget. Its rows and cells are made when they are asked for, and live as long as the widget."""

    def __init__(self, area: QAbstractScrollArea) -> None:
        super().__init__(area, QAccessible.Role.Table)
        assert isinstance(area, PaintedRows)
        self.area, self.rows = area, area
        self._parts: dict[_Place, _Part] = {}
        ids: list[int] = []
        self._ids = ids
        # Qt frees the interface of a destroyed widget, but not those that it made.
        area.destroyed.connect(partial(_free, ids))

    def part(self, row: int, number: int = -1) -> _Part | None:
        """A row, or one of its cells; None where there is none."""
        if not 0 <= row < self.rows.spoken_rows() or number >= self.rows.spoken_cells(row):
            return None
        part = self._parts.get((row, number))
        if part is None:
            part = self._parts[row, number] = _Part(self, row, number)
            self._ids.append(QAccessible.registerAccessibleInterface(part))
        return part

    def childCount(self) -> int:  # noqa: N802 - Qt's name
        return self.rows.spoken_rows()

    def child(self, index: int) -> Any:
        return self.part(index)

    def indexOfChild(self, child: QAccessibleInterface) -> int:  # noqa: N802 - Qt's name
        return child.row if isinstance(child, _Part) and child.number < 0 else -1

    def childAt(self, x: int, y: int) -> Any:  # noqa: N802 - Qt's name
        at = self.area.viewport().mapFromGlobal(QPoint(x, y))
        rows = range(self.rows.spoken_rows())
        row = next((row for row in rows if self.rows.row_place(row).contains(at)), -1)
        return self.part(row)

    def focusChild(self) -> Any:  # noqa: N802 - Qt's name
        place = self.rows.current_place()
        return self.part(*place) if place is not None and self.area.hasFocus() else None


class _Part(QAccessibleInterface):
    """A row, or a cell of it; rows have the number -1."""

    def __init__(self, table: _Table, row: int, number: int) -> None:
        super().__init__()
        self._table, self.row, self.number = table, row, number

    @property
    def _is_row(self) -> bool:
        return self.number < 0

    def isValid(self) -> bool:  # noqa: N802 - Qt's name
        rows = self._table.rows
        return self.row < rows.spoken_rows() and self.number < rows.spoken_cells(self.row)

    def object(self) -> Any:
        return None

    def window(self) -> Any:
        return self._table.window()

    def parent(self) -> Any:
        return self._table if self._is_row else self._table.part(self.row)

    def childCount(self) -> int:  # noqa: N802 - Qt's name
        return self._table.rows.spoken_cells(self.row) if self._is_row else 0

    def child(self, index: int) -> Any:
        return self._table.part(self.row, index) if self._is_row and index >= 0 else None

    def indexOfChild(self, child: QAccessibleInterface) -> int:  # noqa: N802 - Qt's name
        return child.number if self._is_row and isinstance(child, _Part) and child.row == self.row else -1

    def childAt(self, x: int, y: int) -> Any:  # noqa: N802 - Qt's name
        at = self._table.area.viewport().mapFromGlobal(QPoint(x, y))
        rows, cells = self._table.rows, range(self.childCount())
        return self.child(next((cell for cell in cells if rows.cell_place(self.row, cell).contains(at)), -1))

    def focusChild(self) -> Any:  # noqa: N802 - Qt's name
        return None

    def role(self) -> QAccessible.Role:
        return QAccessible.Role.Row if self._is_row else QAccessible.Role.Cell

    def rect(self) -> QRect:
        place, viewport = self._place(), self._table.area.viewport()
        return QRect(viewport.mapToGlobal(place.topLeft()), place.size())

    def _place(self) -> QRect:
        rows = self._table.rows
        return rows.row_place(self.row) if self._is_row else rows.cell_place(self.row, self.number)

    def text(self, kind: QAccessible.Text) -> str:
        if kind != QAccessible.Text.Name or not self.isValid():
            return ""
        rows = self._table.rows
        words = rows.row_words(self.row) if self._is_row else rows.cell_words(self.row, self.number)
        return ", ".join(line.strip() for line in words.splitlines() if line.strip()) or _("empty")

    def setText(self, kind: QAccessible.Text, text: str) -> None:  # noqa: N802 - Qt's name
        """Nothing can be written here."""

    def state(self) -> QAccessible.State:
        state = QAccessible.State()
        table = self._table
        if not self.isValid() or not self._place().intersects(table.area.viewport().rect()):
            state.offscreen = state.invisible = True
        if not self._is_row:
            state.focusable = state.selectable = True
            state.selected = table.rows.current_place() == (self.row, self.number)
            state.focused = state.selected and table.area.hasFocus()
        return state


def _free(ids: list[int], _area: QObject | None = None) -> None:
    for each in ids:
        QAccessible.deleteAccessibleInterface(each)
    ids.clear()
