"""A table view: rows or numbers are chosen, opened and copied by keys and by mouse."""

from __future__ import annotations

from PySide6.QtCore import QAbstractItemModel, QItemSelectionModel, QModelIndex, Qt, Signal, Slot
from PySide6.QtGui import QFocusEvent, QGuiApplication, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from rule_editor.widgets.item_view import is_enter, set_up_view
from studio.theme import theme


class TableView(QTableView):
    """Up and Down choose a row; Enter and a double click open it; Ctrl+C copies what is selected."""

    chosen = Signal(int)
    """The person moved to the row with this number."""
    opened = Signal(int)
    """The person asks for a row."""
    selects_rows = True
    """Whether whole rows are selected, or single cells."""

    def __init__(
        self, name: str, row_height: str = "row_table", *, left_keys: str = "", parent: QWidget | None = None
    ) -> None:
        """``row_height`` is a size of the tokens; ``left_keys`` are left to the commands of the window."""
        super().__init__(parent)
        self._is_showing = False
        self._left_keys = left_keys.split()
        set_up_view(self, name, theme, left_keys)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setShowGrid(False)
        self.setWordWrap(False)
        behavior = QAbstractItemView.SelectionBehavior
        self.setSelectionBehavior(behavior.SelectRows if self.selects_rows else behavior.SelectItems)
        rows = self.verticalHeader()
        rows.hide()
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        rows.setDefaultSectionSize(theme.size(row_height))
        self.horizontalHeader().setHighlightSections(False)
        self.doubleClicked.connect(self.open_index)

    def setModel(self, model: QAbstractItemModel | None) -> None:  # noqa: N802 - Qt's name
        super().setModel(model)
        selection = self.selectionModel()
        moved = selection.currentRowChanged if self.selects_rows else selection.currentChanged
        moved.connect(self._current_changed)

    # -- what the person does, for a table that knows more than rows ----------
    def choose_index(self, index: QModelIndex) -> None:
        """Emit that the person moved to a place."""
        self.chosen.emit(index.row())

    @Slot(QModelIndex)
    def open_index(self, index: QModelIndex) -> None:
        """Emit that the person asks for a place."""
        self.opened.emit(index.row())

    def copied_text(self) -> str:
        """The selected cells as text, a line a row, with tabs between the columns that have a title."""
        rows: dict[int, list[str]] = {}
        for index in sorted(self.selectedIndexes(), key=lambda index: (index.row(), index.column())):
            column = index.column()
            if not self.isColumnHidden(column) and self.model().headerData(column, Qt.Orientation.Horizontal):
                rows.setdefault(index.row(), []).append(str(index.data() or ""))
        return "\n".join("\t".join(texts) for texts in rows.values())

    def copy(self) -> None:
        """Put what is selected onto the clipboard."""
        if text := self.copied_text():
            QGuiApplication.clipboard().setText(text)

    def choose(self, row: int) -> None:
        """Make a row the current one, as the person does; -1 leaves none."""
        if row == self.currentIndex().row() and (row < 0 or self.selectionModel().isRowSelected(row)):
            return
        if row < 0:
            self.selectionModel().clear()
            return
        flags = QItemSelectionModel.SelectionFlag
        index = self.model().index(row, 0)
        self.selectionModel().setCurrentIndex(index, flags.ClearAndSelect | flags.Rows)
        self.scrollTo(index)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Keep the current row in sight, as under a text about it that takes its place."""
        row = self.visualRect(self.currentIndex())
        was_in_sight = row.isValid() and row.top() >= 0 and row.bottom() < event.oldSize().height()
        super().resizeEvent(event)
        if was_in_sight and row.bottom() >= event.size().height():
            self.scrollTo(self.currentIndex())

    # -- input ---------------------------------------------------------------
    @Slot(QModelIndex)
    def _current_changed(self, current: QModelIndex) -> None:
        if not self._is_showing and current.isValid():
            self.choose_index(current)

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802 - Qt's name
        """With the focus Qt makes the first row current: as it is current, nobody could choose it then."""
        before, self._is_showing, had_current = self._is_showing, True, self.currentIndex().isValid()
        super().focusInEvent(event)
        if not had_current and self.selectionModel() is not None:
            self.selectionModel().clearCurrentIndex()
        self._is_showing = before

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        elif is_enter(event) and self.currentIndex().isValid():
            self.open_index(self.currentIndex())
        elif Qt.Key(event.key()).name.removeprefix("Key_") in self._left_keys:
            event.ignore()
        else:
            super().keyPressEvent(event)
