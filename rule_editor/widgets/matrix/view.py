"""The grid of the back-test matrix: a row for each trajectory, a cell for each of its states."""

from __future__ import annotations

from collections.abc import Hashable, Mapping

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPen, QPolygon
from PySide6.QtWidgets import QWidget

from collector.model.i18n import _, ngettext
from collector.rules.backtest.backtest import OutcomeDifference
from collector.rules.backtest.backtest_rows import BackTestRow
from collector.rules.evaluation.explanation import OUTCOMES
from collector.rules.evaluation.proof import ProofOutcome
from rule_editor.widgets.cell_grid import CellGrid, GridCell
from rule_editor.widgets.matrix.rows import MatrixRows
from rule_editor.widgets.painting import IN_MIDDLE, MIDDLE, RIGHT, draw_text
from rule_editor.widgets.toolkit import DesignTokens

_WHO = 60
_COUNTS = (("fires", 48), ("near", 48), ("first", 80), ("wrong", 40))
_ICONS = {ProofOutcome.FIRES: "state-fire", ProofOutcome.NEAR: "state-near"}
_GROUNDS = {ProofOutcome.FIRES: "accent-weak", ProofOutcome.NEAR: "warn-weak"}
_ICON = 12
_FORWARD = {
    Qt.Key.Key_Right: True, Qt.Key.Key_Down: True, Qt.Key.Key_Left: False, Qt.Key.Key_Up: False,
}  # fmt: skip


