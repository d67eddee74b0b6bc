"""The grid of results: tasks down; agents, conditions and seeds across. Only visible cells are painted."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QFontMetrics,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QToolTip, QWidget

from collector.model.i18n import _
from collector.run.progress import WAITING
from collector.run.results.result_grid import ResultGrid, ResultPlace, cell_text, result_text
from collector.run.results.result_rows import ResultOrder, ResultRows
from rule_editor.widgets.matrix.view import STEPS
from studio.theme import theme
from studio.widgets.painting import draw_text, text_width
from studio.widgets.result_grid.cell_look import CELL_HEIGHT, CELL_WIDTH, LOOKS, CellPixmaps
from studio.widgets.result_grid.grid_geometry import HEAD, ROW, TITLE_LEFT, GridGeometry
from studio.widgets.wrapped_text import tooltip_text

_AGENTS = 23
_LEAST_NAMES, _MOST_NAMES, _SUCCESS = 120, 260, 84
_AT_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_AT_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_MEASURED = 400
"""So many names decide the width of the task column."""


class ResultGridView(QAbstractScrollArea):
    """Emits the id of a cell when it is chosen, by mouse or keyboard, and when it is opened."""

    chosen = Signal(str)
    opened = Signal(str)
    """Enter, or a double click."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows = ResultRows()
        self._geometry = GridGeometry()
        self._current: ResultPlace | None = None
        self._names = _LEAST_NAMES
        self._pixmaps = CellPixmaps()
        self.setFrameShape(QAbstractScrollArea.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(_("Results by task, agent and condition"))
        self.setProperty("takesNavigationKeys", True)
        self.viewport().setMouseTracking(True)
        theme.changed.connect(self._measure_texts)

    # -- what is shown -------------------------------------------------------
    @property
    def grid(self) -> ResultGrid:
        return self.rows.grid

    def show_grid(self, grid: ResultGrid) -> None:
        """Show other results; the current cell stays if it is still there."""
        cell = self.grid.cell(self._current) if self._current is not None else None
        self.rows.set_grid(grid)
        self._current = grid.place_of(cell.id) if cell is not None else None
        self._measure_texts()

    def update_cells(self, cell_ids: Iterable[str]) -> None:
        """Paint cells that changed again."""
        changed = self.grid.update(cell_ids)
        if not changed:
            return
        if self.rows.statuses or self.rows.order in (ResultOrder.WORST, ResultOrder.BEST):
            self.rows.arrange()
            self._measure()
            self.viewport().update()
            return
        for place in changed:
            row = self.rows.row_of(place)
            if row is not None:
                self.viewport().update(QRect(0, self._top(row), self.viewport().width(), ROW))

    def set_order(self, order: ResultOrder) -> None:
        """Sort the rows."""
        self.rows.set_order(order)
        self._arranged()

    def set_statuses(self, statuses: Iterable[str]) -> None:
        """Show the rows with a cell of these statuses; all rows when there are none."""
        self.rows.set_statuses(statuses)
        self._arranged()

    def _arranged(self) -> None:
        self._measure()
        if self._current is not None:
            self._reveal(self._current)
        self.viewport().update()

    @property
    def current(self) -> ResultPlace | None:
        """The cell of the keyboard cursor."""
        return self._current

    def set_current(self, cell_id: str) -> None:
        """Make a cell the current one, without a signal; an id that is not in the grid leaves none."""
        place = self.grid.place_of(cell_id)
        if place != self._current:
            self._current = place
            if place is not None:
                self._reveal(place)
            self.viewport().update()

    # -- places --------------------------------------------------------------
    def _measure_texts(self) -> None:
        self._pixmaps.forget()
        grid = self.grid
        titles = [text_width(column.title) for column in grid.columns]
        self._geometry = GridGeometry(grid.columns, titles)
        widest = max((text_width(task, "name") for task in grid.tasks[:_MEASURED]), default=0)
        self._names = min(_MOST_NAMES, max(_LEAST_NAMES, widest + 24))
        self._measure()
        self.viewport().update()

    def _measure(self) -> None:
        across, down, room = self.horizontalScrollBar(), self.verticalScrollBar(), self._cells()
        across.setRange(0, max(0, self._geometry.width - room.width()))
        across.setPageStep(max(1, room.width()))
        across.setSingleStep(CELL_WIDTH)
        down.setRange(0, max(0, len(self.rows.shown) * ROW - room.height()))
        down.setPageStep(max(ROW, room.height()))
        down.setSingleStep(ROW)

    def _cells(self) -> QRect:
        """The part of the viewport with cells."""
        room = self.viewport().rect()
        width = min(self._geometry.width, room.width() - self._names - _SUCCESS)
        return QRect(self._names, HEAD, max(0, width), max(0, room.height() - HEAD))

    def _top(self, row: int) -> int:
        return HEAD + row * ROW - self.verticalScrollBar().value()

    def cell_rect(self, place: ResultPlace) -> QRect:
        """The rectangle of a cell in pixels of the viewport; empty when its row is filtered out."""
        row = self.rows.row_of(place)
        if row is None:
            return QRect()
        left = self._names + self._geometry.left_of(place.column) - self.horizontalScrollBar().value()
        return QRect(left, self._top(row) + (ROW - CELL_HEIGHT) // 2, CELL_WIDTH, CELL_HEIGHT)

    def _reveal(self, place: ResultPlace) -> None:
        box, room = self.cell_rect(place), self._cells()
        if box.isEmpty():
            return
        box = box.adjusted(-8, -3, 8, 3)
        across, down = self.horizontalScrollBar(), self.verticalScrollBar()
        aside = min(0, box.left() - room.left()) + max(0, box.right() - room.right())
        below = min(0, box.top() - room.top()) + max(0, box.bottom() - room.bottom())
        across.setValue(across.value() + aside)
        down.setValue(down.value() + below)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self._measure()

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(640, HEAD + 12 * ROW)

    # -- input ---------------------------------------------------------------
    def _row_at(self, point: QPoint) -> int:
        return (point.y() - HEAD + self.verticalScrollBar().value()) // ROW

    def _place_at(self, point: QPoint) -> ResultPlace | None:
        if not self._cells().contains(point):
            return None
        column = self._geometry.column_at(point.x() - self._names + self.horizontalScrollBar().value())
        return self.rows.place(self._row_at(point), column) if column is not None else None

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        place = self._place_at(event.position().toPoint())
        if place is not None and event.button() in (Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton):
            self._go(place)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        if self._place_at(event.position().toPoint()) is not None:
            self._open()

    def choose_at(self, point: QPoint | None) -> QPoint | None:
        """Choose the cell at a point for its menu; without a point, the current one."""
        place = self._place_at(point) if point is not None else self._current
        if place is None:
            return None
        self._go(place)
        return point if point is not None else self.cell_rect(place).center()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        key, here = Qt.Key(event.key()), self._current
        rows, columns = len(self.rows.shown), len(self.grid.columns)
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and here is not None and not event.modifiers():
            self._open()
        elif key in STEPS and rows:
            down, across = STEPS[key]
            self._step(down, across)
        elif key in (Qt.Key.Key_PageUp, Qt.Key.Key_PageDown) and here is not None:
            page = max(1, self._cells().height() // ROW - 1)
            self._step(page if key == Qt.Key.Key_PageDown else -page, 0)
        elif key in (Qt.Key.Key_Home, Qt.Key.Key_End) and here is not None:
            self._step(0, -columns if key == Qt.Key.Key_Home else columns)
        else:
            super().keyPressEvent(event)

    def _step(self, down: int, across: int) -> None:
        """Move the cursor; where the experiment has no cell, on in the same direction."""
        here = self._current
        at = self.rows.row_of(here) if here is not None else None
        if here is None or at is None:
            self._go_near(0, 0, 1)
            return
        row = min(max(0, at + down), len(self.rows.shown) - 1)
        column = min(max(0, here.column + across), len(self.grid.columns) - 1)
        self._go_near(row, column, -1 if across < 0 or (across == 0 and column > 0) else 1)

    def _go_near(self, row: int, column: int, direction: int) -> None:
        while 0 <= column < len(self.grid.columns):
            place = self.rows.place(row, column)
            if place is not None:
                self._go(place)
                return
            column += direction

    def _go(self, place: ResultPlace) -> None:
        cell = self.grid.cell(place)
        if cell is None:
            return
        is_other = place != self._current
        self._current = place
        self._reveal(place)
        self.setAccessibleDescription(self._words(place))
        self.viewport().update()
        if is_other:
            self.chosen.emit(cell.id)

    def _open(self) -> None:
        cell = self.grid.cell(self._current) if self._current is not None else None
        if cell is not None:
            self.opened.emit(cell.id)

    def viewportEvent(self, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        if isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), tooltip_text(self.tip_at(event.pos())), self.viewport())
            return True
        return super().viewportEvent(event)

    def tip_at(self, point: QPoint) -> str:
        """What is known of the cell, the task or the condition at a point."""
        place = self._place_at(point)
        if place is not None:
            return self._words(place)
        row, across = self._row_at(point), point.x() - self._names + self.horizontalScrollBar().value()
        if point.y() < HEAD and point.x() >= self._names:
            titles = [f"{g.agent}: {g.title}" for g in self._geometry.groups if g.left <= across < g.right]
            return titles[0] if titles else ""
        is_row = point.y() >= HEAD and 0 <= row < len(self.rows.shown)
        return self.grid.tasks[self.rows.shown[row]] if is_row and point.x() < self._names else ""

    def _words(self, place: ResultPlace) -> str:
        cell, result = self.grid.cell(place), self.grid.result(place)
        if cell is None or result is None:
            return ""
        lines = [cell_text(cell), result_text(result)]
        if result.steps or result.seconds:
            steps = _("{count} steps in {seconds} s", count=result.steps, seconds=f"{result.seconds:.1f}")
            lines.append(steps)
        if result.attempt:
            lines.append(_("attempt {number}", number=result.attempt + 1))
        return "\n".join(lines)

    # -- painting ------------------------------------------------------------
    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        dirty = event.rect()
        painter.fillRect(dirty, theme.color("bg-1"))
        scrolled = self.verticalScrollBar().value()
        first = max(0, (dirty.top() - HEAD + scrolled) // ROW)
        last = min(len(self.rows.shown), (dirty.bottom() - HEAD + scrolled) // ROW + 1)
        offset = self.horizontalScrollBar().value()
        cells = self._cells()
        columns = self._geometry.columns_within(offset, offset + cells.width())
        rows = range(first, last)
        self._paint_names(painter, rows)
        self._paint_cells(painter, rows, columns, cells)
        self._paint_rates(painter, rows)
        self._paint_current(painter)
        self._paint_lines(painter, cells)
        if dirty.top() < HEAD:
            self._paint_head(painter, cells)

    def _paint_names(self, painter: QPainter, rows: range) -> None:
        """Draw the tasks and the lines below them; one font for all, as a screen has dozens."""
        font, width, line = theme.font("name"), self.viewport().width(), theme.color("line")
        metrics, room = QFontMetrics(font), self._names - 20
        painter.setFont(font)
        painter.setPen(theme.color("text"))
        for row in rows:
            top = self._top(row)
            painter.fillRect(0, top + ROW - 1, width, 1, line)
            name = self.grid.tasks[self.rows.shown[row]]
            shown = metrics.elidedText(name, Qt.TextElideMode.ElideRight, room)
            painter.drawText(QRect(12, top, room + 8, ROW - 1), _AT_LEFT, shown)

    def _paint_cells(self, painter: QPainter, rows: range, columns: range, cells: QRect) -> None:
        painter.save()
        painter.setClipRect(cells)
        ratio = painter.device().devicePixelRatioF()
        pixmaps = {
            status: self._pixmaps.get(status, ratio, faint=not self.rows.accepts(status)) for status in LOOKS
        }
        unknown = pixmaps[WAITING]
        origin = self._names - self.horizontalScrollBar().value()
        lefts = [(column, origin + self._geometry.left_of(column)) for column in columns]
        for row in rows:
            statuses = self.grid.row_statuses(self.rows.shown[row])
            top = self._top(row) + (ROW - CELL_HEIGHT) // 2
            for column, left in lefts:
                if status := statuses[column]:
                    painter.drawPixmap(left, top, pixmaps.get(status, unknown))
        painter.restore()

    def _paint_rates(self, painter: QPainter, rows: range) -> None:
        painter.setFont(theme.font("body"))
        painter.setPen(theme.color("text-2"))
        left = self.viewport().width() - _SUCCESS
        for row in rows:
            rate = self.grid.success_of(self.rows.shown[row])
            if rate is not None:
                place = QRect(left, self._top(row), _SUCCESS - 12, ROW - 1)
                painter.drawText(place, _AT_RIGHT, _("{percent} %", percent=round(rate * 100)))

    def _paint_current(self, painter: QPainter) -> None:
        """Tint the seeds of the current cell's condition, and frame the cell."""
        if self._current is None:
            return
        box = self.cell_rect(self._current)
        if box.isEmpty():
            return
        painter.save()
        painter.setClipRect(self._cells())
        group = self._geometry.group_of(self._current.column)
        left = self._names - self.horizontalScrollBar().value()
        top = box.top() - (ROW - CELL_HEIGHT) // 2
        around = QRect(left + group.left, top - 1, group.right - group.left + 2, ROW)
        painter.fillRect(around, theme.color("accent-weak"))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(theme.color("accent"), 1))
        painter.drawRect(around.adjusted(0, 0, -1, -1))
        painter.setPen(QPen(theme.color("accent"), 2))
        painter.drawRoundedRect(box.adjusted(0, 0, 0, 0), 3, 3)
        painter.restore()

    def _paint_lines(self, painter: QPainter, cells: QRect) -> None:
        """Draw the lines between the agents, and beside the names and the rates."""
        height, line = self.viewport().height(), theme.color("line")
        painter.fillRect(self._names, 0, 1, height, line)
        offset = self.horizontalScrollBar().value()
        for _agent, left, _right in self._geometry.agents()[1:]:
            x = self._names + left - offset
            if cells.left() < x <= cells.right():
                painter.fillRect(x, 0, 1, height, line)
        if self.grid.columns:
            painter.fillRect(self.viewport().width() - _SUCCESS, 0, 1, height, line)

    def _paint_head(self, painter: QPainter, cells: QRect) -> None:
        width, line = self.viewport().width(), theme.color("line")
        painter.fillRect(0, 0, width, HEAD, theme.color("bg-1"))
        draw_text(painter, QRect(12, _AGENTS, self._names - 20, HEAD - _AGENTS), _("Task"), "body", "text-2")
        place = QRect(width - _SUCCESS, _AGENTS, _SUCCESS - 12, HEAD - _AGENTS)
        draw_text(painter, place, _("success"), "body", "text-2", Qt.AlignmentFlag.AlignRight)
        painter.save()
        painter.setClipRect(QRect(cells.left(), 0, cells.width(), HEAD))
        origin = self._names - self.horizontalScrollBar().value()
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
        self._paint_lines_of_head(painter, cells)

    def _paint_lines_of_head(self, painter: QPainter, cells: QRect) -> None:
        painter.save()
        painter.setClipRect(QRect(0, 0, self.viewport().width(), HEAD))
        self._paint_lines(painter, cells)
        painter.restore()
