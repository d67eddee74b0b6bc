"""The table of numbers: arrows walk from number to number, a header sorts, Enter opens."""

from __future__ import annotations

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QRect, QSize, Qt, Signal, Slot
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QWidget

from studio.theme import theme
from studio.widgets.number_table.content import ColumnKind, NumberColumn, TableContent
from studio.widgets.number_table.delegate import SIDE, NumberDelegate
from studio.widgets.number_table.model import NumberModel
from studio.widgets.painting import draw_text, text_width
from studio.widgets.tables.table_view import TableView

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
        """Left and Right go from number to number: intervals and labels have none of their own.

        Where nothing is selected each key goes to the first number.
        """
        current = self.currentIndex()
        step = {_Move.MoveLeft: -1, _Move.MoveRight: 1}.get(action, 0)
        if not current.isValid():
            current, step = self.numbers.index(0, 0), 1
        elif not step:
            return super().moveCursor(action, modifiers)
        column = current.column() + step
        while 0 <= column < len(self.content.columns):
            if self.numbers.column(column).kind is ColumnKind.NUMBER:
                return self.numbers.index(current.row(), column)
            column += step
        return current


_LOOKED_AT = 200
"""Rows whose texts are measured."""
_LEAST_NUMBER, _LEAST_LABEL, _WHOLE_LABEL, _MOST_LABEL = 64, 96, 180, 420
"""Pixels. A label column of at most ``_WHOLE_LABEL`` is never cut."""
_INTERVAL, _SMALL_INTERVAL = 112, 72
_ROOM_FOR_ARROW = 14
_WIDEST_LABEL = 480
_ROUNDING = 2
"""Widths of texts are whole pixels, rounded; a label is not cut for a part of one."""


def column_widths(content: TableContent, width: int) -> list[int]:
    """A width for each column, so that they fill ``width`` where it is wide enough."""
    widths = [_wanted(column) for column in content.columns]
    labels = [place for place, column in enumerate(content.columns) if column.kind is ColumnKind.LABEL]
    spare = width - sum(widths)
    if spare < 0:  # details give way first, then long labels, then the table scrolls
        for least in (_without_details, _least):
            for place in labels:
                less = max(0, min(-spare, widths[place] - least(content.columns[place])))
                widths[place] -= less
                spare += less
    elif labels:
        room = {place: max(0, _WIDEST_LABEL - widths[place]) for place in labels}
        for_labels = min(spare, sum(room.values()))
        for place in labels:
            widths[place] += for_labels * room[place] // max(1, sum(room.values()))
        # On a very wide screen numbers come apart, too: no row has an empty half between its name and them.
        rest = width - sum(widths)
        for place in range(len(widths)):
            widths[place] += rest // len(widths)
        widths[labels[0]] += width - sum(widths)
    return widths


def _least(column: NumberColumn) -> int:
    return min(_WHOLE_LABEL, _without_details(column))


def _without_details(column: NumberColumn) -> int:
    words = (column.title, *column.texts[:_LOOKED_AT])
    longest = max(text_width(text, "name") for text in words)
    return min(_MOST_LABEL, max(_LEAST_LABEL, longest + 2 * SIDE + _ROUNDING))


def _wanted(column: NumberColumn) -> int:
    if column.kind is ColumnKind.INTERVAL:
        return max(_INTERVAL if column.is_main else _SMALL_INTERVAL, text_width(column.title) + 2 * SIDE)
    title = text_width(column.title, "name") + 2 * SIDE + _ROOM_FOR_ARROW
    if column.kind is ColumnKind.LABEL:
        longest = max(
            (_label_width(column, row) for row in range(min(_LOOKED_AT, len(column.texts)))), default=0
        )
        return min(_MOST_LABEL, max(_LEAST_LABEL, title, longest + 2 * SIDE + _ROUNDING))
    longest = max((text_width(text, "name") for text in column.texts[:_LOOKED_AT]), default=0)
    return max(_LEAST_NUMBER, title, longest + 2 * SIDE)


def _label_width(column: NumberColumn, row: int) -> int:
    detail = column.details[row] if column.details else ""
    return text_width(column.texts[row], "name") + (text_width(detail) + SIDE if detail else 0)


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
