"""A row of small buttons of which at most one is chosen, as Yes, Doubt and No."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from studio.widgets.controls.button import Button

Answer = tuple[str, str, str]


class AnswerButtons(QWidget):
    """``answers`` are (id, text, tooltip). Emits ``chosen(id)``; a click on the chosen one chooses none."""

    chosen = Signal(str)

    def __init__(self, answers: list[Answer], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._chosen = ""
        self.buttons: dict[str, Button] = {}
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        for name, text, tip in answers:
            button = Button(text, kind="outlined", small=True)
            button.setCheckable(True)
            button.setToolTip(tip)
            button.setProperty("answer", name)
            button.clicked.connect(self._clicked)
            self.buttons[name] = button
            row.addWidget(button)

    @property
    def answer(self) -> str:
        """The id of the chosen answer; empty for none."""
        return self._chosen

    def set_chosen(self, answer: str) -> None:
        """Choose an answer, or none, without a signal."""
        self._chosen = answer
        for name, button in self.buttons.items():
            button.setChecked(name == answer)

    def _clicked(self) -> None:
        name = str(self.sender().property("answer"))
        self.set_chosen("" if name == self._chosen else name)
        self.chosen.emit(self._chosen)
