"""The content of an empty view: an illustration, a sentence, one or two buttons and links."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPoint, QRectF, Qt, Signal
from PySide6.QtGui import QFocusEvent, QPainter, QPaintEvent, QPen, QShowEvent
from PySide6.QtWidgets import (
    QApplication,
    QHBoxLayout,
    QLineEdit,
    QPlainTextEdit,
    QTextEdit,
    QVBoxLayout,
    QWidget,
)

from studio.theme import theme
from studio.theme.mirroring import painter_of
from studio.widgets.controls.button import Button
from studio.widgets.controls.label import Label


class _Picture(QWidget):
    """The outline of a phone with an icon on it; without a name, the logo of the studio."""

    def __init__(self, icon: str) -> None:
        super().__init__()
        self._icon = icon
        self.setFixedSize(104, 128)
        theme.changed.connect(self.update)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = painter_of(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._icon != "mark":
            theme.draw_icon_in(painter, self._icon, self.rect(), 48, "text-3")
            return
        painter.setPen(QPen(theme.color("line-2"), 1.5))
        painter.drawRoundedRect(QRectF(28, 1, 48, 106), 6, 6)
        painter.drawLine(28, 90, 76, 90)
        painter.drawLine(46, 98, 58, 98)
        painter.setPen(QPen(theme.color("line"), 1.5))
        painter.drawLine(0, 125, 104, 125)
        theme.draw_icon(painter, "mark", QPoint(34, 26), 36)


class EnterButton(Button):
    """A button that shows Enter while Enter presses it."""

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802 - Qt's name
        super().focusInEvent(event)
        self.set_key("Enter")

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802 - Qt's name
        super().focusOutEvent(event)
        self.set_key("")


@dataclass(frozen=True, slots=True)
class FirstThing:
    """What is to be done before a view has something to show, and the button that does it."""

    title: str
    sentence: str
    button: str
    icon: str
    is_possible: bool = True
    """Whether it can be done now; a phone may be starting already."""


class EmptyState(QWidget):
    """Fills an empty view. Emits ``pressed`` for the button, ``other_pressed`` for the one beside it, and
    ``linked(index)`` for a link.

    Where something is to be done first, that takes the place of its words and buttons for a while.

    An empty ``icon`` leaves the illustration out, for a view of little height.
    """

    pressed = Signal()
    first_pressed = Signal()
    """The button of what is to be done first was pressed."""
    other_pressed = Signal()
    linked = Signal(int)

    def __init__(
        self,
        title: str,
        sentence: str = "",
        button: str = "",
        *,
        icon: str = "mark",
        button_icon: str = "",
        shows_enter: bool = True,
        other: str = "",
        links: Sequence[str] = (),
        hint: str = "",
    ) -> None:
        super().__init__()
        self.setProperty("surface", "canvas")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        centre = Qt.AlignmentFlag.AlignHCenter
        column = QVBoxLayout(self)
        column.setSpacing(0)
        column.addStretch(5)
        if icon:
            column.addWidget(_Picture(icon), alignment=centre)
            column.addSpacing(20)
        self._title, self._sentence = Label(title, "empty"), Label(sentence, "lead", "text-2")
        column.addWidget(self._title, alignment=centre)
        column.addSpacing(8 if sentence else 0)
        column.addWidget(self._sentence, alignment=centre)
        self._sentence.setVisible(bool(sentence))
        kind = EnterButton if shows_enter else Button
        self.button = kind(button, button_icon, "primary")
        self.button.clicked.connect(self.pressed)
        self.first = EnterButton("", kind="primary")
        self.first.clicked.connect(self.first_pressed)
        self._own, self._own_face = (title, sentence), (button, button_icon)
        self._first: FirstThing | None = None
        self._other_text = other
        self.other = Button(other, kind="outlined")
        self.other.clicked.connect(self.other_pressed)
        column.addSpacing(20)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addStretch()
        row.addStretch()
        column.addLayout(row)
        for at, (widget, text) in enumerate(
            ((self.first, ""), (self.button, button), (self.other, other)), 1
        ):
            row.insertWidget(at, widget)
            # Only here, where it has a parent: what has none is shown as a window, which takes the keyboard.
            widget.setVisible(bool(text))
        if links:
            column.addSpacing(14)
            column.addLayout(self._link_row(links))
        if hint:
            column.addSpacing(44)
            column.addWidget(Label(hint, "caption", "text-3"), alignment=centre)
        column.addStretch(6)

    def set_words(self, title: str, sentence: str) -> None:
        """Show another title, and another sentence below it."""
        self._own = (title, sentence)
        self._show()

    def set_button(self, text: str, icon: str = "") -> None:
        """Give the button another text; an empty one hides it."""
        self._own_face = (text, icon)
        self._show()

    def set_other(self, text: str) -> None:
        """Give the second button another text; an empty one hides it."""
        self._other_text = text
        self._show()

    def show_first(self, first: FirstThing | None) -> None:
        """Show what is to be done first, in place of its own words and buttons; None shows these again."""
        self._first = first
        self._show()

    def _show(self) -> None:
        first = self._first
        title, sentence = (first.title, first.sentence) if first is not None else self._own
        self._title.setText(title)
        self._sentence.setText(sentence)
        self._sentence.setVisible(bool(sentence))
        text, icon = self._own_face
        if text:
            self.button.set_face(text, icon)
        if first is not None:
            self.first.set_face(first.button, first.icon)
            self.first.setEnabled(first.is_possible)
        self.other.setText(self._other_text)
        # What takes the place is shown before the other is hidden: the keyboard stays in the view.
        self.first.setVisible(first is not None)
        self.button.setVisible(bool(text) and first is None)
        self.other.setVisible(bool(self._other_text) and first is None)

    def _link_row(self, links: Sequence[str]) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(10)
        row.addStretch()
        for index, text in enumerate(links):
            if index:
                row.addWidget(Label("·", tone="text-3"))
            link = Button(text, kind="link", small=True)
            link.setProperty("index", index)
            link.clicked.connect(self._tell_link)
            row.addWidget(link)
        row.addStretch()
        return row

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        # The button shows Enter as its key while it has the focus. Nobody's typing is interrupted.
        if not isinstance(QApplication.focusWidget(), QLineEdit | QPlainTextEdit | QTextEdit):
            (self.button if self._first is None else self.first).setFocus()
        super().showEvent(event)

    def _tell_link(self) -> None:
        self.linked.emit(int(self.sender().property("index")))
