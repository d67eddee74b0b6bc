"""Rows of a paired comparison: both rates of each row on one line, and their difference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QSize, Qt, Signal
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
from studio.theme.mirroring import keep_left_to_right, painter_of
from studio.widgets.metric_plots.mark_shapes import BASELINE, INTERRUPTED, draw_mark
from studio.widgets.painting import draw_text, text_width
from studio.widgets.wrapped_text import tooltip_text

ROW = 32
_SIDE, _LEAST_NAMES, _MOST_NAMES, _DIFFERENCE = 14, 60, 190, 64
_MARK = 9
_MEASURED = 400
"""So many names decide the width of their column."""


@dataclass(frozen=True, slots=True)
class DumbbellRow:
    """A row; the rates are percent, None where nothing was counted."""

    title: str
    count: int
    first: float | None
    second: float | None
    difference: str
    tip: str = ""


class DumbbellView(QAbstractScrollArea):
    """Emits the number of a row when it is chosen, and when it is opened. Only visible rows are painted."""

    chosen = Signal(int)
    opened = Signal(int)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        keep_left_to_right(self)
        self._rows: tuple[DumbbellRow, ...] = ()
        self._current = -1
        self._names = _LEAST_NAMES
        self.setFrameShape(QAbstractScrollArea.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        # As high as its rows: what belongs to them stands right below.
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
        self.setAccessibleName(name)
        self.setProperty("takesNavigationKeys", True)
        theme.changed.connect(self._measure_texts)

    # -- what is shown -------------------------------------------------------
    @property
    def rows(self) -> tuple[DumbbellRow, ...]:
        return self._rows

    @property
    def current(self) -> int:
        """The row of the keyboard cursor; -1 for none."""
        return self._current

    def show_rows(self, rows: Sequence[DumbbellRow]) -> None:
        """Show other rows; a row with the same title stays current."""
        title = self._rows[self._current].title if self._current >= 0 else None
        self._rows = tuple(rows)
        self._current = next((n for n, row in enumerate(self._rows) if row.title == title), -1)
        self._measure_texts()
        self.updateGeometry()

    def _measure_texts(self) -> None:
        widest = max((self._name_width(row) for row in self._rows[:_MEASURED]), default=0)
        self._names = min(_MOST_NAMES, max(_LEAST_NAMES, widest + 16))
        self._measure()
        self.viewport().update()

    def _name_width(self, row: DumbbellRow) -> int:
        return text_width(row.title, "name") + 5 + text_width(str(row.count))

    def _measure(self) -> None:
        down = self.verticalScrollBar()
        down.setRange(0, max(0, len(self._rows) * ROW - self.viewport().height()))
        down.setPageStep(max(ROW, self.viewport().height()))
        down.setSingleStep(ROW)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self._measure()

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(440, max(1, len(self._rows)) * ROW)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(200, min(2, max(1, len(self._rows))) * ROW)

    # -- places --------------------------------------------------------------
    def row_rect(self, row: int) -> QRect:
        """The place of a row in pixels of the viewport."""
        return QRect(0, row * ROW - self.verticalScrollBar().value(), self.viewport().width(), ROW)

    def _row_at(self, point: QPoint) -> int:
        row = (point.y() + self.verticalScrollBar().value()) // ROW
        return row if 0 <= row < len(self._rows) else -1

    def track_rect(self, row: QRect) -> QRect:
        """Where 0 to 100 % lie in a row."""
        left = _SIDE + self._names
        return QRect(
            row.left() + left, row.top(), row.width() - left - _DIFFERENCE - _SIDE - 16, row.height()
        )

    # -- input ---------------------------------------------------------------
    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        row = self._row_at(event.position().toPoint())
        if row >= 0 and event.button() == Qt.MouseButton.LeftButton:
            self._go(row)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        row = self._row_at(event.position().toPoint())
        if row >= 0:
            self.opened.emit(row)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        key = Qt.Key(event.key())
        page = max(1, self.viewport().height() // ROW - 1)
        steps = {
            Qt.Key.Key_Up: -1,
            Qt.Key.Key_Down: 1,
            Qt.Key.Key_PageUp: -page,
            Qt.Key.Key_PageDown: page,
            Qt.Key.Key_Home: -len(self._rows),
            Qt.Key.Key_End: len(self._rows),
        }
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._current >= 0 and not event.modifiers():
            self.opened.emit(self._current)
        elif key in steps and self._rows:
            here = self._current if self._current >= 0 or steps[key] < 0 else -1
            self._go(min(max(0, here + steps[key]), len(self._rows) - 1))
        else:
            super().keyPressEvent(event)

    def _go(self, row: int) -> None:
        is_other = row != self._current
        self._current = row
        self.setAccessibleDescription(self._rows[row].tip)
        box, down = self.row_rect(row), self.verticalScrollBar()
        aside = min(0, box.top()) + max(0, box.bottom() + 1 - self.viewport().height())
        down.setValue(down.value() + aside)
        self.viewport().update()
        if is_other:
            self.chosen.emit(row)

    def set_current(self, row: int) -> None:
        """Make a row the current one, without a signal; -1 for none."""
        self._current = row
        self.viewport().update()

    def viewportEvent(self, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        if isinstance(event, QHelpEvent):
            row = self._row_at(event.pos())
            words = self._rows[row].tip if row >= 0 else ""
            QToolTip.showText(event.globalPos(), tooltip_text(words), self.viewport())
            return True
        return super().viewportEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802 - Qt's name
        super().focusInEvent(event)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802 - Qt's name
        super().focusOutEvent(event)
        self.viewport().update()

    # -- painting ------------------------------------------------------------
    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = painter_of(self.viewport())
        dirty = event.rect()
        first = max(0, self._row_at(QPoint(0, max(0, dirty.top()))))
        for number in range(first, len(self._rows)):
            box = self.row_rect(number)
            if box.top() > dirty.bottom():
                break
            if number == self._current:
                painter.fillRect(box, theme.color("accent-weak" if self.hasFocus() else "bg-3"))
            self._paint_row(painter, box, self._rows[number])

    def _paint_row(self, painter: QPainter, box: QRect, row: DumbbellRow) -> None:
        name = QRect(box.left() + _SIDE, box.top(), self._names - 12, box.height())
        count_width = text_width(str(row.count))
        room = name.adjusted(0, 0, -count_width - 5, 0)
        taken = draw_text(painter, room, row.title, "name")
        draw_text(painter, name.adjusted(taken + 5, 0, 1, 0), str(row.count), "body", "text-3")
        right = QRect(box.right() - _SIDE - _DIFFERENCE, box.top(), _DIFFERENCE, box.height())
        draw_text(painter, right, row.difference, "body", "text", Qt.AlignmentFlag.AlignRight)
        self._paint_dumbbell(painter, self.track_rect(box), row)

    def _paint_dumbbell(self, painter: QPainter, track: QRect, row: DumbbellRow) -> None:
        middle = track.center().y()
        painter.fillRect(track.left(), middle, track.width(), 1, theme.color("line"))
        ends = [
            QPointF(track.left() + track.width() * value / 100, middle + 0.5)
            for value in (row.first, row.second)
            if value is not None
        ]
        if len(ends) == 2:
            painter.setPen(QPen(theme.color("accent"), 2))
            painter.drawLine(*ends)
        # Marks that would cover each other are drawn one inside the other.
        is_close = len(ends) == 2 and abs(ends[0].x() - ends[1].x()) < _MARK
        sizes = (_MARK + 4, _MARK - 4) if is_close else (_MARK, _MARK)
        for value, look, size in ((row.first, BASELINE, sizes[0]), (row.second, INTERRUPTED, sizes[1])):
            if value is not None:
                centre = QPointF(track.left() + track.width() * value / 100, middle + 0.5)
                draw_mark(painter, centre, look, size)

    # -- export --------------------------------------------------------------
    def plot_size(self) -> QSize:
        """The size of all rows, also those that are scrolled away."""
        return QSize(self.viewport().width(), len(self._rows) * ROW)

    def paint_plot(self, painter: QPainter) -> None:
        """Draw all rows from 0, 0, without the cursor."""
        for number, row in enumerate(self._rows):
            self._paint_row(painter, QRect(0, number * ROW, self.viewport().width(), ROW), row)
