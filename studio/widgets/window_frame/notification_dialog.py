"""The list of the last messages, newest first."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRect, Qt, Signal, Slot
from PySide6.QtGui import QPainter, QTextLayout, QTextOption
from PySide6.QtWidgets import QAbstractItemView, QVBoxLayout, QWidget

from collector.model.i18n import _
from studio.theme import theme
from studio.widgets.controls import Button, Label
from studio.widgets.dialogs.dialog import Dialog
from studio.widgets.painting import RIGHT, draw_text
from studio.widgets.tables.entry_list import EntryList, RowState
from studio.widgets.window_frame.notification_log import Notification

_ICONS = {"ok": "state-ok", "warn": "state-warn", "err": "state-err", "info": "state-info"}
_LINE, _LEFT, _TIME, _PAD = 16, 36, 72, 8


class NotificationDialog(Dialog):
    """Shows messages with their time; the selected ones, or all, can be copied as text."""

    pressed = Signal(int)
    """The button of the message with this number was pressed."""

    def __init__(self, messages: Sequence[Notification], parent: QWidget) -> None:
        sentence = _("The last messages of this window, the newest first")
        super().__init__(_("Notifications"), _("Copy"), parent, sentence=sentence, no=_("Close"), width=620)
        self.list = MessageList()
        self.list.show_entries(messages[::-1])
        self.list.button_pressed.connect(self._press)
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
        self.list.copy()

    @Slot(int)
    def _press(self, number: int) -> None:
        """Give way to what the button opens."""
        self.reject()
        self.pressed.emit(number)


class MessageList(EntryList):
    """Lists a message a row: state, sentences one under the other, its button, and the time at the right."""

    button_pressed = Signal(int)

    def __init__(self) -> None:
        super().__init__(_("Notifications"))
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)

    def show_entries(self, entries: Sequence[Notification]) -> None:
        super().show_entries(entries)
        for row, message in enumerate(self.entries):
            if message.action:
                self.setIndexWidget(self.model().index(row, 0), self._button_row(message))

    def _button_row(self, message: Notification) -> QWidget:
        """The button of a message, under its sentences."""
        button = Button(message.action, kind="link", small=True)
        button.setProperty("message", message.number)
        button.clicked.connect(self._pressed)
        row = QWidget()
        inside = QVBoxLayout(row)
        inside.setContentsMargins(_LEFT - 4, 0, 0, _PAD)
        inside.addStretch(1)
        inside.addWidget(button, alignment=Qt.AlignmentFlag.AlignLeft)
        return row

    @Slot()
    def _pressed(self) -> None:
        self.button_pressed.emit(self.sender().property("message"))

    def text_of(self, entry: Notification) -> str:
        return f"{entry.time}  {'. '.join(filter(None, (entry.what, entry.why)))}"

    def height_of(self, row: int, width: int) -> int:
        lines = sum(len(lines) for lines, _role, _tone in _blocks(self.entries[row], _room(width)))
        button = theme.size("button_small") if self.entries[row].action else 0
        return lines * _LINE + button + 2 * _PAD

    def paint_row(self, painter: QPainter, box: QRect, row: int, state: RowState) -> None:
        message: Notification = self.entries[row]
        state.draw_ground(painter, box, hovers=False)
        top = box.top() + _PAD
        icon = QRect(box.left() + 10, top, 16, _LINE)
        theme.draw_icon_in(painter, _ICONS[message.state], icon, 16, "text")
        time = QRect(box.right() - _TIME, top, _TIME - 10, _LINE)
        draw_text(painter, time, message.time, "caption", "text-2", RIGHT)
        for lines, role, tone in _blocks(message, _room(box.width())):
            for line in lines:
                place = QRect(box.left() + _LEFT, top, _room(box.width()) + 4, _LINE)
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
