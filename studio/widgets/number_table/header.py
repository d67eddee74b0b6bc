"""The header of a table of numbers: titles over their numbers, and titles over several columns."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHeaderView, QWidget

from studio.theme import theme
from studio.widgets.number_table.content import ColumnKind
from studio.widgets.number_table.delegate import SIDE
from studio.widgets.number_table.model import NumberModel
from studio.widgets.painting import draw_text

_ARROW = 12


class NumberHeader(QHeaderView):
    """Numbers have their titles right-aligned, and the column that rows are sorted by has an arrow."""

    def __init__(self, model: NumberModel, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._numbers = model
        self.setSectionsClickable(True)
        self.setHighlightSections(False)
        self.setMinimumSectionSize(2 * SIDE + 2 * _ARROW)
        theme.changed.connect(self.viewport().update)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        rows = 2 if self._numbers.content.is_grouped else 1
        return QSize(super().sizeHint().width(), rows * theme.size("row_table"))

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:  # noqa: N802 - Qt's name
        model = self._numbers
        column = model.column(section)
        painter.fillRect(rect, theme.color("bg-1"))
        painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, theme.color("line"))
        place = rect.adjusted(SIDE, 0, -SIDE, 0)
        place.setTop(rect.bottom() + 1 - theme.size("row_table"))
        is_sorted = model.sorted_by == section
        tone = "text" if is_sorted or (column.is_main and column.kind is ColumnKind.NUMBER) else "text-2"
        role = "name" if tone == "text" else "body"
        at_right = column.kind is ColumnKind.NUMBER
        if is_sorted:
            icon = "chevd" if model.descending else "chevu"
            box = QRect(place.right() - _ARROW + 1, place.top(), _ARROW, place.height())
            theme.draw_icon_in(painter, icon, box, _ARROW, tone)
            place.setRight(box.left() - 2)
        side = Qt.AlignmentFlag.AlignRight if at_right else Qt.AlignmentFlag.AlignLeft
        draw_text(painter, place, column.title, role, tone, side)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        super().paintEvent(event)
        if self._numbers.content.is_grouped:
            self._paint_groups(QPainter(self.viewport()))

    def _paint_groups(self, painter: QPainter) -> None:
        """Paint each title once over its neighbouring columns, with a line below."""
        columns = self._numbers.content.columns
        height, start = theme.size("row_table"), 0
        while start < len(columns):
            end = start
            while end + 1 < len(columns) and columns[end + 1].group == columns[start].group:
                end += 1
            if columns[start].group:
                left = self.sectionViewportPosition(start)
                right = self.sectionViewportPosition(end) + self.sectionSize(end)
                place = QRect(left + SIDE, 0, right - left - 2 * SIDE, height)
                centre = Qt.AlignmentFlag.AlignHCenter
                draw_text(painter, place, columns[start].group, "name", "text", centre)
                painter.fillRect(place.left(), place.bottom(), place.width(), 1, theme.color("line-2"))
            start = end + 1
