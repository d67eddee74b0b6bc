"""A list of what people did, newest first: a sentence of any length and when it was."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal, Slot
from PySide6.QtGui import QPainter, QResizeEvent, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from studio.theme import theme
from studio.widgets.painting import draw_text
from studio.widgets.wrapped_text import LINE_HEIGHTS, draw_wrapped, wrapped_lines

_ENTRY = Qt.ItemDataRole.UserRole + 1
_SIDE, _TEXT, _TOP, _CAPTION = 12, 36, 8, 18
_MOST_LINES = 6


@dataclass(frozen=True, slots=True)
class ActEntry:
    """One act: its icon, the sentence, when, and what it is about."""

    icon: str
    sentence: str
    when: str
    tip: str = ""
    subject: str = ""
    """Id of what was acted on; empty when the entry leads nowhere."""


class _ActDelegate(QStyledItemDelegate):
    """Paints an entry; its height follows the width of the list."""

    def __init__(self, view: QListView) -> None:
        super().__init__(view)
        self._view = view

    def sizeHint(self, _option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:  # noqa: N802 - Qt's name
        width = self._view.viewport().width()
        lines = wrapped_lines(index.data(_ENTRY).sentence, "body", width - _TEXT - _SIDE, _MOST_LINES)
        return QSize(width, _TOP + len(lines) * LINE_HEIGHTS["body"] + _CAPTION + 6)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        entry: ActEntry = index.data(_ENTRY)
        box: QRect = option.rect
        state: QStyle.StateFlag = option.state
        if state & QStyle.StateFlag.State_Selected:
            painter.fillRect(box, theme.color("accent-weak"))
        elif state & QStyle.StateFlag.State_MouseOver and entry.subject:
            painter.fillRect(box, theme.color("bg-3"))
        icon = QRect(box.left() + _SIDE, box.top() + _TOP, 14, LINE_HEIGHTS["body"])
        theme.draw_icon_in(painter, entry.icon, icon, 14)
        inner = QRect(box.left() + _TEXT, box.top(), box.width() - _TEXT - _SIDE, box.height())
        bottom = draw_wrapped(painter, inner, box.top() + _TOP, entry.sentence, "body", most=_MOST_LINES)
        draw_text(
            painter, QRect(inner.left(), bottom, inner.width(), _CAPTION), entry.when, "caption", "text-2"
        )
        painter.fillRect(QRect(box.left(), box.bottom(), box.width(), 1), theme.color("line"))


class ActList(QListView):
    """Emits ``opened(subject)`` for an entry that is clicked, or chosen with Enter, and leads somewhere."""

    opened = Signal(str)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self._items = QStandardItemModel(self)
        self.setModel(self._items)
        self.setItemDelegate(_ActDelegate(self))
        self.setFrameShape(QListView.Shape.NoFrame)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMouseTracking(True)
        self.clicked.connect(self._open)
        self.activated.connect(self._open)
        self._entries: tuple[ActEntry, ...] = ()

    @property
    def entries(self) -> tuple[ActEntry, ...]:
        """What is listed, newest first."""
        return self._entries

    def show_entries(self, entries: Sequence[ActEntry]) -> None:
        """Replace the list."""
        if tuple(entries) == self._entries:
            return
        self._entries = tuple(entries)
        self._items.clear()
        for entry in self._entries:
            item = QStandardItem(f"{entry.sentence} {entry.when}")
            item.setData(entry, _ENTRY)
            item.setToolTip(entry.tip)
            self._items.appendRow(item)

    @Slot(QModelIndex)
    def _open(self, index: QModelIndex) -> None:
        subject = index.data(_ENTRY).subject
        if subject:
            self.opened.emit(subject)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self.scheduleDelayedItemsLayout()
