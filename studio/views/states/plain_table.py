"""A table of rows that are shown and chosen, in the look of the studio's lists."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableWidget, QTableWidgetItem

from studio.theme import theme


class PlainTable(QTableWidget):
    """Rows are selected whole; the column ``wide`` takes the room that the others leave."""

    def __init__(self, name: str, titles: Sequence[str], widths: Sequence[int], wide: int) -> None:
        super().__init__(0, len(titles))
        self.setAccessibleName(name)
        self.setHorizontalHeaderLabels(list(titles))
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(theme.size("row_table"))
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        head = self.horizontalHeader()
        head.setHighlightSections(False)
        head.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        for column, width in enumerate(widths):
            self.setColumnWidth(column, width)
        head.setSectionResizeMode(wide, QHeaderView.ResizeMode.Stretch)

    def add_row(self, texts: Sequence[str], icon: str = "", tip: str = "") -> QTableWidgetItem:
        """Add a row; the icon stands in its first cell. Return that cell."""
        row = self.rowCount()
        self.insertRow(row)
        cells = [QTableWidgetItem(text) for text in texts]
        for column, cell in enumerate(cells):
            cell.setToolTip(tip or cell.text())
            self.setItem(row, column, cell)
        if icon:
            cells[0].setIcon(theme.icon(icon, size=14))
        return cells[0]
