"""The table of numbers: arrows walk from number to number, a header sorts, Enter opens."""

from __future__ import annotations

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QSize, Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QWidget

from studio.theme import theme
from studio.widgets.number_table.column_widths import column_widths
from studio.widgets.number_table.content import ColumnKind, TableContent
from studio.widgets.number_table.delegate import NumberDelegate
from studio.widgets.number_table.header import NumberHeader
from studio.widgets.number_table.model import NumberModel
from studio.widgets.table_view import TableView

_SELECT = QItemSelectionModel.SelectionFlag.ClearAndSelect
_Move = QAbstractItemView.CursorAction


class NumberTable(TableView):
    """One number is selected at a time, with its row."""

    chosen = Signal(int, int)
    """The person selected a number: row of the content, column of the report."""
    opened = Signal(int, int)
    """The person asks for the episodes of a number."""
    sorted = Signal()
    """Rows are in another order."""
    selects_rows = False

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(name, parent=parent)
        self.numbers = NumberModel(self)
        self._cells = NumberDelegate(self)
        self._is_dragged = False
        self.setModel(self.numbers)
        self.setItemDelegate(self._cells)
        self.setHorizontalHeader(NumberHeader(self.numbers, self))
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.horizontalHeader().sectionClicked.connect(self.toggle_sorting)
        self.horizontalHeader().sectionResized.connect(self._section_resized)

    # -- what is shown -------------------------------------------------------
    @property
    def content(self) -> TableContent:
        """What is on show."""
        return self.numbers.content

    def show_content(self, content: TableContent) -> None:
        """Show other numbers; the number of the same row and title stays selected, without a signal."""
        selected = self._selected_name()
        self._is_showing = True
        same_columns = [column.title for column in content.columns] == [
            column.title for column in self.content.columns
        ]
        self.numbers.show(content)
        if not same_columns or not self._is_dragged:
            self._is_dragged = False
            self._size_columns()
        self._select_name(selected)
        self._is_showing = False

    def _selected_name(self) -> tuple[tuple[str, ...], str]:
        """Key of the row and title of the column of the selected number."""
        index = self.currentIndex()
        if not index.isValid():
            return (), ""
        key = self.content.keys[self.numbers.source_row(index.row())]
        return key, self.numbers.column(index.column()).title

    def _select_name(self, name: tuple[tuple[str, ...], str]) -> None:
        key, title = name
        titles = [column.title for column in self.content.columns]
        self._cells.current_row = -1
        if key in self.content.keys and title in titles:
            row = self.numbers.order.tolist().index(self.content.keys.index(key))
            self._select(row, titles.index(title))

    @property
    def selected(self) -> tuple[int, int] | None:
        """Row of the content and column of the report of the selected number; None for none."""
        index = self.currentIndex()
        return self._number_at(index) if index.isValid() else None

    def _number_at(self, index: QModelIndex) -> tuple[int, int] | None:
        column = self.numbers.column(index.column()).report_column
        return (self.numbers.source_row(index.row()), column) if column >= 0 else None

    def select_number(self, row: int, report_column: int) -> None:
        """Select a number as the person does: row of the content, column of the report."""
        for place, column in enumerate(self.content.columns):
            if column.report_column == report_column and column.kind is ColumnKind.NUMBER:
                self._select(self.numbers.order.tolist().index(row), place)
                return

    def clear_selected(self) -> None:
        """Select nothing, without a signal."""
        self._is_showing = True
        self.selectionModel().clear()
        self._cells.current_row = -1
        self._is_showing = False
        self.viewport().update()

    def _select(self, row: int, column: int) -> None:
        index = self.numbers.index(row, column)
        self.selectionModel().setCurrentIndex(index, _SELECT)
        self.scrollTo(index)

    @Slot(QModelIndex)
    def _current_changed(self, current: QModelIndex) -> None:
        self._cells.current_row = current.row()
        self.viewport().update()
        super()._current_changed(current)

    def choose_index(self, index: QModelIndex) -> None:
        if (number := self._number_at(index)) is not None:
            self.chosen.emit(*number)

    def open_index(self, index: QModelIndex) -> None:
        if (number := self._number_at(index)) is not None:
            self.opened.emit(*number)

    # -- order ---------------------------------------------------------------
    @Slot(int)
    def toggle_sorting(self, column: int) -> None:
        """Sort by a column: best first, worst first, then in the order of the groups again."""
        if not 0 <= column < len(self.content.columns):
            return
        numbers, is_label = self.numbers, self.numbers.column(column).kind is ColumnKind.LABEL
        if numbers.sorted_by != column:
            self._sort_by(column, descending=not is_label)
        elif numbers.descending is not is_label:
            self._sort_by(column, descending=is_label)
        else:
            self._sort_by(-1, descending=True)

    def _sort_by(self, column: int, *, descending: bool) -> None:
        selected = self._selected_name()
        self._is_showing = True
        self.numbers.sort_by(column, descending=descending)
        self._select_name(selected)
        self._is_showing = False
        self.horizontalHeader().viewport().update()
        self.sorted.emit()

    # -- size ----------------------------------------------------------------
    def _size_columns(self) -> None:
        widths = column_widths(self.content, self.viewport().width())
        self._is_showing, before = True, self._is_showing
        for place, width in enumerate(widths):
            self.horizontalHeader().resizeSection(place, width)
        self._is_showing = before

    @Slot(int, int, int)
    def _section_resized(self, _section: int, _before: int, _now: int) -> None:
        if not self._is_showing:
            self._is_dragged = True

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        if not self._is_dragged:
            self._size_columns()

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """As high as all its rows, for a page that scrolls as a whole."""
        rows = self.horizontalHeader().sizeHint().height()
        rows += self.numbers.rowCount() * theme.size("row_table")
        return QSize(super().sizeHint().width(), rows)

    # -- keys ----------------------------------------------------------------
    def moveCursor(  # noqa: N802 - Qt's name
        self, action: QAbstractItemView.CursorAction, modifiers: Qt.KeyboardModifier
    ) -> QModelIndex:
        """Left and Right go from number to number: intervals and labels have none of their own."""
        current = self.currentIndex()
        step = {_Move.MoveLeft: -1, _Move.MoveRight: 1}.get(action, 0)
        if not step or not current.isValid():
            return super().moveCursor(action, modifiers)
        column = current.column() + step
        while 0 <= column < len(self.content.columns):
            if self.numbers.column(column).kind is ColumnKind.NUMBER:
                return self.numbers.index(current.row(), column)
            column += step
        return current
