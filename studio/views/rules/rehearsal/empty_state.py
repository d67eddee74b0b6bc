"""The empty state of the rehearsal: what is missing, and the commands that bring it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from studio.widgets.controls import Button, Label


class RehearsalEmptyState(QWidget):
    """Title, sentence and at most two buttons; lower than other empty states, to fit the panel."""

    command_wanted = Signal(str)
    """A button was pressed: id of its command."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title = Label("", "heading")
        self._sentence = Label("", "body", "text-2")
        self.buttons = [Button("", "", kind, small=True) for kind in ("primary", "outlined")]
        centre = Qt.AlignmentFlag.AlignHCenter
        column = QVBoxLayout(self)
        column.setSpacing(6)
        column.addStretch(1)
        column.addWidget(self.title, alignment=centre)
        column.addWidget(self._sentence, alignment=centre)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addStretch(1)
        for button in self.buttons:
            row.addWidget(button)
            button.clicked.connect(self._pressed)
        row.addStretch(1)
        column.addSpacing(6)
        column.addLayout(row)
        column.addStretch(1)

    def show_text(self, title: str, sentence: str, *buttons: tuple[str, str, str]) -> None:
        """Show a sentence; ``buttons`` are command, text and icon of at most two buttons."""
        self.title.setText(title)
        self._sentence.setText(sentence)
        for number, button in enumerate(self.buttons):
            button.setVisible(number < len(buttons))
            if number < len(buttons):
                command, text, icon = buttons[number]
                button.set_face(text, icon)
                button.setProperty("command", command)

    def _pressed(self) -> None:
        self.command_wanted.emit(str(self.sender().property("command")))
