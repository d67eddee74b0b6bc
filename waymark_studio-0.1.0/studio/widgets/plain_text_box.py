"""A titled box with a text that can be scrolled and copied, and is never longer than a few lines high."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from collector.model.i18n import _
from studio.widgets.controls import Label
from studio.widgets.icon_button import IconButton

_SHOWN = 100_000
"""Characters that are laid out; the copy button copies all of them."""
_LINES = 8
_FRAME = 14


class PlainTextBox(QWidget):
    """Hidden while its text is empty. Markup in the text is shown as it is."""

    def __init__(self, title: str, *, code: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.text = ""
        self._field = QPlainTextEdit()
        self._field.setReadOnly(True)
        self._field.setTabChangesFocus(True)
        self._field.setAccessibleName(title)
        if code:
            self._field.setProperty("role", "code")
        self._cut = Label("", "caption", "text-2", wrap=True)
        self._cut.hide()
        copy = IconButton("copy", _("Copy"), size=20)
        copy.clicked.connect(self._copy)
        head = QHBoxLayout()
        head.addWidget(Label(title, "caption", "text-2"))
        head.addStretch()
        head.addWidget(copy)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addLayout(head)
        column.addWidget(self._field)
        column.addWidget(self._cut)
        self.hide()

    def set_text(self, text: str) -> None:
        """Show a text from its beginning."""
        self.setVisible(bool(text))
        if text == self.text:
            return
        self.text = text
        self._field.setPlainText(text[:_SHOWN])
        is_cut = len(text) > _SHOWN
        self._cut.setVisible(is_cut)
        if is_cut:
            sentence = _("The first {shown} of {count} characters; Copy takes all", shown=f"{_SHOWN:,}",
                         count=f"{len(text):,}")  # fmt: skip
            self._cut.setText(sentence)
        line = self._field.fontMetrics().lineSpacing()
        wrapped = text.count("\n") + len(text) // 48 + 1
        self._field.setFixedHeight(line * min(wrapped, _LINES) + _FRAME)
        self._field.verticalScrollBar().setValue(0)

    @Slot()
    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.text)
