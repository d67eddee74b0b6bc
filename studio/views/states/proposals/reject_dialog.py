"""The dialog that asks an auditor why a state is rejected."""

from __future__ import annotations

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from collector.model.i18n import _
from studio.widgets.dialog import Dialog, show_problem

_NOTE_HEIGHT = 88


class RejectDialog(Dialog):
    """Emits ``rejected_with(note)`` when it is accepted with a note."""

    rejected_with = Signal(str)

    def __init__(self, parent: QWidget, state: str) -> None:
        sentence = _("{state}. The operators read your note and define the state again.", state=state)
        super().__init__(_("Reject the state"), _("Reject"), parent, sentence=sentence)
        self.note = QPlainTextEdit()
        self.note.setTabChangesFocus(True)
        self.note.setFixedHeight(_NOTE_HEIGHT)
        self.note.setPlaceholderText(_("What is wrong with it, and what would be right"))
        self._problem = self.add_field(_("Note"), self.note)
        self.note.setFocus()

    @Slot()
    def accept(self) -> None:
        """Emit the note; a rejection without one helps nobody."""
        note = self.note.toPlainText().strip()
        show_problem(self._problem, self.note, "" if note else _("Say why it is rejected"))
        if note:
            self.rejected_with.emit(note)
            super().accept()
