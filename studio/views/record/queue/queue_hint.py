"""What to do when the queue has no task: one sentence and one button."""

from __future__ import annotations

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QVBoxLayout, QWidget

from collector.model.i18n import _
from studio.widgets.controls import Button, Label

_MARGIN = 12


class QueueHint(QWidget):
    """Takes the place of the list. Emits the commands to run, in their order."""

    asked = Signal(tuple)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._commands: tuple[str, ...] = ()
        self._sentence = Label("", "body", "text-2", wrap=True)
        self.button = Button("", "plus", small=True)
        self.button.clicked.connect(self._pressed)
        column = QVBoxLayout(self)
        column.setContentsMargins(_MARGIN, _MARGIN, _MARGIN, _MARGIN)
        column.setSpacing(8)
        column.addWidget(self._sentence)
        column.addWidget(self.button)
        column.addStretch(1)

    def show_missing(self, *, project: bool) -> None:
        """Say that there is no project, or with ``project`` that it has no task."""
        if project:
            self._sentence.setText(_("This project has no tasks yet. Make the first one to record it."))
            self.button.set_face(_("New task"), "plus", "outlined")
            self._commands = ("record.new-task",)
        else:
            self._sentence.setText(_("Open a project to record its tasks."))
            self.button.set_face(_("Open project..."), "project", "outlined")
            self._commands = ("project.open",)

    @Slot()
    def _pressed(self) -> None:
        self.asked.emit(self._commands)
