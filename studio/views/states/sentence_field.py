"""The field of an essential state's sentence."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QPlainTextEdit

from collector.model.i18n import _

_HEIGHT = 58


class SentenceField(QPlainTextEdit):
    """A short text; Enter and leaving it emit ``edited`` when it changed, Esc takes the typing back."""

    edited = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._shown = ""
        self.setAccessibleName(_("What is to be seen"))
        self.setPlaceholderText(_("What is to be seen, in one sentence"))
        self.setFixedHeight(_HEIGHT)
        self.setTabChangesFocus(True)

    def show_sentence(self, sentence: str, *, of_another: bool) -> None:
        """Show a sentence; the same state's does not replace what the person is typing."""
        is_typing = self.hasFocus() and self.toPlainText() != self._shown and not of_another
        self._shown = sentence
        if not is_typing and self.toPlainText() != sentence:
            self.setPlainText(sentence)

    def commit(self) -> None:
        """Emit what was typed."""
        sentence = " ".join(self.toPlainText().split())
        if sentence != self._shown:
            self._shown = sentence
            self.edited.emit(sentence)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.commit()
        elif event.key() == Qt.Key.Key_Escape:
            self.setPlainText(self._shown)
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802 - Qt's name
        self.commit()
        super().focusOutEvent(event)
