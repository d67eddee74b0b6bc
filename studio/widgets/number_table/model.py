"""The rows of a table of numbers for Qt, in the order that the person sorted them."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QObject

from studio.widgets.number_table.content import ColumnKind, Ints, NumberColumn, TableContent
from studio.widgets.tables.cell_table import CellModel, TableCell, TableColumn


class NumberModel(CellModel):
    """Cells are looked up when they are painted, so that ten thousand rows cost nothing."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.content = TableContent()
        self.order: Ints = np.arange(0)
        """Number of the content's row at each row on show."""
        self.sorted_by = -1
        """The column that rows are sorted by; -1 for the order of the groups."""
        self.descending = True

    def show(self, content: TableContent) -> None:
        """Replace everything; rows stay sorted by the column of the same title."""
        titles = [(column.title, column.kind) for column in content.columns]
        before = None
        if 0 <= self.sorted_by < len(self.content.columns):
            before = (self.column(self.sorted_by).title, self.column(self.sorted_by).kind)
        self.beginResetModel()
        self.content = content
        self.columns = [TableColumn(each.title, tip=each.tip or each.title) for each in content.columns]
        self.sorted_by = titles.index(before) if before is not None and before in titles else -1
        self._sort()
        self.endResetModel()

    def sort_by(self, column: int, *, descending: bool) -> None:
        """Sort the rows by a column; -1 shows them in the order of the groups."""
        self.beginResetModel()
        self.sorted_by, self.descending = column, descending
        self._sort()
        self.endResetModel()

    def _sort(self) -> None:
        if self.sorted_by < 0:
            self.order = np.arange(self.content.row_count)
        else:
            self.order = self.content.sorted_rows(self.sorted_by, descending=self.descending)

    def column(self, number: int) -> NumberColumn:
        """A column of the content."""
        return self.content.columns[number]

    def source_row(self, row: int) -> int:
        """Number of the content's row at a row on show."""
        return int(self.order[row])

    def row_count(self) -> int:
        return len(self.order)

    def cell(self, row: int, column: int) -> TableCell:
        shown, number = self.column(column), self.source_row(row)
        text = shown.texts[number] if shown.texts else ""
        if shown.kind is ColumnKind.LABEL and shown.details:
            text = f"{text} {shown.details[number]}".strip()
        return TableCell(text, tip=shown.describe(number) if shown.describe is not None else "")