class MatrixView(CellGrid):
    """Cells are known by positions of the corpus. Ctrl and an arrow go to the next that is not silent."""

    chosen = Signal(int)
    opened = Signal(int)
    names_width = 244
    figures_width = sum(width for _name, width in _COUNTS)
    opens_on_click = True

    def __init__(self, tokens: DesignTokens, rows: MatrixRows, parent: QWidget | None = None) -> None:
        self._rows = rows
        self._differences: Mapping[int, OutcomeDifference] = {}
        super().__init__(_("Back-test matrix"), tokens, parent)

    def set_differences(self, differences: Mapping[int, OutcomeDifference]) -> None:
        """Mark positions where another version of the rule has a different outcome."""
        self._differences = differences
        self.viewport().update()

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        width = self.names_width + 12 * self.column_width + self.figures_width
        return QSize(width, 8 * self.row_height)

    # -- cells ---------------------------------------------------------------
    def row_count(self) -> int:
        return len(self._rows.shown)

    def column_count(self) -> int:
        return self._rows.columns

    def key_of(self, cell: GridCell) -> Hashable:
        return self._rows.position_of(cell)

    def cell_of(self, key: Hashable) -> GridCell | None:
        return self._rows.cell_of(key) if isinstance(key, int) else None

    def describe(self, cell: GridCell) -> str:
        """Where the cell is and what the rule does there."""
        row = self._rows.shown[cell.row]
        does = _(OUTCOMES[row.outcome(cell.column)])
        why = row.wrong.get(cell.column) or row.missed.get(cell.column, "")
        sentence = _(
            "{task}, {title}, step {step}: {does}",
            task=row.trajectory.task_id, title=row.trajectory.title, step=cell.column + 1, does=does,
        )  # fmt: skip
        return f"{sentence}\n{why}" if why else sentence

    def row_tip(self, row: int) -> str:
        """The whole name of a trajectory."""
        trajectory = self._rows.shown[row].trajectory
        return " \u00b7 ".join(filter(None, (trajectory.task_id, trajectory.title, trajectory.who)))

    # -- input ---------------------------------------------------------------
    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        key = Qt.Key(event.key())
        if key in _FORWARD and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self._jump(forward=_FORWARD[key])
        else:
            super().keyPressEvent(event)

    def _jump(self, *, forward: bool) -> None:
        """Go to the next cell that is not silent, row by row."""
        cells = [
            GridCell(number, column)
            for number, row in enumerate(self._rows.shown)
            for column in range(len(row.outcomes))
            if row.outcome(column) is not ProofOutcome.SILENT
        ]
        current = self.current_cell
        here = (current.row, current.column) if current is not None else (-1, -1)
        after = [cell for cell in cells if (cell.row, cell.column) > here]
        before = [cell for cell in cells if (cell.row, cell.column) < here]
        if forward and after:
            self.go(after[0])
        elif not forward and before:
            self.go(before[-1])

    # -- painting ------------------------------------------------------------
    def paint_head(self, painter: QPainter, columns: range) -> None:
        tokens, width, height = self._tokens, self.viewport().width(), self.head_height
        painter.fillRect(QRect(0, 0, width, height), tokens.color("bg-2"))
        draw_text(tokens, painter, QRect(12, 0, 100, height), _("Trajectory"), "text-2")
        who = QRect(self.names_width - _WHO, 0, _WHO - 12, height)
        draw_text(tokens, painter, who, _("who"), "text-2", side=RIGHT)
        cells = self.cells_rect()
        painter.save()
        painter.setClipRect(QRect(cells.left(), 0, cells.width(), height))
        for column in columns:
            box = QRect(self.cells_left() + self.left_of(column), 0, self.column_width, height)
            draw_text(tokens, painter, box, str(column + 1), "text-2", side=MIDDLE)
        painter.restore()
        titles = {"fires": _("fires"), "near": _("near"), "first": _("first fire"), "wrong": ""}
        for name, box in self._count_boxes(0):
            draw_text(tokens, painter, box, titles[name], "text-2", side=RIGHT)
        painter.setPen(tokens.color("line"))
        painter.drawLine(0, height - 1, width, height - 1)

    def _count_boxes(self, top: int) -> list[tuple[str, QRect]]:
        left = min(self.cells_rect().right() + 1, self.viewport().width() - self.figures_width)
        boxes = []
        for name, width in _COUNTS:
            boxes.append((name, QRect(left, top, width - 8, self.row_height)))
            left += width
        return boxes

    def paint_row(self, painter: QPainter, row: int, top: int, *, is_current: bool) -> None:
        shown, tokens, height = self._rows.shown[row], self._tokens, self.row_height
        if is_current:
            painter.fillRect(QRect(0, top, self.viewport().width(), height), tokens.color("accent-weak"))
        painter.setPen(tokens.color("line"))
        painter.drawLine(0, top + height - 1, self.viewport().width(), top + height - 1)
        header = shown.trajectory
        task = QRect(12, top, 92, height)
        draw_text(tokens, painter, task, header.task_id, "text", role="name", elide=IN_MIDDLE)
        room = (
            self.names_width - 108 - (_WHO if header.who else 12)
        )  # runs have nobody: their names are longer
        title = QRect(108, top, room, height)
        draw_text(tokens, painter, title, header.title, "text-2", elide=IN_MIDDLE)
        who = QRect(self.names_width - _WHO, top, _WHO - 12, height)
        draw_text(tokens, painter, who, header.who, "text-2", side=RIGHT)
        self._paint_counts(painter, shown, top)

    def paint_cell(self, painter: QPainter, cell: GridCell, box: QRect) -> None:
        tokens, row = self._tokens, self._rows.shown[cell.row]
        outcome, inner = row.outcome(cell.column), box.adjusted(0, 0, -1, -1)
        if outcome in _GROUNDS:
            painter.fillRect(inner, tokens.color(_GROUNDS[outcome]))
        painter.setPen(tokens.color("line"))
        painter.drawLine(box.right(), box.top(), box.right(), box.bottom())
        if outcome in _ICONS:
            tokens.draw_icon_in(painter, _ICONS[outcome], inner, _ICON)
        else:
            painter.fillRect(QRect(box.center().x() - 1, box.center().y() - 1, 2, 2), tokens.color("text-3"))
        if (differs := self._differences.get(row.first + cell.column)) is not None:
            tone = "ok" if differs.after is ProofOutcome.FIRES else "warn"
            corner = QPolygon([box.topLeft(), box.topLeft() + QPoint(7, 0), box.topLeft() + QPoint(0, 7)])
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(tokens.color(tone))
            painter.drawPolygon(corner)
            painter.setBrush(Qt.BrushStyle.NoBrush)
        if cell.column in row.wrong or cell.column in row.missed:
            painter.setPen(QPen(tokens.color("err"), 2))
            painter.drawRect(box.adjusted(7, 3, -9, -5))

    def _paint_counts(self, painter: QPainter, row: BackTestRow, top: int) -> None:
        first = row.first_fire
        texts = {
            "fires": str(row.fires), "near": str(row.near),
            "first": _("step {step}", step=first + 1) if first is not None else "-",
        }  # fmt: skip
        tones = {"fires": "accent" if row.fires else "text-3", "near": "text" if row.near else "text-3"}
        for name, box in self._count_boxes(top):
            if name != "wrong":
                draw_text(self._tokens, painter, box, texts[name], tones.get(name, "text-2"), side=RIGHT)
            elif row.wrong or row.missed:
                self._tokens.draw_icon_in(painter, "state-err", box, _ICON)


def summary_of(states: int, trajectories: int, seconds: float) -> str:
    """A sentence such as ``312 states of 28 trajectories in 0.08 s``."""
    seen = ngettext("one state", "{count} states", states)
    of = ngettext("one trajectory", "{count} trajectories", trajectories)
    return _(
        "{states} of {trajectories} in {seconds} s", states=seen, trajectories=of, seconds=f"{seconds:.2f}"
    )
