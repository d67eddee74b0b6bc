"""A heat map: a coloured cell for each row and column with its percent and count, walked by the keyboard."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QSizePolicy, QToolTip, QWidget

from studio.theme import theme
from studio.widgets.metric_plots.heat_cells import HeatSheet, step_color, step_of, step_titles, step_tone
from studio.widgets.painting import draw_text, text_width
from studio.widgets.wrapped_text import tooltip_text

Place = tuple[int, int]
"""``(row, column)`` of a cell."""
_SIDE, _HEAD, _SCALE, _GAP = 14, 24, 28, 8
_LEAST_NAMES, _MOST_NAMES = 60, 170
_LEAST_CELL, _MOST_CELL = QSize(64, 34), QSize(150, 52)
_SWATCH = 12
_STEPS: dict[Qt.Key, Place] = {
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
}


class HeatMapView(QAbstractScrollArea):
    """Emits the ``(row, column)`` of a cell when it is chosen, and when it is opened. Names stay in view."""

    chosen = Signal(object)
    opened = Signal(object)
    """Enter, or a second click on the cell."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._sheet = HeatSheet()
        self._current: Place | None = None
        self._names = _LEAST_NAMES
        self._cell = _LEAST_CELL
        self.setFrameShape(QAbstractScrollArea.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)
        self.setAccessibleName(name)
        self.setProperty("takesNavigationKeys", True)
        theme.changed.connect(self._measure)

    # -- what is shown -------------------------------------------------------
    @property
    def sheet(self) -> HeatSheet:
        return self._sheet

    @property
    def current(self) -> Place | None:
        """The cell of the keyboard cursor."""
        return self._current

    def show_sheet(self, sheet: HeatSheet) -> None:
        """Show other cells; without a cursor, which was on a cell of the others."""
        if sheet != self._sheet:
            self._current = None
        self._sheet = sheet
        self._measure()

    def _measure(self) -> None:
        """Give rows and columns the room that there is, and scroll what does not fit."""
        sheet = self._sheet
        widest = max((text_width(name, "name") for name in sheet.rows), default=0)
        self._names = min(_MOST_NAMES, max(_LEAST_NAMES, widest + _GAP))
        needed = max(
            (text_width(cell.text, "caption") + 2 * _GAP for row in sheet.cells for cell in row), default=0
        )
        room = self._room()
        width = room.width() // max(1, len(sheet.columns))
        height = room.height() // max(1, len(sheet.rows))
        self._cell = QSize(
            min(_MOST_CELL.width(), max(_LEAST_CELL.width(), needed, width)),
            min(_MOST_CELL.height(), max(_LEAST_CELL.height(), height)),
        )
        bars = (
            (
                self.horizontalScrollBar(),
                len(sheet.columns) * self._cell.width(),
                room.width(),
                self._cell.width(),
            ),
            (
                self.verticalScrollBar(),
                len(sheet.rows) * self._cell.height(),
                room.height(),
                self._cell.height(),
            ),
        )
        for bar, whole, seen, one in bars:
            bar.setRange(0, max(0, whole - seen))
            bar.setPageStep(max(one, seen))
            bar.setSingleStep(one)
        self.viewport().update()

    def _room(self) -> QSize:
        """The part of the viewport that cells are seen in."""
        seen = self.viewport().size()
        return QSize(max(1, seen.width() - self._names - 2 * _SIDE), max(1, seen.height() - _HEAD - _SCALE))

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self._measure()

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(440, 220)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(200, _HEAD + _LEAST_CELL.height() + _SCALE)

    # -- places --------------------------------------------------------------
    def cell_rect(self, place: Place) -> QRect:
        """The place of a cell in pixels of the viewport."""
        corner = QPoint(self.horizontalScrollBar().value(), self.verticalScrollBar().value())
        return self._whole_rect(place).translated(-corner)

    def _whole_rect(self, place: Place) -> QRect:
        """The place of a cell where nothing is scrolled."""
        left = _SIDE + self._names + place[1] * self._cell.width()
        return QRect(QPoint(left, _HEAD + place[0] * self._cell.height()), self._cell)

    def _cells_rect(self) -> QRect:
        return QRect(QPoint(_SIDE + self._names, _HEAD), self._room())

    def place_at(self, at: QPoint) -> Place | None:
        """The cell there."""
        if not self._cells_rect().contains(at):
            return None
        across = at.x() - self._cells_rect().left() + self.horizontalScrollBar().value()
        down = at.y() - _HEAD + self.verticalScrollBar().value()
        place = down // self._cell.height(), across // self._cell.width()
        return place if self._sheet.cell(place) is not None else None

    def tip_at(self, at: QPoint) -> str:
        """What is known of the cell there; else the whole name of the row or the column."""
        place = self.place_at(at)
        cell = self._sheet.cell(place) if place is not None else None
        if cell is not None:
            return cell.tip
        area = self._cells_rect()
        column = (at.x() - area.left() + self.horizontalScrollBar().value()) // self._cell.width()
        row = (at.y() - _HEAD + self.verticalScrollBar().value()) // self._cell.height()
        if at.y() < _HEAD and at.x() >= area.left() and column < len(self._sheet.columns):
            return self._sheet.columns[column]
        if at.x() < area.left() and area.top() <= at.y() <= area.bottom() and row < len(self._sheet.rows):
            return self._sheet.rows[row]
        return ""

    # -- input ---------------------------------------------------------------
    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        place = self.place_at(event.position().toPoint())
        if place is not None and event.button() == Qt.MouseButton.LeftButton:
            self._go(place)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        place = self.place_at(event.position().toPoint())
        if place is not None:
            self.opened.emit(place)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        key, sheet = Qt.Key(event.key()), self._sheet
        last = len(sheet.rows) - 1, len(sheet.columns) - 1
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._current and not event.modifiers():
            self.opened.emit(self._current)
        elif min(last) < 0 or (key not in _STEPS and key not in (Qt.Key.Key_Home, Qt.Key.Key_End)):
            super().keyPressEvent(event)
        elif key == Qt.Key.Key_End:
            self._go(last)
        elif key == Qt.Key.Key_Home or self._current is None:
            self._go((0, 0))
        else:
            moved = (here + step for here, step in zip(self._current, _STEPS[key], strict=True))
            row, column = (min(max(0, to), most) for to, most in zip(moved, last, strict=True))
            self._go((row, column))

    def _go(self, place: Place) -> None:
        is_other, self._current = place != self._current, place
        cell = self._sheet.cell(place)
        self.setAccessibleDescription(cell.tip if cell is not None else "")
        self._reveal(place)
        self.viewport().update()
        if is_other:
            self.chosen.emit(place)

    def _reveal(self, place: Place) -> None:
        box, area = self.cell_rect(place), self._cells_rect()
        across, down = self.horizontalScrollBar(), self.verticalScrollBar()
        across.setValue(
            across.value() + min(0, box.left() - area.left()) + max(0, box.right() - area.right())
        )
        down.setValue(down.value() + min(0, box.top() - area.top()) + max(0, box.bottom() - area.bottom()))

    def viewportEvent(self, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        if isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), tooltip_text(self.tip_at(event.pos())), self.viewport())
            return True
        return super().viewportEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802 - Qt's name
        super().focusInEvent(event)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802 - Qt's name
        super().focusOutEvent(event)
        self.viewport().update()

    # -- painting ------------------------------------------------------------
    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = QPainter(self.viewport())
        area = self._cells_rect()
        scrolled = QPoint(self.horizontalScrollBar().value(), self.verticalScrollBar().value())
        self._paint(painter, area, scrolled)
        if self._current is not None:
            painter.setClipRect(area)
            # Two lines, of which one is seen on every colour.
            box, wide = self.cell_rect(self._current), 2 if self.hasFocus() else 1
            for inset, tone in ((1, "text"), (1 + wide, "bg-1")):
                painter.setPen(QPen(theme.color(tone), wide))
                painter.drawRect(box.adjusted(inset, inset, -inset - 1, -inset - 1))
            painter.setClipping(False)
        cells = len(self._sheet.rows) * self._cell.height()
        self._paint_scale(painter, _HEAD + min(area.height(), cells))

    def _paint(self, painter: QPainter, area: QRect, scrolled: QPoint) -> None:
        """Draw the cells that are seen in ``area``, and the names of their rows and columns."""
        sheet, cell = self._sheet, self._cell
        first = scrolled.y() // cell.height(), scrolled.x() // cell.width()
        rows = range(first[0], min(len(sheet.rows), first[0] + area.height() // cell.height() + 2))
        columns = range(first[1], min(len(sheet.columns), first[1] + area.width() // cell.width() + 2))
        painter.setClipRect(area)
        for row in rows:
            for column in columns:
                self._paint_cell(
                    painter, self._whole_rect((row, column)).translated(-scrolled), (row, column)
                )
        painter.setClipRect(QRect(area.left(), 0, area.width(), _HEAD))
        for column in columns:
            left = self._whole_rect((0, column)).left() - scrolled.x()
            box = QRect(left + 2, 0, cell.width() - 4, _HEAD)
            draw_text(painter, box, sheet.columns[column], "caption", "text-2", Qt.AlignmentFlag.AlignHCenter)
        painter.setClipRect(QRect(0, area.top(), area.left(), area.height()))
        for row in rows:
            top = self._whole_rect((row, 0)).top() - scrolled.y()
            draw_text(painter, QRect(_SIDE, top, self._names - _GAP, cell.height()), sheet.rows[row], "name")
        painter.setClipping(False)

    def _paint_cell(self, painter: QPainter, box: QRect, place: Place) -> None:
        cell = self._sheet.cell(place)
        assert cell is not None
        inside = box.adjusted(1, 1, -1, -1)
        middle = Qt.AlignmentFlag.AlignHCenter
        if cell.value is None:
            painter.setPen(QPen(theme.color("line-2"), 1, Qt.PenStyle.DashLine))
            painter.drawRect(inside.adjusted(0, 0, -1, -1))
            draw_text(painter, inside.adjusted(3, 0, -3, 0), cell.text, "caption", "text-3", middle)
            return
        step = step_of(cell.value)
        painter.fillRect(inside, step_color(step))
        half = inside.height() // 2
        upper = QRect(inside.left(), inside.top() + 2, inside.width(), half)
        lower = QRect(inside.left(), inside.top() + half, inside.width(), inside.height() - half - 2)
        draw_text(painter, upper, cell.text, "name", step_tone(step), middle)
        draw_text(painter, lower, cell.count, "caption", step_tone(step), middle)

    def _paint_scale(self, painter: QPainter, top: int) -> None:
        """Draw each colour with the percentages that it stands for."""
        left = _SIDE + self._names
        for step, title in enumerate(step_titles()):
            box = QRect(left, top + (_SCALE - _SWATCH) // 2, _SWATCH, _SWATCH)
            painter.fillRect(box, step_color(step))
            painter.setPen(QPen(theme.color("line-2"), 1))
            painter.drawRect(box)
            words = QRect(box.right() + 5, top, text_width(title, "caption") + 2, _SCALE)
            left = words.left() + draw_text(painter, words, title, "caption", "text-2") + 10

    # -- export --------------------------------------------------------------
    def plot_size(self) -> QSize:
        """The size of the whole map, also what is scrolled away."""
        last = self._whole_rect((len(self._sheet.rows) - 1, len(self._sheet.columns) - 1))
        scale = sum(_SWATCH + 15 + text_width(title, "caption") for title in step_titles())
        return QSize(max(last.right(), _SIDE + self._names + scale) + _SIDE, last.bottom() + 1 + _SCALE)

    def paint_plot(self, painter: QPainter) -> None:
        """Draw the whole map from 0, 0, without the cursor."""
        size = self.plot_size()
        left = _SIDE + self._names
        self._paint(
            painter, QRect(left, _HEAD, size.width() - left, size.height() - _HEAD - _SCALE), QPoint(0, 0)
        )
        self._paint_scale(painter, size.height() - _SCALE)
