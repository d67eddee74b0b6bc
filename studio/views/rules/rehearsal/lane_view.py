"""The painted lane: one row per rule, one column per state of the phone."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QAbstractScrollArea, QToolTip, QWidget

from collector.anomalies.rehearsal import RehearsalOutcome, RehearsedRule
from collector.model.i18n import _
from rule_editor.widgets.painting import IN_MIDDLE, MIDDLE, draw_text
from studio.views.conditions.kit import STUDIO_KIT
from studio.views.rules.rehearsal.lane_rows import LaneCell, LaneRows
from studio.views.rules.rehearsal.outcome_appearance import APPEARANCE, probability_text, sentence

_CELL, _ROW, _NAMES, _ICON = 30, 22, 244, 12
_GROUNDS = {
    RehearsalOutcome.WOULD_FIRE: "accent-weak",
    RehearsalOutcome.FIRED: "accent-weak",
    RehearsalOutcome.NEAR: "warn-weak",
    RehearsalOutcome.FAILED: "err-weak",
}
_STEPS = {
    Qt.Key.Key_Left: (0, -1), Qt.Key.Key_Right: (0, 1), Qt.Key.Key_Up: (-1, 0), Qt.Key.Key_Down: (1, 0),
}  # fmt: skip
"""Rows down and columns across for each key."""


class LaneView(QAbstractScrollArea):
    """``cell_chosen(LaneCell)`` when the current cell moves, ``cell_opened(LaneCell)`` to be there."""

    cell_chosen = Signal(object)
    cell_opened = Signal(object)

    def __init__(self, rows: LaneRows, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows = rows
        self.current: LaneCell | None = None
        """The cell that is chosen."""
        self.setFrameShape(QAbstractScrollArea.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(_("Rehearsal lane"))
        self.setProperty("takesNavigationKeys", True)
        STUDIO_KIT.changed.connect(self.viewport().update)

    # -- what is shown -------------------------------------------------------
    def refresh(self) -> None:
        """Paint changed rows; a view at the newest state stays there."""
        across = self.horizontalScrollBar()
        at_end = across.value() == across.maximum()
        if self.current is not None and self._rows.place_of(self.current) is None:
            self.current = None
        self._measure()
        if at_end:
            across.setValue(across.maximum())
        self.viewport().update()

    def set_current(self, cell: LaneCell | None) -> None:
        """Choose a cell without emitting ``cell_chosen``."""
        self.current = cell if cell is not None and self._rows.place_of(cell) is not None else None
        self._reveal()
        self.viewport().update()

    def cell_rect(self, row: int, column: int) -> QRect:
        """Where a cell is drawn, in pixels of the viewport."""
        left = _NAMES + column * _CELL - self.horizontalScrollBar().value()
        return QRect(left, _ROW + row * _ROW - self.verticalScrollBar().value(), _CELL, _ROW)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(_NAMES + 12 * _CELL, 8 * _ROW)

    def _cells(self) -> QRect:
        room = self.viewport().rect()
        return QRect(_NAMES, _ROW, max(0, room.width() - _NAMES), max(0, room.height() - _ROW))

    def _measure(self) -> None:
        across, down, cells = self.horizontalScrollBar(), self.verticalScrollBar(), self._cells()
        across.setRange(0, max(0, len(self._rows.moments) * _CELL - cells.width()))
        across.setPageStep(max(1, cells.width()))
        across.setSingleStep(_CELL)
        down.setRange(0, max(0, len(self._rows.rules) * _ROW - cells.height()))
        down.setPageStep(max(_ROW, cells.height()))
        down.setSingleStep(_ROW)

    def _reveal(self) -> None:
        place = self._rows.place_of(self.current) if self.current is not None else None
        if place is None:
            return
        box, room = self.cell_rect(*place), self._cells()
        for bar, before, behind in (
            (self.horizontalScrollBar(), room.left() - box.left(), box.right() - room.right()),
            (self.verticalScrollBar(), room.top() - box.top(), box.bottom() - room.bottom()),
        ):
            bar.setValue(bar.value() - before if before > 0 else bar.value() + max(0, behind))

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self._measure()

    # -- input ---------------------------------------------------------------
    def _cell_at(self, point: QPoint) -> LaneCell | None:
        row = (point.y() - _ROW + self.verticalScrollBar().value()) // _ROW
        if point.x() < _NAMES and point.y() >= _ROW:  # the rule's name stands for its newest state
            return self._rows.cell_at(row, len(self._rows.moments) - 1)
        column = (point.x() - _NAMES + self.horizontalScrollBar().value()) // _CELL
        return self._rows.cell_at(row, column) if self._cells().contains(point) else None

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        cell = self._cell_at(event.position().toPoint())
        if cell is not None and event.button() == Qt.MouseButton.LeftButton:
            self._choose(cell)
            self.cell_opened.emit(cell)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        key = Qt.Key(event.key())
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.current is not None:
            self.cell_opened.emit(self.current)
        elif key in (Qt.Key.Key_Home, Qt.Key.Key_End):
            self._step(0, (1 if key == Qt.Key.Key_End else -1) * len(self._rows.moments))
        elif key in _STEPS:
            self._step(*_STEPS[key])
        else:
            super().keyPressEvent(event)

    def _step(self, down: int, across: int) -> None:
        rules, moments = len(self._rows.rules), len(self._rows.moments)
        place = self._rows.place_of(self.current) if self.current is not None else None
        row, column = place if place is not None else (0, moments - 1 - across)
        cell = self._rows.cell_at(
            min(max(0, row + down), rules - 1), min(max(0, column + across), moments - 1)
        )
        if cell is not None:
            self._choose(cell)

    def _choose(self, cell: LaneCell) -> None:
        self.current = cell
        self._reveal()
        self.viewport().update()
        self.cell_chosen.emit(cell)

    def viewportEvent(self, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        if isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), self.tool_tip_at(event.pos()), self.viewport())
            return True
        return super().viewportEvent(event)

    def tool_tip_at(self, point: QPoint) -> str:
        """Return the tool tip at a point."""
        cell = self._cell_at(point)
        place = self._rows.place_of(cell) if cell is not None else None
        result = self._rows.result(*place) if place is not None else None
        if cell is None or result is None:
            return ""
        does = _(APPEARANCE[result.shown][2])
        head = _("{rule}, state {number}: {does}", rule=cell.rule_id, number=cell.number, does=does)
        return "\n".join(part for part in (head, sentence(result), probability_text(result)) if part)

    # -- painting ------------------------------------------------------------
    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = QPainter(self.viewport())
        painter.fillRect(self.viewport().rect(), STUDIO_KIT.color("bg-1"))
        first = self.verticalScrollBar().value() // _ROW
        count = self.viewport().height() // _ROW + 2
        for row in range(first, min(first + count, len(self._rows.rules))):
            self._paint_row(painter, row)
        self._paint_header(painter)
        place = self._rows.place_of(self.current) if self.current is not None else None
        if place is not None:
            painter.setClipRect(self._cells())
            painter.setPen(QPen(STUDIO_KIT.color("accent"), 2))
            painter.drawRect(self.cell_rect(*place).adjusted(1, 1, -2, -2))

    def _columns(self) -> range:
        first = self.horizontalScrollBar().value() // _CELL
        last = first + self._cells().width() // _CELL + 2
        return range(first, min(last, len(self._rows.moments)))

    def _paint_header(self, painter: QPainter) -> None:
        kit, width = STUDIO_KIT, self.viewport().width()
        painter.fillRect(QRect(0, 0, width, _ROW), kit.color("bg-2"))
        draw_text(kit, painter, QRect(12, 0, _NAMES - 24, _ROW), _("Rule"), "text-2")
        painter.save()
        painter.setClipRect(QRect(_NAMES, 0, width - _NAMES, _ROW))
        for column in self._columns():
            box = QRect(self.cell_rect(0, column).left(), 0, _CELL, _ROW)
            draw_text(kit, painter, box, str(self._rows.moments[column].number), "text-2", side=MIDDLE)
        painter.restore()
        painter.setPen(kit.color("line"))
        painter.drawLine(0, _ROW - 1, width, _ROW - 1)

    def _paint_row(self, painter: QPainter, row: int) -> None:
        kit, top, width = STUDIO_KIT, self.cell_rect(row, 0).top(), self.viewport().width()
        rule_id = self._rows.rules[row]
        if self.current is not None and self.current.rule_id == rule_id:
            painter.fillRect(QRect(0, top, width, _ROW), kit.color("accent-weak"))
        painter.setPen(kit.color("line"))
        painter.drawLine(0, top + _ROW - 1, width, top + _ROW - 1)
        draw_text(
            kit, painter, QRect(12, top, _NAMES - 24, _ROW), rule_id, "text", role="name", elide=IN_MIDDLE
        )
        painter.save()
        painter.setClipRect(self._cells())
        for column in self._columns():
            self._paint_cell(painter, self.cell_rect(row, column), self._rows.result(row, column))
        painter.restore()

    def _paint_cell(self, painter: QPainter, box: QRect, result: RehearsedRule | None) -> None:
        kit, inner = STUDIO_KIT, box.adjusted(0, 0, -1, -1)
        painter.setPen(kit.color("line"))
        painter.drawLine(box.right(), box.top(), box.right(), box.bottom())
        if result is None:
            return
        if result.shown in _GROUNDS:
            painter.fillRect(inner, kit.color(_GROUNDS[result.shown]))
        if result.shown is RehearsalOutcome.SILENT:
            painter.fillRect(QRect(box.center().x() - 1, box.center().y() - 1, 2, 2), kit.color("text-3"))
        else:
            kit.draw_icon_in(painter, APPEARANCE[result.shown][0], inner, _ICON)
