"""The painted matrix of a solvability check: tasks down, anomalies across, an icon and a word per cell."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QAbstractScrollArea, QToolTip, QWidget

from collector.model.i18n import _, join_sentences
from collector.replay.solvability_report import result_words
from rule_editor.widgets.matrix.view import STEPS
from studio.theme import theme
from studio.views.solvability.result_table import (
    FIRST_STEP,
    RESULT_APPEARANCE,
    RESULT_BACKGROUND,
    SolvabilityCell,
    SolvabilityTable,
)
from studio.widgets.painting import draw_text, text_width

_HEAD, _ROW, _ICON = 26, 26, 14
_NAMES, _FEWEST_NAMES, _TALLY = 232, 96, 64
_NARROW, _WIDE, _PAD = 116, 190, 20


class SolvabilityMatrix(QAbstractScrollArea):
    """``chosen(cell)`` when the current cell moves, ``opened(cell)`` on Enter and a double click."""

    chosen = Signal(object)
    opened = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._table = SolvabilityTable()
        self._titles: Mapping[str, str] = {}
        self._lefts: list[int] = [0]
        self.current: SolvabilityCell | None = None
        self.setFrameShape(QAbstractScrollArea.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(_("Tasks under anomalies"))
        self.setProperty("takesNavigationKeys", True)
        self.viewport().setMouseTracking(True)
        theme.changed.connect(self._dressed)

    # -- what is shown -------------------------------------------------------
    def show_table(self, table: SolvabilityTable, titles: Mapping[str, str]) -> None:
        """Show the results of a check; ``titles`` are the instructions of its tasks by id."""
        self._table, self._titles, self.current = table, titles, None
        self._dressed()

    def refresh(self) -> None:
        """Paint the cells again after the table changed."""
        self.viewport().update()

    @property
    def _names(self) -> int:
        """Width of the task column; it shrinks first, so that a whole cell stays visible."""
        return max(_FEWEST_NAMES, min(_NAMES, self.viewport().width() - _TALLY - _WIDE))

    def cell_rect(self, cell: SolvabilityCell) -> QRect:
        """Where a cell is drawn, in pixels of the viewport."""
        left, right = self._lefts[cell.column], self._lefts[cell.column + 1]
        x = self._names + left - self.horizontalScrollBar().value()
        return QRect(x, _HEAD + cell.row * _ROW - self.verticalScrollBar().value(), right - left, _ROW)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(_NAMES + 4 * _NARROW + _TALLY, _HEAD + 6 * _ROW)

    def _dressed(self) -> None:
        self._lefts = [0]
        for anomaly in self._table.anomalies:
            wanted = text_width(anomaly, "caption") + _PAD
            self._lefts.append(self._lefts[-1] + min(max(_NARROW, wanted), _WIDE))
        self._measure()
        self.viewport().update()

    def _cells(self) -> QRect:
        room = self.viewport().rect()
        width = min(self._lefts[-1], room.width() - self._names - _TALLY)
        return QRect(self._names, _HEAD, max(0, width), max(0, room.height() - _HEAD))

    def _measure(self) -> None:
        across, down = self.horizontalScrollBar(), self.verticalScrollBar()
        cells, high = self._cells(), len(self._table.tasks) * _ROW
        across.setRange(0, max(0, self._lefts[-1] - cells.width()))
        across.setPageStep(max(1, cells.width()))
        across.setSingleStep(_NARROW)
        down.setRange(0, max(0, high - cells.height()))
        down.setPageStep(max(_ROW, cells.height()))
        down.setSingleStep(_ROW)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self._measure()

    # -- input ---------------------------------------------------------------
    def _cell_at(self, point: QPoint) -> SolvabilityCell | None:
        if not self._cells().contains(point):
            return None
        across = point.x() - self._names + self.horizontalScrollBar().value()
        row = (point.y() - _HEAD + self.verticalScrollBar().value()) // _ROW
        column = sum(left <= across for left in self._lefts) - 1
        cell = SolvabilityCell(row, column)
        return cell if self._table.has(cell) else None

    def go(self, cell: SolvabilityCell) -> None:
        """Make a cell current and bring it into view."""
        if not self._table.has(cell):
            return
        self.current = cell
        box, room = self.cell_rect(cell), self._cells()
        across, down = self.horizontalScrollBar(), self.verticalScrollBar()
        aside = min(0, box.left() - room.left()) + max(0, box.right() - room.right())
        below = min(0, box.top() - room.top()) + max(0, box.bottom() - room.bottom())
        across.setValue(across.value() + aside)
        down.setValue(down.value() + below)
        self.setAccessibleDescription(self._table.description(cell))
        self.viewport().update()
        self.chosen.emit(cell)

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        cell = self._cell_at(event.position().toPoint())
        if cell is not None and event.button() == Qt.MouseButton.LeftButton:
            self.go(cell)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        cell = self._cell_at(event.position().toPoint())
        if cell is not None and event.button() == Qt.MouseButton.LeftButton:
            self.opened.emit(cell)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        key = Qt.Key(event.key())
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.current is not None:
            self.opened.emit(self.current)
        elif key in STEPS and self._table.tasks:
            down, across = STEPS[key]
            here = self.current
            self.go(
                SolvabilityCell(here.row + down, here.column + across)
                if here is not None
                else SolvabilityCell(0, 0)
            )
        else:
            super().keyPressEvent(event)

    def viewportEvent(self, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        if isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), self._tip(event.pos()), self.viewport())
            return True
        return super().viewportEvent(event)

    def _tip(self, point: QPoint) -> str:
        cell = self._cell_at(point)
        if cell is not None:
            return self._table.description(cell)
        row = (point.y() - _HEAD + self.verticalScrollBar().value()) // _ROW
        if point.x() < self._names and point.y() > _HEAD and 0 <= row < len(self._table.tasks):
            task = self._table.tasks[row]
            return f"{task}: {self._titles.get(task, '')}"
        return ""

    # -- painting ------------------------------------------------------------
    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = QPainter(self.viewport())
        painter.fillRect(self.viewport().rect(), theme.color("bg-1"))
        for row in range(len(self._table.tasks)):
            top = self._top(row)
            if _HEAD - _ROW < top < self.viewport().height():
                self._paint_row(painter, row, top)
        self._paint_head(painter)
        if self.current is not None and self._table.has(self.current):
            box = self.cell_rect(self.current)
            if self._table.broken(self.current.row) is not None:
                box.setLeft(self._cells().left())
                box.setRight(self._cells().right())
            painter.setClipRect(self._cells())
            painter.setPen(QPen(theme.color("accent"), 2))
            painter.drawRect(box.adjusted(1, 1, -2, -2))

    def _top(self, row: int) -> int:
        return _HEAD + row * _ROW - self.verticalScrollBar().value()

    def _paint_head(self, painter: QPainter) -> None:
        width, cells = self.viewport().width(), self._cells()
        painter.fillRect(QRect(0, 0, width, _HEAD), theme.color("bg-2"))
        draw_text(painter, QRect(12, 0, self._names - 24, _HEAD), _("Task"), "caption", "text-2")
        right = Qt.AlignmentFlag.AlignRight
        tally = QRect(cells.right() + 1, 0, _TALLY - 10, _HEAD)
        draw_text(painter, tally, _("solvable"), "caption", "text-2", right)
        painter.save()
        painter.setClipRect(QRect(cells.left(), 0, cells.width(), _HEAD))
        for column, name in enumerate(self._table.anomalies):
            box = self.cell_rect(SolvabilityCell(0, column))
            chosen = self.current is not None and self.current.column == column
            place = QRect(box.left() + 8, 0, box.width() - 14, _HEAD)
            draw_text(painter, place, name, "caption", "text" if chosen else "text-2")
        painter.restore()
        painter.fillRect(0, _HEAD - 1, width, 1, theme.color("line"))

    def _paint_row(self, painter: QPainter, row: int, top: int) -> None:
        task, width = self._table.tasks[row], self.viewport().width()
        if self.current is not None and self.current.row == row:
            painter.fillRect(0, top, width, _ROW - 1, theme.color("bg-2"))
        painter.fillRect(0, top + _ROW - 1, width, 1, theme.color("line"))
        name = min(text_width(task, "name"), 120, self._names - 24)
        draw_text(painter, QRect(12, top, name + 2, _ROW), task, "name")
        goal = QRect(12 + name + 10, top, self._names - name - 32, _ROW)
        if goal.width() > _PAD:
            draw_text(painter, goal, self._titles.get(task, ""), "body", "text-2")
        painter.save()
        painter.setClipRect(self._cells())
        if self._table.broken(row) is not None:
            self._paint_broken(painter, row, top)
        else:
            for column in range(len(self._table.anomalies)):
                self._paint_cell(painter, SolvabilityCell(row, column))
        painter.restore()
        solved, met = self._table.tally(row)
        box = QRect(self._cells().right() + 1, top, _TALLY - 10, _ROW)
        words = f"{solved} / {met}" if met and self._table.broken(row) is None else "-"
        draw_text(painter, box, words, "body", "text-2", Qt.AlignmentFlag.AlignRight)

    def _paint_broken(self, painter: QPainter, row: int, top: int) -> None:
        """Paint one sentence over the whole row, because it is about no anomaly."""
        trial = self._table.broken(row)
        assert trial is not None
        cells, (icon, tone) = self._cells(), RESULT_APPEARANCE[trial.result]
        words = join_sentences(result_words(trial, FIRST_STEP), trial.why)
        theme.draw_icon_in(painter, icon, QRect(cells.left() + 8, top, _ICON, _ROW), _ICON)
        draw_text(painter, QRect(cells.left() + 28, top, cells.width() - 32, _ROW), words, "body", tone)

    def _paint_cell(self, painter: QPainter, cell: SolvabilityCell) -> None:
        box, worst = self.cell_rect(cell), self._table.worst(cell)
        inner = box.adjusted(0, 0, -1, -1)
        painter.fillRect(box.right(), box.top(), 1, box.height(), theme.color("line"))
        if worst is None and not self._table.is_doing(cell):
            painter.fillRect(QRect(box.left() + 14, box.center().y() - 1, 2, 2), theme.color("text-3"))
            return
        icon, tone = RESULT_APPEARANCE[worst.result] if worst is not None else ("state-prog", "accent")
        if worst is not None and worst.result in RESULT_BACKGROUND:
            painter.fillRect(inner, theme.color(RESULT_BACKGROUND[worst.result]))
        theme.draw_icon_in(painter, icon, QRect(box.left() + 8, box.top(), _ICON, inner.height()), _ICON)
        words = QRect(box.left() + 28, box.top(), box.width() - 34, inner.height())
        draw_text(painter, words, self._table.words(cell), "body", tone)
