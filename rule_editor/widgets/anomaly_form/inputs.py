"""Fields that tell when somebody is done with them, and leave alone whoever is still typing."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import pairwise

from PySide6.QtCore import QCoreApplication, QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QHelpEvent, QKeyEvent, QPaintEvent
from PySide6.QtWidgets import (
    QComboBox,
    QGridLayout,
    QLineEdit,
    QPlainTextEdit,
    QScrollArea,
    QStyle,
    QStyleOptionComboBox,
    QStylePainter,
    QToolTip,
    QWidget,
)

from rule_editor.widgets.kit import Kit

LABEL = 80
_LINE = 18
_ROOM = 14
_MOST_LINES = 10
_TEXT_ROOM = 4


class LineInput(QLineEdit):
    """``edited(text)`` at the end of typing, ``textEdited`` at each letter."""

    edited = Signal(str)

    def __init__(self, name: str, *, code: bool = False, small: bool = False) -> None:
        super().__init__()
        self.setAccessibleName(name)
        if code:
            self.setProperty("role", "code")
        if small:
            self.setProperty("small", True)
        self.editingFinished.connect(self.finish)

    def show_text(self, text: str) -> None:
        """Show ``text``, unless somebody is typing another."""
        if not (self.hasFocus() and self.isModified()) and self.text() != text:
            self.setText(text)
            self.setCursorPosition(0)

    def finish(self) -> None:
        """Tell what was typed, if it was not told yet."""
        if self.isModified():
            self.setModified(False)
            self.edited.emit(self.text())


class TextInput(QPlainTextEdit):
    """Several lines: ``edited(text)`` when they are left or Ctrl+Enter is pressed.

    It is as high as what stands in it; ``lines`` at the least.
    """

    edited = Signal(str)

    def __init__(self, name: str, lines: int, *, code: bool = False) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setTabChangesFocus(True)
        self.setProperty("takesKeys", True)
        if code:
            self.setProperty("role", "code")
            self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self._lines = lines
        self._agreed = ""
        self.document().documentLayout().documentSizeChanged.connect(self._fit)
        self.horizontalScrollBar().rangeChanged.connect(self._fit)
        self._fit()

    def _fit(self, *_sizes: object) -> None:
        """Take the height of the lines, and of the bar below them when there is one."""
        wanted = round(self.document().size().height())  # in lines, for text without formats
        bar = self.horizontalScrollBar()
        below = bar.sizeHint().height() if bar.maximum() > 0 else 0
        height = max(self._lines, min(wanted, _MOST_LINES)) * _LINE + _ROOM + below
        policy = Qt.ScrollBarPolicy
        scrolled = wanted > max(self._lines, _MOST_LINES)
        self.setVerticalScrollBarPolicy(policy.ScrollBarAsNeeded if scrolled else policy.ScrollBarAlwaysOff)
        if height != self.height():
            self.setFixedHeight(height)

    @property
    def busy(self) -> bool:
        """Whether somebody typed something that is not told yet."""
        return self.hasFocus() and self.toPlainText() != self._agreed

    def show_text(self, text: str) -> None:
        """Show ``text``, unless somebody is typing another."""
        busy = self.busy
        self._agreed = text
        if not busy and self.toPlainText() != text:
            self.setPlainText(text)

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802 - Qt's name
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self.finish()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        control = event.modifiers() & Qt.KeyboardModifier.ControlModifier
        if control and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.finish()
        else:
            super().keyPressEvent(event)

    def finish(self) -> None:
        """Tell what was typed, if it was not told yet."""
        text = self.toPlainText()
        if text != self._agreed:
            self._agreed = text
            self.edited.emit(text)


class ChoiceInput(QComboBox):
    """One of several: ``picked(id)`` when a person picks another. Ids are the data of its items."""

    picked = Signal(str)

    def __init__(self, name: str, choices: Sequence[tuple[str, str]], *, small: bool = False) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(6)
        if small:
            self.setProperty("small", True)
        for choice, title in choices:
            self.addItem(title, choice)
        self._shown = ""
        self.activated.connect(self._activated)

    def show_choice(self, choice: str) -> None:
        """Show what holds; what is none of the choices is shown as it is written."""
        self._shown = choice
        at = self.findData(choice)
        if at < 0:
            self.addItem(choice, choice)
            at = self.count() - 1
        self.setCurrentIndex(at)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """As Qt does, but what has no place ends in dots."""
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        field = QStyle.SubControl.SC_ComboBoxEditField
        place = self.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, field, self)
        room = place.width() - _TEXT_ROOM
        dots = Qt.TextElideMode.ElideRight
        option.currentText = self.fontMetrics().elidedText(self.currentText(), dots, room)
        painter = QStylePainter(self)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip and not self.toolTip():
            QToolTip.showText(event.globalPos(), self.currentText(), self)  # all of what may be cut
            return True
        return super().event(event)

    @property
    def choice(self) -> str:
        """Id of the choice on show."""
        return str(self.currentData() or "")

    def _activated(self, _index: int) -> None:
        if self.choice != self._shown:
            self._shown = self.choice
            self.picked.emit(self.choice)


def order_tabs(stops: Sequence[QWidget]) -> None:
    """Let Tab go from each to the next: fields that are made late would else come last."""
    for one, other in pairwise(stops):
        QWidget.setTabOrder(one, other)


def bring_into_view(widget: QWidget) -> None:
    """Scroll the form to what was just added to it, once it has its place."""
    area = widget.parentWidget()
    while area is not None and not isinstance(area, QScrollArea):
        area = area.parentWidget()
    if area is not None:
        QTimer.singleShot(0, widget, partial(_scroll_to, area, widget))


def _scroll_to(area: QScrollArea, widget: QWidget) -> None:
    # The rows above may still be on their way: without them the form is shorter than it will be.
    QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)
    area.ensureWidgetVisible(widget)


def grid() -> QGridLayout:
    """Labels at the left, fields at the right."""
    made = QGridLayout()
    made.setContentsMargins(0, 0, 0, 0)
    made.setHorizontalSpacing(8)
    made.setVerticalSpacing(8)
    made.setColumnMinimumWidth(0, LABEL)
    made.setColumnStretch(1, 1)
    return made


def add_row(kit: Kit, to: QGridLayout, words: str, field: QWidget) -> list[QWidget]:
    """A label and its field as the next row; both, to be hidden together."""
    row = to.rowCount()
    label = kit.label(words, "body", "text-2")
    label.setBuddy(field)
    top = Qt.AlignmentFlag.AlignTop if isinstance(field, QPlainTextEdit) else Qt.AlignmentFlag(0)
    if isinstance(field, QPlainTextEdit):
        label.setContentsMargins(0, 6, 0, 0)
    to.addWidget(label, row, 0, top)
    to.addWidget(field, row, 1)
    return [label, field]
