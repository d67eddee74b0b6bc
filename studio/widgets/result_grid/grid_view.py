"""The grid of results: tasks down; agents, conditions and seeds across."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QWidget

from collector.model.i18n import _, ngettext
from collector.run.progress import WAITING
from collector.run.results.result_grid import ResultGrid, cell_text, result_text
from collector.run.results.result_rows import ResultOrder, ResultRows
from rule_editor.widgets.cell_grid import CellGrid, GridCell
from studio.theme import theme
from studio.widgets.painting import RIGHT, draw_text, text_width
from studio.widgets.result_grid.cell_look import CELL_HEIGHT, CELL_WIDTH, LOOKS, CellPixmaps, draw_stale_mark
from studio.widgets.result_grid.grid_geometry import HEAD, ROW, TITLE_LEFT, GridGeometry
from studio.widgets.wrapped_text import tooltip_text

_AGENTS = 23
_LEAST_NAMES, _MOST_NAMES = 120, 260
_AT_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_AT_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_MEASURED = 400
"""So many names decide the width of the task column."""


class ResultGridView(CellGrid):
    """Cells are known by the ids of the experiment's cells."""

    chosen = Signal(str)
    opened = Signal(str)
    head_height, row_height, column_width = HEAD, ROW, CELL_WIDTH
    names_width, figures_width = _LEAST_NAMES, 84
    revealed_margin = QPoint(8, 3)

    def __init__(self, parent: QWidget | None = None) -> None:
        self.rows = ResultRows()
        self._geometry = GridGeometry()
        self._pixmaps = CellPixmaps()
        super().__init__(_("Results by task, agent and condition"), theme, parent)

    # -- what is shown -------------------------------------------------------
    @property
    def grid(self) -> ResultGrid:
        return self.rows.grid

    def show_grid(self, grid: ResultGrid) -> None:
        """Show other results; the current cell stays if it is still there."""
        self.rows.set_grid(grid)
        self.refresh()

    def update_cells(self, cell_ids: Iterable[str]) -> None:
        """Paint cells that changed again."""
        changed = self.grid.update(cell_ids)
        if not changed:
            return
        if self.rows.statuses or self.rows.order in (ResultOrder.WORST, ResultOrder.BEST):
            self.rows.arrange()
            super().refresh()
            return
        for place in changed:
            row = self.rows.row_of(place)
            if row is not None:
                self.viewport().update(QRect(0, self.top_of(row), self.viewport().width(), ROW))
        self.describe_current()

    def set_order(self, order: ResultOrder) -> None:
        """Sort the rows."""
        self.rows.set_order(order)
        self._arranged()

    def set_statuses(self, statuses: Iterable[str]) -> None:
        """Show the rows with a cell of these statuses; all rows when there are none."""
        self.rows.set_statuses(statuses)
        self._arranged()

    def _arranged(self) -> None:
        super().refresh()
        self.set_current(self._key)

    def refresh(self) -> None:
        """Measure texts and cells, and paint them again."""
        self._pixmaps.forget()
        grid = self.grid
        titles = [text_width(column.title) for column in grid.columns]
        self._geometry = GridGeometry(grid.columns, titles)
        widest = max((text_width(task, "name") for task in grid.row_names[:_MEASURED]), default=0)
        self.names_width = min(_MOST_NAMES, max(_LEAST_NAMES, widest + 24))
        super().refresh()

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(640, HEAD + 12 * ROW)

    # -- cells ---------------------------------------------------------------
    def row_count(self) -> int:
        return len(self.rows.shown)

    def column_count(self) -> int:
        return len(self.grid.columns)

    def key_of(self, cell: GridCell) -> Hashable:
        place = self.rows.place(cell.row, cell.column)
        found = self.grid.cell(place) if place is not None else None
        return found.id if found is not None else None

    def cell_of(self, key: Hashable) -> GridCell | None:
        place = self.grid.place_of(str(key))
        row = self.rows.row_of(place) if place is not None else None
        return GridCell(row, place.column) if place is not None and row is not None else None

    def cells_width(self) -> int:
        return self._geometry.width

    def left_of(self, column: int) -> int:
        return self._geometry.left_of(column)

    def column_at(self, across: int) -> int | None:
        return self._geometry.column_at(across)

    def columns_within(self, left: int, right: int) -> range:
        return self._geometry.columns_within(left, right)

    def cell_rect(self, cell: GridCell) -> QRect:
        inset = (ROW - CELL_HEIGHT) // 2
        return QRect(super().cell_rect(cell).topLeft() + QPoint(0, inset), QSize(CELL_WIDTH, CELL_HEIGHT))

    def describe(self, cell: GridCell) -> str:
        """Which cell it is, what it has come to, and what that took."""
        place = self.rows.place(cell.row, cell.column)
        planned, result = (self.grid.cell(place), self.grid.result(place)) if place else (None, None)
        if planned is None or result is None:
            return ""
        lines = [cell_text(planned), result_text(result)]
        if result.steps or result.seconds:
            seconds = f"{result.seconds:.1f}"
            took = ngettext(
                "{count} step in {seconds} s", "{count} steps in {seconds} s", result.steps, seconds=seconds
            )
            lines.append(took)
        if result.attempt:
            lines.append(_("attempt {number}", number=result.attempt + 1))
        return "\n".join(lines)

    def tip_at(self, point: QPoint) -> str:
        return tooltip_text(super().tip_at(point))

    def row_tip(self, row: int) -> str:
        return self.grid.row_names[self.rows.shown[row]]

    def head_tip(self, across: int) -> str:
        titles = [f"{g.agent}: {g.title}" for g in self._geometry.groups if g.left <= across < g.right]
        return titles[0] if titles else ""

    # -- painting ------------------------------------------------------------
    def paint_rows(self, painter: QPainter, rows: range, columns: range) -> None:
        """Paint names, cells and rates one after the other: each needs its font or clip but once."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_names(painter, rows)
        self._paint_cells(painter, rows, columns)
        self._paint_rates(painter, rows)

    def _paint_names(self, painter: QPainter, rows: range) -> None:
        """Draw the tasks and the lines below them; one font for all, as a screen has dozens."""
        font, width, line = theme.font("name"), self.viewport().width(), theme.color("line")
        metrics, room = QFontMetrics(font), self.names_width - 20
        painter.setFont(font)
        painter.setPen(theme.color("text"))
        for row in rows:
            top = self.top_of(row)
            painter.fillRect(0, top + ROW - 1, width, 1, line)
            name = self.grid.row_names[self.rows.shown[row]]
            shown = metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, room)
            painter.drawText(QRect(12, top, room + 8, ROW - 1), _AT_LEFT, shown)

    def _paint_cells(self, painter: QPainter, rows: range, columns: range) -> None:
        painter.save()
        painter.setClipRect(self.cells_rect())
        ratio = painter.device().devicePixelRatioF()
        pixmaps = {
            status: self._pixmaps.get(status, ratio, faint=not self.rows.accepts(status)) for status in LOOKS
        }
        unknown = pixmaps[WAITING]
        origin = self.cells_left()
        lefts = [(column, origin + self._geometry.left_of(column)) for column in columns]
        for row in rows:
            statuses = self.grid.row_statuses(self.rows.shown[row])
            stale = self.grid.stale_columns(self.rows.shown[row])
            top = self.top_of(row) + (ROW - CELL_HEIGHT) // 2
            for column, left in lefts:
                if status := statuses[column]:
                    painter.drawPixmap(left, top, pixmaps.get(status, unknown))
                    if column in stale:
                        draw_stale_mark(painter, left, top)
        painter.restore()

    def _paint_rates(self, painter: QPainter, rows: range) -> None:
        painter.setFont(theme.font("body"))
        painter.setPen(theme.color("text-2"))
        left = self.viewport().width() - self.figures_width
        for row in rows:
            rate = self.grid.success_of(self.rows.shown[row])
            if rate is not None:
                place = QRect(left, self.top_of(row), self.figures_width - 12, ROW - 1)
                painter.drawText(place, _AT_RIGHT, _("{percent} %", percent=round(rate * 100)))

    def paint_current(self, painter: QPainter) -> None:
        """Tint the seeds of the current cell's condition, frame the cell, and draw the lines over both."""
        cell = self.current_cell
        if cell is not None:
            painter.save()
            painter.setClipRect(self.cells_rect())
            group, box, left = self._geometry.group_of(cell.column), self.cell_rect(cell), self.cells_left()
            top = self.top_of(cell.row) - 1
            around = QRect(left + group.left, top, group.right - group.left + 2, ROW)
            painter.fillRect(around, theme.color("accent-weak"))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(theme.color("accent"), 1))
            painter.drawRect(around.adjusted(0, 0, -1, -1))
            painter.setPen(QPen(theme.color("accent"), 2))
            painter.drawRoundedRect(box, 3, 3)
            painter.restore()
        self._paint_lines(painter)

    def _paint_lines(self, painter: QPainter) -> None:
        """Draw the lines between the agents, and beside the names and the rates."""
        height, line, cells = self.viewport().height(), theme.color("line"), self.cells_rect()
        painter.fillRect(self.names_width, 0, 1, height, line)
        for _agent, left, _right in self._geometry.agents()[1:]:
            x = self.cells_left() + left
            if cells.left() < x <= cells.right():
                painter.fillRect(x, 0, 1, height, line)
        if self.column_count():
            painter.fillRect(self.viewport().width() - self.figures_width, 0, 1, height, line)

    def paint_head(self, painter: QPainter, _columns: range) -> None:
        width, line, cells = self.viewport().width(), theme.color("line"), self.cells_rect()
        painter.fillRect(0, 0, width, HEAD, theme.color("bg-1"))
        draw_text(
            painter, QRect(12, _AGENTS, self.names_width - 20, HEAD - _AGENTS), _("Task"), "body", "text-2"
        )
        place = QRect(width - self.figures_width, _AGENTS, self.figures_width - 12, HEAD - _AGENTS)
        draw_text(painter, place, _("success"), "body", "text-2", RIGHT)
        painter.save()
        painter.setClipRect(QRect(cells.left(), 0, cells.width(), HEAD))
        origin = self.cells_left()
        for agent, left, right in self._geometry.agents():
            # The name stays in sight while its columns are scrolled.
            start = max(origin + left, cells.left()) + 9
            draw_text(painter, QRect(start, 0, origin + right - start, _AGENTS), agent, "name")
        for group in self._geometry.groups:
            if origin + group.right < cells.left() or origin + group.left > cells.right():
                continue
            room = group.right - group.left - TITLE_LEFT - 2
            box = QRect(origin + group.left + TITLE_LEFT, _AGENTS, room, HEAD - _AGENTS)
            draw_text(painter, box, group.title, "body", "text-2")
        painter.restore()
        painter.fillRect(0, _AGENTS - 1, width, 1, line)
        painter.fillRect(0, HEAD - 1, width, 1, line)
        painter.setClipRect(QRect(0, 0, width, HEAD))
        self._paint_lines(painter)
