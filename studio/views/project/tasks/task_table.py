"""The table of tasks, with sorting, optional columns and multiple selection."""

from __future__ import annotations

from PySide6.QtCore import (
    QByteArray,
    QEvent,
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    QSize,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QAction, QKeyEvent, QMouseEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QMenu, QVBoxLayout, QWidget

from collector.model.i18n import _
from collector.model.task import Task
from rule_editor.widgets.item_view import is_enter
from rule_editor.widgets.popup_menu import PopupMenu
from studio.theme import theme
from studio.views.project.tasks.task_delegate import PAD, TaskDelegate, draw_check
from studio.views.project.tasks.task_model import COLUMNS, TaskModel
from studio.widgets.painting import draw_text, text_width
from studio.widgets.tables.table_view import TableView

_CHECK, _TASK, _INSTRUCTION = 0, 1, 2
_PROBLEMS = next(number for number, column in enumerate(COLUMNS) if column.key == "problems")
_LEAST_INSTRUCTION, _LEAST_PROBLEMS, _STATE_ICON = 260, 96, 22
_FIRST_COLUMNS = 10
"""Number of columns of states that do not say it."""
_GIVE_WAY = ("changed", "level", "review")
"""Columns that a narrow table hides, the first one first, so that instructions can be read."""


class WholeRowFrame(QFrame):
    """A frame that is as high as a whole number of rows of its table."""

    def __init__(self, above: QWidget, table: TaskTable) -> None:
        super().__init__()
        self.setProperty("surface", "panel")
        self._above, self._table = above, table
        self._column = QVBoxLayout(self)
        self._column.setSpacing(0)
        self._column.addWidget(above)
        self._column.addWidget(table, 1)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        head = self._above.height() + self._table.horizontalHeader().height()
        rest = max(0, self.height() - head) % theme.size("row_task_table")
        self._column.setContentsMargins(0, 0, 0, rest)
        super().resizeEvent(event)


class TaskTable(TableView):
    """Selects tasks by rows; the selection survives a reset of the model."""

    chosen = Signal(list)
    """Ids of the selected tasks."""
    activated_task = Signal(str)
    """Id of a task that was double-clicked, or chosen by Enter."""

    def __init__(self, model: TaskModel, parent: QWidget | None = None) -> None:
        super().__init__(_("Tasks"), "row_task_table", left_keys="Enter Left Right", parent=parent)
        self._tasks = model
        self._saved_selection: list[str] = []
        self.setModel(model)
        self._hovered = -1
        self._without_room: set[int] = set()
        self.setItemDelegate(TaskDelegate(lambda: self._hovered, self))
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerItem)
        head = _TaskTableHeader(self)
        self.setHorizontalHeader(head)
        head.all_toggled.connect(self._toggle_all)
        self.setSortingEnabled(True)
        self.sortByColumn(_CHECK, Qt.SortOrder.AscendingOrder)
        for number, column in enumerate(COLUMNS):
            self.setColumnWidth(number, column.width)
            self.setColumnHidden(number, column.optional)
        head.setSectionResizeMode(_CHECK, QHeaderView.ResizeMode.Fixed)
        model.modelAboutToBeReset.connect(self._save_selection)
        model.modelReset.connect(self._restore_selection)
        model.modelReset.connect(self._fit_columns)

    # -- selection -----------------------------------------------------------
    @property
    def selected(self) -> list[Task]:
        """The selected tasks, in the order of the rows."""
        rows = sorted(index.row() for index in self.selectionModel().selectedRows())
        return [self._tasks.rows[row].task for row in rows if row < len(self._tasks.rows)]

    def select(self, ids: list[str]) -> None:
        """Select tasks by id; ids that are not shown are ignored."""
        selection = self.selectionModel()
        flags = QItemSelectionModel.SelectionFlag
        selection.clearSelection()
        for task_id in ids:
            row = self._tasks.row_of(task_id)
            if row >= 0:
                index = self._tasks.index(row, _TASK)
                selection.setCurrentIndex(index, flags.Select | flags.Rows)
                self.scrollTo(index)

    def selectionChanged(self, selected: QItemSelection, deselected: QItemSelection) -> None:  # noqa: N802 - Qt's name
        super().selectionChanged(selected, deselected)
        self.horizontalHeader().viewport().update()
        self.chosen.emit([task.id for task in self.selected])

    def selectionCommand(  # noqa: N802 - Qt's name
        self, index: QModelIndex | QPersistentModelIndex, event: QEvent | None = None
    ) -> QItemSelectionModel.SelectionFlag:
        flags = QItemSelectionModel.SelectionFlag
        if isinstance(event, QMouseEvent) and index.isValid() and index.column() == _CHECK:
            # A click on a check box toggles its row; dragging over check boxes does nothing.
            pressed = event.type() == QEvent.Type.MouseButtonPress
            return flags.Toggle | flags.Rows if pressed else flags.NoUpdate
        return super().selectionCommand(index, event)

    @Slot()
    def _save_selection(self) -> None:
        self._saved_selection = [task.id for task in self.selected]

    @Slot()
    def _restore_selection(self) -> None:
        ids, self._saved_selection = self._saved_selection, []
        self.select(ids)
        self.chosen.emit([task.id for task in self.selected])

    @Slot()
    def _toggle_all(self) -> None:
        if len(self.selected) == self._tasks.rowCount():
            self.clearSelection()
        else:
            self.selectAll()

    def choose_index(self, index: QModelIndex) -> None:
        """The tasks that are selected count, not the current one."""

    def open_index(self, index: QModelIndex) -> None:
        """Ask for a task; a double click on its check box ticks twice."""
        if index.column() != _CHECK:
            self.activated_task.emit(self._tasks.rows[index.row()].task.id)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        if is_enter(event) and self.currentIndex().isValid():
            self.open_index(self.currentIndex().siblingAtColumn(_TASK))
        elif event.text().isprintable() and event.text().strip() and not event.modifiers():
            # Letters are keys of commands of the workspace, not a search in the table.
            event.ignore()
        else:
            super().keyPressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        self._hover(self.rowAt(event.position().toPoint().y()))
        super().mouseMoveEvent(event)

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        self._hover(-1)
        super().leaveEvent(event)

    def _hover(self, row: int) -> None:
        if row != self._hovered:
            self._hovered = row
            self.viewport().update()

    # -- columns -------------------------------------------------------------
    def columns_menu(self) -> QMenu:
        """Return a menu that shows and hides columns."""
        menu = PopupMenu(self)
        for number, column in enumerate(COLUMNS):
            if number > _INSTRUCTION:
                action = menu.addAction(_(column.title))
                action.setCheckable(True)
                action.setChecked(not self.isColumnHidden(number))
                if number in self._without_room:
                    action.setText(_("{column} (no room)", column=_(column.title)))
                action.setData(number)
        menu.triggered.connect(self._column_toggled)
        return menu

    @Slot(QAction)
    def _column_toggled(self, action: QAction) -> None:
        number = int(action.data())
        self._without_room.discard(number)
        self.setColumnHidden(number, not action.isChecked())
        self._fit_columns(asked=number)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self._fit_columns()

    @Slot()
    def _fit_columns(self, asked: int = -1) -> None:
        """Fit the problem column to its longest text; give the remaining width to the instruction.

        Where too little remains, columns hide, but not the one that the person ``asked`` for just now.
        """
        widest = max((text_width(text) for text in {row.problem for row in self._tasks.rows}), default=0)
        fitting = widest + _STATE_ICON + 2 * PAD
        self.setColumnWidth(_PROBLEMS, max(_LEAST_PROBLEMS, min(fitting, COLUMNS[_PROBLEMS].width)))
        for number in self._without_room:
            self.setColumnHidden(number, False)
        self._without_room = set()
        rest = self._rest_of_width()
        for key in _GIVE_WAY:
            number = next(number for number, column in enumerate(COLUMNS) if column.key == key)
            if rest < _LEAST_INSTRUCTION and number != asked and not self.isColumnHidden(number):
                rest += self.columnWidth(number)
                self.setColumnHidden(number, True)
                self._without_room.add(number)
        self.setColumnWidth(_INSTRUCTION, max(_LEAST_INSTRUCTION, rest))

    def _rest_of_width(self) -> int:
        """Width that the other columns leave to the instruction."""
        others = sum(self.columnWidth(number) for number in range(len(COLUMNS)) if number != _INSTRUCTION)
        return self.viewport().width() - others

    def column_state(self) -> str:
        """Return the columns as the person set them, for the settings: their number and Qt's state."""
        for number in self._without_room:
            self.setColumnHidden(number, False)
        state = bytes(self.horizontalHeader().saveState().toBase64().data()).decode()
        for number in self._without_room:
            self.setColumnHidden(number, True)
        return f"{len(COLUMNS)}:{state}"

    def restore_columns(self, saved: str) -> None:
        """Set the columns as :meth:`column_state` gave them; columns that are new since stay as they are."""
        count, _colon, state = saved.rpartition(":")
        hidden = [self.isColumnHidden(number) for number in range(len(COLUMNS))]
        self.horizontalHeader().restoreState(QByteArray.fromBase64(state.encode()))
        known = int(count) if count.isdecimal() else _FIRST_COLUMNS
        for number in range(known, len(COLUMNS)):
            self.setColumnHidden(number, hidden[number])


