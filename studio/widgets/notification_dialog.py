"""The list of the last messages, newest first."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Slot
from PySide6.QtGui import QGuiApplication, QKeySequence, QPainter, QTextLayout, QTextOption
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from collector.model.i18n import _
from studio.theme import theme
from studio.widgets.controls import Label
from studio.widgets.dialog import Dialog
from studio.widgets.notification_log import Notification
from studio.widgets.painting import draw_text

_ICONS = {"ok": "state-ok", "warn": "state-warn", "err": "state-err", "info": "state-info"}
_LINE, _LEFT, _TIME, _PAD = 16, 36, 72, 8
_MESSAGE = Qt.ItemDataRole.UserRole


class NotificationDialog(Dialog):
    """Shows messages with their time; the selected ones, or all, can be copied as text."""

    def __init__(self, messages: Sequence[Notification], parent: QWidget) -> None:
        sentence = _("The last messages of this window, the newest first")
        super().__init__(_("Notifications"), _("Copy"), parent, sentence=sentence, no=_("Close"), width=620)
        self.list = _MessageList()
        for message in reversed(messages):
            item = QListWidgetItem(_text_of(message))
            item.setData(_MESSAGE, message)
            self.list.addItem(item)
        if messages:
            self.body.addWidget(self.list, 1)
        else:
            self.body.addWidget(Label(_("No messages yet"), "body", "text-2"))
            self.body.addStretch(1)
        self.yes.setEnabled(bool(messages))
        self.resize(680, 480 if messages else 200)

    @Slot()
    def accept(self) -> None:
        """Copy the selected messages, or all, to the clipboard; the list stays open."""
        items = self.list.selectedItems() or [self.list.item(row) for row in range(self.list.count())]
        QGuiApplication.clipboard().setText("\n".join(item.text() for item in items))

    def keyPressEvent(self, event: object) -> None:  # noqa: N802 - Qt's name
        if event.matches(QKeySequence.StandardKey.Copy):  # type: ignore[attr-defined]
            self.accept()
        else:
            super().keyPressEvent(event)  # type: ignore[arg-type]


def _text_of(message: Notification) -> str:
    sentences = ". ".join(filter(None, (message.what, message.why)))
    return f"{message.time}  {sentences}"


class _MessageList(QListWidget):
    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(_("Notifications"))
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        # Heights follow the width, which wraps the sentences.
        self.setResizeMode(QListWidget.ResizeMode.Adjust)
        self.setItemDelegate(_MessageDelegate(self))


class _MessageDelegate(QStyledItemDelegate):
    """Paint a message: state, sentences one under the other, and the time at the right."""

    def __init__(self, view: QListWidget) -> None:
        super().__init__(view)
        self._view = view

    def sizeHint(  # noqa: N802 - Qt's name
        self, _option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        width = self._view.viewport().width()
        lines = sum(len(lines) for lines, _role, _tone in _blocks(index.data(_MESSAGE), _room(width)))
        return QSize(width, lines * _LINE + 2 * _PAD)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        message, rect = index.data(_MESSAGE), option.rect
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, theme.color("accent-weak"))
        painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, theme.color("line"))
        top = rect.top() + _PAD
        theme.draw_icon_in(
            painter, _ICONS[message.state], QRect(rect.left() + 10, top, 16, _LINE), 16, "text"
        )
        time = QRect(rect.right() - _TIME, top, _TIME - 10, _LINE)
        draw_text(painter, time, message.time, "caption", "text-2", Qt.AlignmentFlag.AlignRight)
        for lines, role, tone in _blocks(message, _room(rect.width())):
            for line in lines:
                place = QRect(rect.left() + _LEFT, top, _room(rect.width()) + 4, _LINE)
                draw_text(painter, place, line, role, tone)
                top += _LINE


def _room(width: int) -> int:
    return max(120, width - _LEFT - _TIME - 8)


def _blocks(message: Notification, width: int) -> list[tuple[list[str], str, str]]:
    """Lines, font role and tone of the sentences of a message."""
    blocks = [(_lines(message.what, "name", width), "name", "text")]
    if message.why:
        blocks.append((_lines(message.why, "body", width), "body", "text-2"))
    return blocks


def _lines(text: str, role: str, width: int) -> list[str]:
    """Wrap a text to a width; words longer than a line are broken."""
    lines = []
    for paragraph in text.splitlines():
        layout = QTextLayout(paragraph, theme.font(role))
        layout.setTextOption(_WRAP)
        layout.beginLayout()
        while (line := layout.createLine()).isValid():
            line.setLineWidth(width)
            lines.append(paragraph[line.textStart() : line.textStart() + line.textLength()].rstrip())
        layout.endLayout()
    return lines or [""]


_WRAP = QTextOption()
_WRAP.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
