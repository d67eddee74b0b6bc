"""The painted lane: one row per rule, one column per state of the phone."""

from __future__ import annotations

from collections.abc import Hashable

from PySide6.QtCore import QPoint, QRect, QSize
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from collector.anomalies.rehearsal import RehearsalOutcome
from collector.model.i18n import _
from rule_editor.widgets.cell_grid import CellGrid, GridCell
from rule_editor.widgets.painting import IN_MIDDLE, MIDDLE, draw_text
from studio.theme import theme
from studio.views.rules.rehearsal.lane_rows import LaneCell, LaneRows
from studio.views.rules.rehearsal.outcome_appearance import APPEARANCE, probability_text, sentence
from studio.widgets.wrapped_text import tooltip_text

_ICON = 12
_GROUNDS = {
    RehearsalOutcome.WOULD_FIRE: "accent-weak",
    RehearsalOutcome.FIRED: "accent-weak",
    RehearsalOutcome.NEAR: "warn-weak",
    RehearsalOutcome.FAILED: "err-weak",
}


class LaneView(CellGrid):
    """Cells are known by a :class:`LaneCell`; the name of a rule stands for its newest state."""

    current: LaneCell | None
    names_width = 244
    opens_on_click = True

    def __init__(self, rows: LaneRows, parent: QWidget | None = None) -> None:
        self._rows = rows
        super().__init__(_("Rehearsal lane"), theme, parent)

    def refresh(self) -> None:
        """Paint changed rows; a view at the newest state stays there."""
        across = self.horizontalScrollBar()
        at_end = across.value() == across.maximum()
        super().refresh()
        if at_end:
            across.setValue(across.maximum())

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(self.names_width + 12 * self.column_width, 8 * self.row_height)

    # -- cells ---------------------------------------------------------------
    def row_count(self) -> int:
        return len(self._rows.rules)

    def column_count(self) -> int:
        return len(self._rows.moments)

    def key_of(self, cell: GridCell) -> Hashable:
        return self._rows.cell_at(cell.row, cell.column)

    def cell_of(self, key: Hashable) -> GridCell | None:
        place = self._rows.place_of(key) if isinstance(key, LaneCell) else None
        return GridCell(*place) if place is not None else None

    def first_cell(self) -> GridCell:
        """The newest state."""
        return GridCell(0, self.column_count() - 1)

    def cell_at(self, point: QPoint) -> GridCell | None:
        row = self.row_at(point)
        is_name = point.x() < self.names_width and point.y() >= self.head_height and row < self.row_count()
        return GridCell(row, self.column_count() - 1) if is_name else super().cell_at(point)

    def describe(self, cell: GridCell) -> str:
        """What the rule did at the state, and why."""
        result = self._rows.result(cell.row, cell.column)
        if result is None:
            return ""
        does = _(APPEARANCE[result.shown][2])
        rule_id, number = self._rows.rules[cell.row], self._rows.moments[cell.column].number
        head = _("{rule}, state {number}: {does}", rule=rule_id, number=number, does=does)
        return "\n".join(part for part in (head, sentence(result), probability_text(result)) if part)

    def tip_at(self, point: QPoint) -> str:
        return tooltip_text(super().tip_at(point))

    def row_tip(self, row: int) -> str:
        return self._rows.rules[row]

    # -- painting ------------------------------------------------------------
    def paint_head(self, painter: QPainter, columns: range) -> None:
        width, height = self.viewport().width(), self.head_height
        painter.fillRect(QRect(0, 0, width, height), theme.color("bg-2"))
        draw_text(theme, painter, QRect(12, 0, self.names_width - 24, height), _("Rule"), "text-2")
        painter.save()
        painter.setClipRect(QRect(self.names_width, 0, width - self.names_width, height))
        for column in columns:
            box = QRect(self.cells_left() + self.left_of(column), 0, self.column_width, height)
            draw_text(theme, painter, box, str(self._rows.moments[column].number), "text-2", side=MIDDLE)
        painter.restore()
        painter.setPen(theme.color("line"))
        painter.drawLine(0, height - 1, width, height - 1)

    def paint_row(self, painter: QPainter, row: int, top: int, *, is_current: bool) -> None:
        width, height, rule_id = self.viewport().width(), self.row_height, self._rows.rules[row]
        if is_current:
            painter.fillRect(QRect(0, top, width, height), theme.color("accent-weak"))
        painter.setPen(theme.color("line"))
        painter.drawLine(0, top + height - 1, width, top + height - 1)
        place = QRect(12, top, self.names_width - 24, height)
        draw_text(theme, painter, place, rule_id, "text", role="name", elide=IN_MIDDLE)

    def paint_cell(self, painter: QPainter, cell: GridCell, box: QRect) -> None:
        result, inner = self._rows.result(cell.row, cell.column), box.adjusted(0, 0, -1, -1)
        painter.setPen(theme.color("line"))
        painter.drawLine(box.right(), box.top(), box.right(), box.bottom())
        if result is None:
            return
        if result.shown in _GROUNDS:
            painter.fillRect(inner, theme.color(_GROUNDS[result.shown]))
        if result.shown is RehearsalOutcome.SILENT:
            painter.fillRect(QRect(box.center().x() - 1, box.center().y() - 1, 2, 2), theme.color("text-3"))
        else:
            theme.draw_icon_in(painter, APPEARANCE[result.shown][0], inner, _ICON)
