"""The painted matrix of a solvability check: tasks down, anomalies across, an icon and a word per cell."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Hashable, Mapping

from PySide6.QtCore import QPoint, QRect, QSize
from PySide6.QtGui import QPainter, QResizeEvent
from PySide6.QtWidgets import QWidget

from collector.model.i18n import _, join_sentences
from collector.replay.solvability.report import result_words
from collector.replay.solvability.trials import SolvabilityTrial
from rule_editor.widgets.cell_grid import CellGrid, GridCell
from studio.theme import theme
from studio.views.solvability.result_table import (
    RESULT_APPEARANCE,
    RESULT_BACKGROUND,
    SolvabilityTable,
)
from studio.widgets.painting import RIGHT, draw_text, text_width
from studio.widgets.wrapped_text import tooltip_text

_ICON = 14
_NAMES, _FEWEST_NAMES = 232, 96
_NARROW, _WIDE, _PAD = 116, 190, 20


class SolvabilityMatrix(CellGrid):
    """Cells are known by their places, which stay the same while a check runs."""

    current: GridCell | None
    head_height = row_height = 26
    column_width = _NARROW
    names_width = _NAMES
    figures_width = 64

    def __init__(self, parent: QWidget | None = None) -> None:
        self._table = SolvabilityTable()
        self._titles: Mapping[str, str] = {}
        self._lefts: list[int] = [0]
        super().__init__(_("Tasks under anomalies"), theme, parent)

    def show_table(self, table: SolvabilityTable, titles: Mapping[str, str]) -> None:
        """Show the results of a check; ``titles`` are the instructions of its tasks by id."""
        self._table, self._titles = table, titles
        self.set_current(None)
        self.refresh()

    def refresh(self) -> None:
        """Measure the titles, and paint the cells again after the table changed."""
        self._lefts = [0]
        for anomaly in self._table.anomalies:
            wanted = text_width(anomaly, "caption") + _PAD
            self._lefts.append(self._lefts[-1] + min(max(_NARROW, wanted), _WIDE))
        super().refresh()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """The names shrink first, so that a whole cell stays visible."""
        room = self.viewport().width() - self.figures_width - _WIDE
        self.names_width = max(_FEWEST_NAMES, min(_NAMES, room))
        super().resizeEvent(event)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(_NAMES + 4 * _NARROW + self.figures_width, self.head_height + 6 * self.row_height)

    # -- cells ---------------------------------------------------------------
    def row_count(self) -> int:
        return len(self._table.tasks)

    def column_count(self) -> int:
        return len(self._table.anomalies)

    def key_of(self, cell: GridCell) -> Hashable:
        return cell if self._table.has(cell) else None

    def cell_of(self, key: Hashable) -> GridCell | None:
        return key if isinstance(key, GridCell) and self._table.has(key) else None

    def cells_width(self) -> int:
        return self._lefts[-1]

    def left_of(self, column: int) -> int:
        return self._lefts[column]

    def width_of(self, column: int) -> int:
        return self._lefts[column + 1] - self._lefts[column]

    def column_at(self, across: int) -> int:
        return bisect_right(self._lefts, across) - 1

    def columns_within(self, left: int, right: int) -> range:
        return range(self.column_at(left), min(self.column_at(right) + 1, self.column_count()))

    def describe(self, cell: GridCell) -> str:
        return self._table.description(cell)

    def row_tip(self, row: int) -> str:
        task = self._table.tasks[row]
        return f"{task}: {self._titles.get(task, '')}"

    def tip_at(self, point: QPoint) -> str:
        return tooltip_text(super().tip_at(point))

    def frame_rect(self, cell: GridCell) -> QRect:
        """The cells of a task that cannot be replayed are framed as one."""
        box = super().frame_rect(cell)
        if self._table.broken(cell.row) is not None:
            box.setLeft(self.cells_rect().left())
            box.setRight(self.cells_rect().right())
        return box

    # -- painting ------------------------------------------------------------
    def paint_head(self, painter: QPainter, columns: range) -> None:
        width, height, cells = self.viewport().width(), self.head_height, self.cells_rect()
        painter.fillRect(QRect(0, 0, width, height), theme.color("bg-2"))
        draw_text(painter, QRect(12, 0, self.names_width - 24, height), _("Task"), "caption", "text-2")
        tally = QRect(cells.right() + 1, 0, self.figures_width - 10, height)
        draw_text(painter, tally, _("solvable"), "caption", "text-2", RIGHT)
        painter.save()
        painter.setClipRect(QRect(cells.left(), 0, cells.width(), height))
        current = self.current_cell
        for column in columns:
            chosen = current is not None and current.column == column
            left = self.cells_left() + self.left_of(column)
            place = QRect(left + 8, 0, self.width_of(column) - 14, height)
            name = self._table.anomalies[column]
            draw_text(painter, place, name, "caption", "text" if chosen else "text-2")
        painter.restore()
        painter.fillRect(0, height - 1, width, 1, theme.color("line"))

    def paint_row(self, painter: QPainter, row: int, top: int, *, is_current: bool) -> None:
        task, width, height = self._table.tasks[row], self.viewport().width(), self.row_height
        if is_current:
            painter.fillRect(0, top, width, height - 1, theme.color("bg-2"))
        painter.fillRect(0, top + height - 1, width, 1, theme.color("line"))
        name = min(text_width(task, "name"), 120, self.names_width - 24)
        draw_text(painter, QRect(12, top, name + 2, height), task, "name")
        goal = QRect(12 + name + 10, top, self.names_width - name - 32, height)
        if goal.width() > _PAD:
            draw_text(painter, goal, self._titles.get(task, ""), "body", "text-2")
        broken, (solved, met) = self._table.broken(row), self._table.tally(row)
        box = QRect(self.cells_rect().right() + 1, top, self.figures_width - 10, height)
        words = f"{solved} / {met}" if met and broken is None else "-"
        draw_text(painter, box, words, "body", "text-2", RIGHT)
        if broken is not None:
            self._paint_broken(painter, broken, top)

    def _paint_broken(self, painter: QPainter, trial: SolvabilityTrial, top: int) -> None:
        """Paint one sentence over the whole row, because it is about no anomaly."""
        cells, (icon, tone), height = self.cells_rect(), RESULT_APPEARANCE[trial.result], self.row_height
        words = join_sentences(result_words(trial), trial.why)
        theme.draw_icon_in(painter, icon, QRect(cells.left() + 8, top, _ICON, height), _ICON)
        draw_text(painter, QRect(cells.left() + 28, top, cells.width() - 32, height), words, "body", tone)

    def paint_cell(self, painter: QPainter, cell: GridCell, box: QRect) -> None:
        if self._table.broken(cell.row) is not None:
            return
        worst, inner = self._table.worst(cell), box.adjusted(0, 0, -1, -1)
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
