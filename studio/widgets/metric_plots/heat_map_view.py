"""A heat map: a coloured cell for each row and column with its percent and count, over a scale of colours."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from rule_editor.widgets.cell_grid import CellGrid, GridCell
from studio.theme import theme
from studio.widgets.metric_plots.heat_cells import HeatSheet, step_color, step_of, step_titles, step_tone
from studio.widgets.painting import draw_text, text_width
from studio.widgets.wrapped_text import tooltip_text

_SIDE, _HEAD, _LINE, _SCALE, _GAP = 14, 24, 15, 28, 8
_LEAST_NAMES, _MOST_NAMES = 60, 170
_LEAST_CELL, _MOST_CELL = QSize(64, 34), QSize(150, 52)
_SWATCH = 12


class HeatMapView(CellGrid):
    """Cells are known by their places. They take the room that there is; what does not fit is scrolled."""

    current: GridCell | None
    head_height, foot_height, figures_width = _HEAD, _SCALE, _SIDE

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        self._sheet = HeatSheet()
        super().__init__(name, theme, parent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)

    # -- what is shown -------------------------------------------------------
    @property
    def sheet(self) -> HeatSheet:
        return self._sheet

    def show_sheet(self, sheet: HeatSheet) -> None:
        """Show other cells; the cursor stays where rows and columns are the same."""
        is_same = (sheet.rows, sheet.columns) == (self._sheet.rows, self._sheet.columns)
        self._sheet = sheet
        if not is_same:
            self.set_current(None)
        self.refresh()

    def refresh(self) -> None:
        """Measure the texts, and paint them again."""
        self._fit()
        super().refresh()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        self._fit()
        super().resizeEvent(event)

    def _fit(self) -> None:
        """Give rows and columns the room that there is."""
        sheet, seen = self._sheet, self.viewport().size()
        widest = max((text_width(name, "name") for name in sheet.rows), default=0)
        self.names_width = _SIDE + min(_MOST_NAMES, max(_LEAST_NAMES, widest + _GAP))
        needed = max(
            (text_width(cell.text, "caption") + 2 * _GAP for row in sheet.cells for cell in row), default=0
        )
        width = (seen.width() - self.names_width - _SIDE) // max(1, len(sheet.columns))
        self.column_width = min(_MOST_CELL.width(), max(_LEAST_CELL.width(), needed, width))
        is_wide = all(len(self._title_lines(column)) == 1 for column in range(len(sheet.columns)))
        self.head_height = _HEAD if is_wide else _HEAD + _LINE
        height = (seen.height() - self.head_height - _SCALE) // max(1, len(sheet.rows))
        self.row_height = min(_MOST_CELL.height(), max(_LEAST_CELL.height(), height))

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(440, 220)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(200, _HEAD + _LEAST_CELL.height() + _SCALE)

    # -- cells ---------------------------------------------------------------
    def row_count(self) -> int:
        return len(self._sheet.rows)

    def column_count(self) -> int:
        return len(self._sheet.columns)

    def key_of(self, cell: GridCell) -> GridCell | None:
        return cell if self._sheet.cell((cell.row, cell.column)) is not None else None

    def cell_of(self, key: object) -> GridCell | None:
        return self.key_of(key) if isinstance(key, GridCell) else None

    def describe(self, cell: GridCell) -> str:
        return self._sheet.cells[cell.row][cell.column].tip

    def row_tip(self, row: int) -> str:
        return self._sheet.rows[row]

    def head_tip(self, across: int) -> str:
        column = across // self.column_width
        return self._sheet.columns[column] if 0 <= column < self.column_count() else ""

    def tip_at(self, point: QPoint) -> str:
        return tooltip_text(super().tip_at(point))

    # -- painting ------------------------------------------------------------
    def paint_head(self, painter: QPainter, columns: range) -> None:
        cells = self.cells_rect()
        painter.fillRect(0, 0, self.viewport().width(), self.head_height, theme.color("bg-1"))
        painter.save()
        painter.setClipRect(QRect(cells.left(), 0, cells.width(), self.head_height))
        self._paint_titles(painter, columns)
        painter.restore()

    def _paint_titles(self, painter: QPainter, columns: range) -> None:
        for column in columns:
            lines = self._title_lines(column)
            left, width = self.cells_left() + self.left_of(column) + 2, self.column_width - 4
            for number, line in enumerate(reversed(lines)):
                bottom = self.head_height - number * _LINE
                box = QRect(left, bottom - _HEAD, width, _HEAD)
                draw_text(painter, box, line, "caption", "text-2", Qt.AlignmentFlag.AlignHCenter)

    def _title_lines(self, column: int) -> list[str]:
        """The title of a column; a combination that does not fit in two lines, as both ends tell it apart."""
        title = self._sheet.columns[column]
        first, plus, second = title.rpartition("+")
        fits = text_width(title, "caption") <= self.column_width - 4
        return [title] if fits or not plus else [first + plus, second]

    def paint_foot(self, painter: QPainter) -> None:
        top = self.cells_rect().bottom() + 1
        painter.fillRect(0, top, self.viewport().width(), _SCALE, theme.color("bg-1"))
        self._paint_scale(painter, min(top, self.top_of(self.row_count())))

    def paint_row(self, painter: QPainter, row: int, top: int, *, is_current: bool) -> None:
        if is_current:
            painter.fillRect(0, top, self.names_width - 1, self.row_height, theme.color("bg-2"))
        width = self.names_width - _SIDE - _GAP
        draw_text(painter, QRect(_SIDE, top, width, self.row_height), self._sheet.rows[row], "name")

    def paint_cell(self, painter: QPainter, cell: GridCell, box: QRect) -> None:
        shown = self._sheet.cells[cell.row][cell.column]
        inside = box.adjusted(1, 1, -1, -1)
        middle = Qt.AlignmentFlag.AlignHCenter
        if shown.value is None:
            painter.setPen(QPen(theme.color("line-2"), 1, Qt.PenStyle.DashLine))
            painter.drawRect(inside.adjusted(0, 0, -1, -1))
            draw_text(painter, inside.adjusted(3, 0, -3, 0), shown.text, "caption", "text-3", middle)
            return
        step = step_of(shown.value)
        painter.fillRect(inside, step_color(step))
        half = inside.height() // 2
        upper = QRect(inside.left(), inside.top() + 2, inside.width(), half)
        lower = QRect(inside.left(), inside.top() + half, inside.width(), inside.height() - half - 2)
        draw_text(painter, upper, shown.text, "name", step_tone(step), middle)
        draw_text(painter, lower, shown.count, "caption", step_tone(step), middle)

    def paint_current(self, painter: QPainter) -> None:
        """Frame the current cell by two lines, of which one is seen on every colour."""
        if (cell := self.current_cell) is None:
            return
        painter.save()
        painter.setClipRect(self.cells_rect())
        for inset, tone in ((1, "text"), (3, "bg-1")):
            painter.setPen(QPen(theme.color(tone), 2))
            painter.drawRect(self.frame_rect(cell).adjusted(inset, inset, -inset - 1, -inset - 1))
        painter.restore()

    def _paint_scale(self, painter: QPainter, top: int) -> None:
        """Draw each colour with the percentages that it stands for."""
        left = self.names_width
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
        scale = sum(_SWATCH + 15 + text_width(title, "caption") for title in step_titles())
        width = self.names_width + max(self.cells_width(), scale) + _SIDE
        return QSize(width, self.head_height + self.row_count() * self.row_height + _SCALE)

    def paint_plot(self, painter: QPainter) -> None:
        """Draw the whole map from 0, 0, without the cursor."""
        rows, columns = range(self.row_count()), range(self.column_count())
        across, down = self.horizontalScrollBar().value(), self.verticalScrollBar().value()
        painter.save()
        painter.translate(across, 0)
        self._paint_titles(painter, columns)
        painter.translate(-across, down)
        for row in rows:
            self.paint_row(painter, row, self.top_of(row), is_current=False)
        painter.translate(across, 0)
        for cell in (GridCell(row, column) for row in rows for column in columns):
            self.paint_cell(painter, cell, self.cell_rect(cell))
        painter.restore()
        self._paint_scale(painter, self.head_height + len(rows) * self.row_height)
