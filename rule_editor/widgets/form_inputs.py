"""The page of a form, and its input fields: they emit at the end of typing, and keep a text being typed."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import pairwise

from PySide6.QtCore import QCoreApplication, QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QHelpEvent, QKeyEvent, QPaintEvent
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QGridLayout,
    QLineEdit,
    QPlainTextEdit,
    QScrollArea,
    QStyle,
    QStyleOptionComboBox,
    QStylePainter,
    QToolTip,
    QVBoxLayout,
    QWidget,
)

from rule_editor.widgets.combo_box import ComboBox
from rule_editor.widgets.toolkit import Toolkit

LABEL = 80
_LINE = 18
_ROOM = 14
_MOST_LINES = 10
_TEXT_ROOM = 4


class LineInput(QLineEdit):
    """A line of text; emits ``edited(text)`` at the end of typing and ``textEdited`` at each letter."""

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
        """Show ``text``, unless a person is typing here."""
        if not (self.hasFocus() and self.isModified()) and self.text() != text:
            self.setText(text)
            self.setCursorPosition(0)

    def finish(self) -> None:
        """Emit the typed text, unless it was emitted already."""
        if self.isModified():
            self.setModified(False)
            self.edited.emit(self.text())


class TextInput(QPlainTextEdit):
    """Several lines of text; emits ``edited(text)`` on losing focus and on Ctrl+Enter.

    The height follows the text; it is at least ``lines``.
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
        self._emitted = ""
        self.document().documentLayout().documentSizeChanged.connect(self._fit)
        self.horizontalScrollBar().rangeChanged.connect(self._fit)
        self._fit()

    def _fit(self, *_sizes: object) -> None:
        """Set the height for the lines, and for the scroll bar below them when there is one."""
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
        """Whether the field has typed text that was not emitted yet."""
        return self.hasFocus() and self.toPlainText() != self._emitted

    def show_text(self, text: str) -> None:
        """Show ``text``, unless a person is typing here."""
        busy = self.busy
        self._emitted = text
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
        """Emit the typed text, unless it was emitted already."""
        text = self.toPlainText()
        if text != self._emitted:
            self._emitted = text
            self.edited.emit(text)


class ChoiceInput(ComboBox):
    """A choice of several; emits ``picked(id)`` when a person picks another. Ids are the data of items."""

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
        """Show a choice; an id that is no choice is added to them."""
        self._shown = choice
        at = self.findData(choice)
        if at < 0:
            self.addItem(choice, choice)
            at = self.count() - 1
        self.setCurrentIndex(at)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Paint as Qt does, with a text that is too long elided."""
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
            QToolTip.showText(
                event.globalPos(), self.currentText(), self
            )  # the whole text, which may be elided
            return True
        return super().event(event)

    @property
    def choice(self) -> str:
        """Id of the current choice."""
        return str(self.currentData() or "")

    def _activated(self, _index: int) -> None:
        if self.choice != self._shown:
            self._shown = self.choice
            self.picked.emit(self.choice)


def order_tabs(tab_stops: Sequence[QWidget]) -> None:
    """Set the tab order; otherwise fields created later would come last."""
    for first, second in pairwise(tab_stops):
        QWidget.setTabOrder(first, second)


def bring_into_view(widget: QWidget) -> None:
    """Scroll the form to a widget that was just added, once it is laid out."""
    area = widget.parentWidget()
    while area is not None and not isinstance(area, QScrollArea):
        area = area.parentWidget()
    if area is not None:
        QTimer.singleShot(0, widget, partial(_scroll_to, area, widget))


def _scroll_to(area: QScrollArea, widget: QWidget) -> None:
    # Pending layout requests of the rows above would change the position.
    QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)
    area.ensureWidgetVisible(widget)


def form_page(area: QScrollArea, toolkit: Toolkit, spacing: int = 12) -> QVBoxLayout:
    """Give a form its page, as wide as the form and scrolled up and down; the column for its parts."""
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    page = toolkit.surface("panel")
    column = QVBoxLayout(page)
    column.setContentsMargins(12, 12, 12, 12)
    column.setSpacing(spacing)
    area.setWidget(page)
    return column


def grid() -> QGridLayout:
    """A grid with labels at the left and fields at the right."""
    layout = QGridLayout()
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setHorizontalSpacing(8)
    layout.setVerticalSpacing(8)
    layout.setColumnMinimumWidth(0, LABEL)
    layout.setColumnStretch(1, 1)
    return layout


def add_row(toolkit: Toolkit, to: QGridLayout, title: str, field: QWidget) -> list[QWidget]:
    """Add a label and its field as the next row; return both, for hiding them together."""
    row = to.rowCount()
    label = toolkit.label(title, "body", "text-2")
    label.setBuddy(field)
    top = Qt.AlignmentFlag.AlignTop if isinstance(field, QPlainTextEdit) else Qt.AlignmentFlag(0)
    if isinstance(field, QPlainTextEdit):
        label.setContentsMargins(0, 6, 0, 0)
    to.addWidget(label, row, 0, top)
    to.addWidget(field, row, 1)
    return [label, field]
