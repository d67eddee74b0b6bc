"""The grid of the back-test matrix; it paints the visible cells only, so its cost ignores their number."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygon,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QToolTip, QWidget

from collector.model.i18n import _, ngettext
from collector.rules.backtest.backtest import BackTestRow, OutcomeDifference
from collector.rules.evaluation.explanation import OUTCOMES
from collector.rules.evaluation.proof import ProofOutcome
from rule_editor.widgets.kit import Kit
from rule_editor.widgets.matrix.rows import MatrixCell, MatrixRows
from rule_editor.widgets.painting import IN_MIDDLE, MIDDLE, RIGHT, draw_text

_CELL_WIDTH, _ROW = 30, 22
_NAMES, _WHO = 244, 60
_COUNTS = (("fires", 48), ("near", 48), ("first", 80), ("wrong", 40))
_COUNTS_WIDTH = sum(width for _name, width in _COUNTS)
_ICONS = {ProofOutcome.FIRES: "state-fire", ProofOutcome.NEAR: "state-near"}
_ICON = 12
STEPS = {
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
}
"""Rows down and columns across for each arrow key."""


class MatrixView(QAbstractScrollArea):
    """Emits ``cell_chosen(position)`` for a new current cell, ``cell_opened(position)`` to show its state."""

    cell_chosen = Signal(int)
    cell_opened = Signal(int)

    def __init__(self, kit: Kit, rows: MatrixRows, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._kit = kit
        self._rows = rows
        self._current: MatrixCell | None = None
        self._differences: Mapping[int, OutcomeDifference] = {}
        self.setFrameShape(QAbstractScrollArea.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(_("Back-test matrix"))
        self.setProperty("takesNavigationKeys", True)
        self.viewport().setMouseTracking(True)
        kit.changed.connect(self.viewport().update)

    # -- what is shown -------------------------------------------------------
    def refresh(self) -> None:
        """Update after a change of the rows; the current cell stays when it still exists."""
        if self._current is not None and self._rows.position_of(self._current) is None:
            self._current = None
        self._measure()
        self.viewport().update()

    def set_differences(self, differences: Mapping[int, OutcomeDifference]) -> None:
        """Mark positions where another version of the rule has a different outcome."""
        self._differences = differences
        self.viewport().update()

    @property
    def current(self) -> MatrixCell | None:
        """The cell of the keyboard cursor."""
        return self._current

    def set_current(self, position: int | None) -> None:
        """Make a position the current one, without a signal."""
        self._current = self._rows.cell_of(position) if position is not None else None
        if self._current is not None:
            self._reveal(self._current)
        self.viewport().update()

    def cell_rect(self, cell: MatrixCell) -> QRect:
        """Rectangle of a cell in pixels of the viewport."""
        left = _NAMES + cell.index * _CELL_WIDTH - self.horizontalScrollBar().value()
        return QRect(left, _ROW + cell.row * _ROW - self.verticalScrollBar().value(), _CELL_WIDTH, _ROW)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(_NAMES + 12 * _CELL_WIDTH + _COUNTS_WIDTH, 8 * _ROW)

    def _cells(self) -> QRect:
        room = self.viewport().rect()
        right = room.width() - _COUNTS_WIDTH
        full = _NAMES + self._rows.columns * _CELL_WIDTH
        return QRect(_NAMES, _ROW, max(0, min(right, full) - _NAMES), max(0, room.height() - _ROW))

    def _measure(self) -> None:
        across, down = self.horizontalScrollBar(), self.verticalScrollBar()
        room = self.viewport().rect()
        free = max(1, room.width() - _NAMES - _COUNTS_WIDTH)
        across.setRange(0, max(0, self._rows.columns * _CELL_WIDTH - free))
        across.setPageStep(free)
        across.setSingleStep(_CELL_WIDTH)
        down.setRange(0, max(0, len(self._rows.shown) * _ROW - (room.height() - _ROW)))
        down.setPageStep(max(_ROW, room.height() - _ROW))
        down.setSingleStep(_ROW)

    def _reveal(self, cell: MatrixCell) -> None:
        box, room = self.cell_rect(cell), self._cells()
        across, down = self.horizontalScrollBar(), self.verticalScrollBar()
        if box.left() < room.left():
            across.setValue(across.value() - (room.left() - box.left()))
        elif box.right() > room.right():
            across.setValue(across.value() + box.right() - room.right())
        if box.top() < room.top():
            down.setValue(down.value() - (room.top() - box.top()))
        elif box.bottom() > room.bottom():
            down.setValue(down.value() + box.bottom() - room.bottom())

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self._measure()

    # -- input -----------------------------------------------------------------
    def _cell_at(self, point: QPoint) -> MatrixCell | None:
        if not self._cells().contains(point):
            return None
        row = (point.y() - _ROW + self.verticalScrollBar().value()) // _ROW
        index = (point.x() - _NAMES + self.horizontalScrollBar().value()) // _CELL_WIDTH
        cell = MatrixCell(row, index)
        return cell if self._rows.position_of(cell) is not None else None

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        cell = self._cell_at(event.position().toPoint())
        if cell is not None and event.button() == Qt.MouseButton.LeftButton:
            self._go(cell)
            self._open()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        steps, key = STEPS, Qt.Key(event.key())
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._open()
        elif key in steps and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self._jump(forward=steps[key] in ((0, 1), (1, 0)))
        elif key in steps:
            self._step(*steps[key])
        elif key in (Qt.Key.Key_Home, Qt.Key.Key_End) and self._current is not None:
            last = len(self._rows.shown[self._current.row].outcomes) - 1
            self._go(MatrixCell(self._current.row, 0 if key == Qt.Key.Key_Home else last))
        else:
            super().keyPressEvent(event)

    def _step(self, down: int, across: int) -> None:
        if not self._rows.shown:
            return
        here = self._current or MatrixCell(0, 0)
        row = min(max(0, here.row + (down if self._current else 0)), len(self._rows.shown) - 1)
        last = len(self._rows.shown[row].outcomes) - 1
        self._go(MatrixCell(row, min(max(0, here.index + (across if self._current else 0)), last)))

    def _jump(self, *, forward: bool) -> None:
        """Go to the next cell that is not silent, row by row."""
        cells = [
            MatrixCell(number, index)
            for number, row in enumerate(self._rows.shown)
            for index in range(len(row.outcomes))
            if row.outcome(index) is not ProofOutcome.SILENT
        ]
        here = (self._current.row, self._current.index) if self._current else (-1, -1)
        after = [cell for cell in cells if (cell.row, cell.index) > here]
        before = [cell for cell in cells if (cell.row, cell.index) < here]
        if forward and after:
            self._go(after[0])
        elif not forward and before:
            self._go(before[-1])

    def _go(self, cell: MatrixCell) -> None:
        position = self._rows.position_of(cell)
        if position is not None:
            self._current = cell
            self._reveal(cell)
            self.viewport().update()
            self.cell_chosen.emit(position)

    def _open(self) -> None:
        position = self._rows.position_of(self._current) if self._current is not None else None
        if position is not None:
            self.cell_opened.emit(position)

    def viewportEvent(self, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        if isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), self._tooltip_at(event.pos()), self.viewport())
            return True
        return super().viewportEvent(event)

    def _tooltip_at(self, point: QPoint) -> str:
        """What a cell does, or the whole name of a trajectory."""
        cell = self._cell_at(point)
        if cell is not None:
            return self._tooltip(cell)
        row = (point.y() - _ROW + self.verticalScrollBar().value()) // _ROW
        if not (point.x() < _NAMES and point.y() >= _ROW and 0 <= row < len(self._rows.shown)):
            return ""
        trajectory = self._rows.shown[row].trajectory
        return " \u00b7 ".join(filter(None, (trajectory.task_id, trajectory.title, trajectory.who)))

    def _tooltip(self, cell: MatrixCell) -> str:
        row = self._rows.shown[cell.row]
        does = _(OUTCOMES[row.outcome(cell.index)])
        why = row.wrong.get(cell.index) or row.missed.get(cell.index, "")
        sentence = _(
            "{task}, {title}, step {step}: {does}",
            task=row.trajectory.task_id, title=row.trajectory.title, step=cell.index + 1, does=does,
        )  # fmt: skip
        return f"{sentence}\n{why}" if why else sentence

    # -- painting --------------------------------------------------------------
    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = QPainter(self.viewport())
        painter.fillRect(self.viewport().rect(), self._kit.color("bg-1"))
        first = self.verticalScrollBar().value() // _ROW
        count = self.viewport().height() // _ROW + 2
        for number in range(first, min(first + count, len(self._rows.shown))):
            self._paint_row(painter, number)
        self._paint_header(painter)
        if self._current is not None:
            self._paint_current(painter, self._current)

    def _paint_header(self, painter: QPainter) -> None:
        kit, width = self._kit, self.viewport().width()
        painter.fillRect(QRect(0, 0, width, _ROW), kit.color("bg-2"))
        draw_text(self._kit, painter, QRect(12, 0, 100, _ROW), _("Trajectory"), "text-2")
        draw_text(kit, painter, QRect(_NAMES - _WHO, 0, _WHO - 12, _ROW), _("who"), "text-2", side=RIGHT)
        cells = self._cells()
        painter.save()
        painter.setClipRect(QRect(cells.left(), 0, cells.width(), _ROW))
        for index in range(self._rows.columns):
            left = self.cell_rect(MatrixCell(0, index)).left()
            draw_text(kit, painter, QRect(left, 0, _CELL_WIDTH, _ROW), str(index + 1), "text-2", side=MIDDLE)
        painter.restore()
        titles = {"fires": _("fires"), "near": _("near"), "first": _("first fire"), "wrong": ""}
        for name, box in self._count_boxes(0):
            draw_text(self._kit, painter, box, titles[name], "text-2", side=RIGHT)
        painter.setPen(kit.color("line"))
        painter.drawLine(0, _ROW - 1, width, _ROW - 1)

    def _count_boxes(self, top: int) -> list[tuple[str, QRect]]:
        left = min(self._cells().right() + 1, self.viewport().width() - _COUNTS_WIDTH)
        boxes = []
        for name, width in _COUNTS:
            boxes.append((name, QRect(left, top, width - 8, _ROW)))
            left += width
        return boxes

    def _paint_row(self, painter: QPainter, number: int) -> None:
        row, kit = self._rows.shown[number], self._kit
        top = self.cell_rect(MatrixCell(number, 0)).top()
        chosen = self._current is not None and self._current.row == number
        if chosen:
            painter.fillRect(QRect(0, top, self.viewport().width(), _ROW), kit.color("accent-weak"))
        painter.setPen(kit.color("line"))
        painter.drawLine(0, top + _ROW - 1, self.viewport().width(), top + _ROW - 1)
        task = QRect(12, top, 92, _ROW)
        draw_text(kit, painter, task, row.trajectory.task_id, "text", role="name", elide=IN_MIDDLE)
        title = QRect(108, top, _NAMES - 108 - _WHO, _ROW)
        draw_text(kit, painter, title, row.trajectory.title, "text-2", elide=IN_MIDDLE)
        who = QRect(_NAMES - _WHO, top, _WHO - 12, _ROW)
        draw_text(self._kit, painter, who, row.trajectory.who, "text-2", side=RIGHT)
        painter.save()
        painter.setClipRect(self._cells())
        for index in self._visible_columns(row):
            self._paint_cell(painter, MatrixCell(number, index), row)
        painter.restore()
        self._paint_counts(painter, row, top)

    def _visible_columns(self, row: BackTestRow) -> range:
        first = self.horizontalScrollBar().value() // _CELL_WIDTH
        last = first + self._cells().width() // _CELL_WIDTH + 2
        return range(first, min(last, len(row.outcomes)))

    def _paint_cell(self, painter: QPainter, cell: MatrixCell, row: BackTestRow) -> None:
        kit, box = self._kit, self.cell_rect(cell)
        outcome = row.outcome(cell.index)
        background = {ProofOutcome.FIRES: "accent-weak", ProofOutcome.NEAR: "warn-weak"}.get(outcome)
        if background:
            painter.fillRect(box.adjusted(0, 0, -1, -1), kit.color(background))
        painter.setPen(kit.color("line"))
        painter.drawLine(box.right(), box.top(), box.right(), box.bottom())
        if outcome in _ICONS:
            kit.draw_icon_in(painter, _ICONS[outcome], box.adjusted(0, 0, -1, -1), _ICON)
        else:
            dot = QRect(box.center().x() - 1, box.center().y() - 1, 2, 2)
            painter.fillRect(dot, kit.color("text-3"))
        if (differs := self._differences.get(row.first + cell.index)) is not None:
            tone = "ok" if differs.after is ProofOutcome.FIRES else "warn"
            corner = QPolygon([box.topLeft(), box.topLeft() + QPoint(7, 0), box.topLeft() + QPoint(0, 7)])
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(kit.color(tone))
            painter.drawPolygon(corner)
            painter.setBrush(Qt.BrushStyle.NoBrush)
        if cell.index in row.wrong or cell.index in row.missed:
            painter.setPen(QPen(kit.color("err"), 2))
            painter.drawRect(box.adjusted(7, 3, -9, -5))

    def _paint_counts(self, painter: QPainter, row: BackTestRow, top: int) -> None:
        first = row.first_fire
        texts = {
            "fires": str(row.fires), "near": str(row.near),
            "first": _("step {step}", step=first + 1) if first is not None else "-",
        }  # fmt: skip
        tones = {"fires": "accent" if row.fires else "text-3", "near": "text" if row.near else "text-3"}
        for name, box in self._count_boxes(top):
            if name == "wrong":
                if row.wrong or row.missed:
                    self._kit.draw_icon_in(painter, "state-err", box, _ICON)
            else:
                draw_text(self._kit, painter, box, texts[name], tones.get(name, "text-2"), side=RIGHT)

    def _paint_current(self, painter: QPainter, cell: MatrixCell) -> None:
        painter.save()
        painter.setClipRect(self._cells())
        painter.setPen(QPen(self._kit.color("accent"), 2))
        painter.drawRect(self.cell_rect(cell).adjusted(1, 1, -2, -2))
        painter.restore()


def summary_of(states: int, trajectories: int, seconds: float) -> str:
    """A sentence such as ``312 states of 28 trajectories in 0.08 s``."""
    seen = ngettext("one state", "{count} states", states)
    of = ngettext("one trajectory", "{count} trajectories", trajectories)
    return _(
        "{states} of {trajectories} in {seconds} s", states=seen, trajectories=of, seconds=f"{seconds:.2f}"
    )