class _TaskTableHeader(QHeaderView):
    """Column titles with a sort arrow, and a check box that selects all tasks."""

    all_toggled = Signal()

    def __init__(self, table: TaskTable) -> None:
        super().__init__(Qt.Orientation.Horizontal, table)
        self._table = table
        self.setSectionsClickable(True)
        self.setHighlightSections(False)
        self.setMinimumSectionSize(36)
        self.setFixedHeight(theme.size("row_table"))

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(100, theme.size("row_table"))

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        if self.logicalIndexAt(event.position().toPoint()) == _CHECK:
            self.all_toggled.emit()
        else:
            super().mousePressEvent(event)

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:  # noqa: N802 - Qt's name
        painter.fillRect(rect, theme.color("bg-1"))
        painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, theme.color("line"))
        if section == _CHECK:
            chosen, shown = len(self._table.selected), self._table.model().rowCount()
            draw_check(painter, rect, 0 if not chosen else 2 if chosen == shown else 1)
            return
        column = COLUMNS[section]
        title = _(column.title)
        inner = rect.adjusted(PAD, 0, -PAD, -1)
        align = Qt.AlignmentFlag.AlignRight if column.right else Qt.AlignmentFlag.AlignLeft
        draw_text(painter, inner, title, "body", "text-2", align)
        if self.isSortIndicatorShown() and self.sortIndicatorSection() == section:
            up = self.sortIndicatorOrder() == Qt.SortOrder.AscendingOrder
            width = text_width(title)
            left = inner.right() - width - 14 if column.right else inner.left() + width + 3
            theme.draw_icon_in(
                painter,
                "chevu" if up else "chevd",
                QRect(left, inner.top(), 12, inner.height()),
                12,
            )
