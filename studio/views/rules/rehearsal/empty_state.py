"""What stands where the lane will be, while something is missing: what, and the way to it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from studio.widgets.controls import Button, Label


class RehearsalEmptyState(QWidget):
    """``wanted(command)`` when a button is pressed. Low, for there is little room."""

    wanted = Signal(str)

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

    def say(self, title: str, sentence: str, *ways: tuple[str, str, str]) -> None:
        """``ways`` are command, words and icon of at most two buttons."""
        self.title.setText(title)
        self._sentence.setText(sentence)
        for number, button in enumerate(self.buttons):
            button.setVisible(number < len(ways))
            if number < len(ways):
                command, words, icon = ways[number]
                button.set_face(words, icon)
                button.setProperty("command", command)

    def _pressed(self) -> None:
        self.wanted.emit(str(self.sender().property("command")))
