"""A list of painted entries: one is current, all can be opened, copied and read aloud."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    QSize,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QFocusEvent, QGuiApplication, QKeyEvent, QKeySequence, QPainter
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from rule_editor.widgets.item_view import is_enter, set_up_view
from studio.theme import theme
from studio.theme.mirroring import mirrored
from studio.widgets.painting import draw_row_ground

_Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True)
class RowState:
    """What the ground of a row says."""

    is_selected: bool
    is_hovered: bool

    def draw_ground(self, painter: QPainter, box: QRect, *, hovers: bool = True) -> None:
        """Fill the row, and draw the line below it; without ``hovers`` the pointer over it is not shown."""
        draw_row_ground(painter, box, is_selected=self.is_selected, is_hovered=self.is_hovered and hovers)


class EntryList(QListView):
    """Enter and a double click open the current entry, Ctrl+C copies the selected ones, or all without one.

    A subclass says what is told of an entry, and paints it. Entries are values: the current one stays
    current when others are shown that include it.
    """

    chosen = Signal(object)
    """The person moved to this entry."""
    opened = Signal(object)
    """The person asks for this entry."""
    copied = Signal(str)
    opens_on_click = False
    """Whether one click opens."""
    is_uniform = False
    """Whether all entries are of the same height."""

    def __init__(self, name: str, *, left_keys: str = "", parent: QWidget | None = None) -> None:
        """``name`` is read by assistive technology; ``left_keys`` are left to the commands of the window."""
        super().__init__(parent)
        self._model = _EntryModel(self)
        self._is_showing = False
        self.setModel(self._model)
        self.setItemDelegate(_EntryDelegate(self))
        set_up_view(self, name, theme, left_keys)
        self.setUniformItemSizes(self.is_uniform)
        self.setResizeMode(QListView.ResizeMode.Adjust)  # heights follow the width
        (self.clicked if self.opens_on_click else self.doubleClicked).connect(self._open)
        self.selectionModel().currentChanged.connect(self._current_changed)

    # -- what a subclass says ------------------------------------------------
    def text_of(self, entry: Any) -> str:
        """What is copied and searched of an entry."""
        raise NotImplementedError

    def spoken_of(self, entry: Any) -> str:
        """What assistive technology reads of an entry."""
        return self.text_of(entry)

    def tip_of(self, entry: Any) -> str:
        """The tooltip of an entry."""
        return self.text_of(entry)

    def height_of(self, row: int, width: int) -> int:
        """Height of a row in a list of this width, in logical pixels."""
        raise NotImplementedError

    def paint_row(self, painter: QPainter, box: QRect, row: int, state: RowState) -> None:
        """Paint a row, with its ground, into its rectangle."""
        raise NotImplementedError

    # -- what is shown -------------------------------------------------------
    @property
    def entries(self) -> tuple[Any, ...]:
        """The entries on show."""
        return self._model.entries

    def show_entries(self, entries: Sequence[Any]) -> None:
        """Show entries, without a signal; more of the same list keep place and selection."""
        current = self.current
        self._is_showing = True
        if not self._model.show(tuple(entries)) and current in self.entries:
            self.choose(self.entries.index(current))
        self._is_showing = False

    def renew(self) -> None:
        """Paint the entries again after what is told of them changed."""
        if self.entries:
            self._model.dataChanged.emit(self._model.index(0), self._model.index(len(self.entries) - 1))

    @property
    def current(self) -> Any:
        """The current entry; None without one."""
        index = self.currentIndex()
        return self.entries[index.row()] if index.isValid() else None

    def choose(self, row: int) -> None:
        """Make a row current, as the person does; one outside the list leaves none."""
        if 0 <= row < len(self.entries):
            self.setCurrentIndex(self._model.index(row))
            self.scrollTo(self._model.index(row))
        else:
            self.selectionModel().clear()

    def show_row(self, row: int) -> None:
        """Make a row current, without a signal; one outside the list leaves none."""
        self._is_showing = True
        self.choose(row)
        self._is_showing = False

    def copied_text(self) -> str:
        """The selected entries as text, or all of them when none is selected."""
        rows = sorted({index.row() for index in self.selectedIndexes()}) or range(len(self.entries))
        return "\n".join(self.text_of(self.entries[row]) for row in rows)

    @Slot()
    def copy(self) -> None:
        """Put the selected entries, or all, onto the clipboard."""
        if text := self.copied_text():
            QGuiApplication.clipboard().setText(text)
            self.copied.emit(text)

    # -- input ---------------------------------------------------------------
    @Slot(QModelIndex)
    def _open(self, index: QModelIndex) -> None:
        self.opened.emit(self.entries[index.row()])

    @Slot(QModelIndex, QModelIndex)
    def _current_changed(self, current: QModelIndex, _before: QModelIndex) -> None:
        if not self._is_showing and current.isValid():
            self.chosen.emit(self.entries[current.row()])

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802 - Qt's name
        """With the focus Qt makes the first row current: the person chose nothing."""
        self._is_showing = True
        super().focusInEvent(event)
        self._is_showing = False

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        elif is_enter(event) and self.currentIndex().isValid():
            self._open(self.currentIndex())
        else:
            super().keyPressEvent(event)


class _EntryModel(QAbstractListModel):
    def __init__(self, view: EntryList) -> None:
        super().__init__(view)
        self._view = view
        self.entries: tuple[Any, ...] = ()

    def show(self, entries: tuple[Any, ...]) -> bool:
        """Show other entries; return whether those of before are still there, with more after them."""
        known = len(self.entries)
        if entries == self.entries:
            return True
        if known and entries[:known] == self.entries:
            self.beginInsertRows(QModelIndex(), known, len(entries) - 1)
            self.entries = entries
            self.endInsertRows()
            return True
        self.beginResetModel()
        self.entries = entries
        self.endResetModel()
        return False

    def rowCount(self, parent: _Index | None = None) -> int:  # noqa: N802 - Qt's name
        return 0 if parent is not None and parent.isValid() else len(self.entries)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        entry = self.entries[index.row()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return self._view.text_of(entry)
            case Qt.ItemDataRole.AccessibleTextRole:
                return self._view.spoken_of(entry)
            case Qt.ItemDataRole.ToolTipRole:
                return self._view.tip_of(entry)
        return None


class _EntryDelegate(QStyledItemDelegate):
    """Lets the list paint its rows."""

    def __init__(self, view: EntryList) -> None:
        super().__init__(view)
        self._view = view

    def sizeHint(self, _option: QStyleOptionViewItem, index: _Index) -> QSize:  # noqa: N802 - Qt's name
        width = self._view.viewport().width()
        return QSize(width, self._view.height_of(index.row(), width))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        has, flags = option.state, QStyle.StateFlag
        state = RowState(bool(has & flags.State_Selected), bool(has & flags.State_MouseOver))
        with mirrored(painter, option.rect):
            self._view.paint_row(painter, option.rect, index.row(), state)
