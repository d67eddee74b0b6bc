"""The redaction rules of a project: what they hide, applying them to what was recorded, and the audit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QPushButton, QWidget

from collector.model.i18n import _
from studio.widgets.controls import Label
from studio.widgets.dialogs.dialog import Dialog
from studio.widgets.tables.act_list import ActEntry, ActList

_WIDTH, _HEIGHT, _FOUND_HEIGHT, _MARGIN = 760, 380, 560, 24


@dataclass(frozen=True, slots=True)
class RuleLine:
    """One rule as it is listed."""

    name: str
    about: str
    """Where and what it hides, in one line."""
    count: str = ""
    """On how many screens it hides something; empty while that is not known."""


class RedactionRulesDialog(Dialog):
    """Lists rules, and below what an application or an audit found."""

    apply_asked = Signal()
    check_asked = Signal()
    file_asked = Signal()
    remove_asked = Signal(str)
    """The name of a rule."""

    def __init__(self, parent: QWidget) -> None:
        sentence = _(
            "They count for everything that is recorded, imported or run from now on, before it is stored."
        )
        super().__init__(_("Redaction rules"), _("Close"), parent, sentence=sentence, width=_WIDTH)
        self.no.hide()
        self.is_busy = False
        """Whether something was asked for that is still being done."""
        self.rules, self.found = ActList(_("Redaction rules")), ActList(_("What was found"))
        self._says = Label("", "body", "text-2", wrap=True)
        self.body.addWidget(self.rules, 2)
        self.body.addWidget(self._says)
        self.body.addWidget(self.found, 3)
        self._room = QWidget()
        """In place of the lists while there is nothing to list."""
        self.body.addWidget(self._room, 1)
        self.found.hide()
        self.apply = QPushButton(_("Apply to what was recorded..."))
        self.check = QPushButton(_("Search all files"))
        self.open_file, self.remove = QPushButton(_("Open the file")), QPushButton(_("Delete rule"))
        for button, asked in (
            (self.remove, self._ask_remove),
            (self.open_file, self.file_asked),
            (self.check, self.check_asked),
            (self.apply, self.apply_asked),
        ):
            button.setAutoDefault(False)
            button.clicked.connect(asked)
            self.add_left(button)
        self.resize(_WIDTH, min(_HEIGHT, parent.height() - 2 * _MARGIN))

    def show_rules(self, lines: Sequence[RuleLine], *, can_write: bool) -> None:
        """List the rules; without any a sentence says how to make one."""
        entries = [
            ActEntry("redact", f"{line.name}: {line.about}", line.count, subject=line.name) for line in lines
        ]
        self.rules.show_entries(entries)
        self.rules.setVisible(bool(lines))
        self._room.setVisible(not lines and self.found.isHidden())
        if lines:
            self.rules.show_row(0)
            self.rules.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self.say(_("There are none yet: use Hide this... on a screen in Review or Record"))
        is_free = bool(lines) and can_write and not self.is_busy
        self.apply.setEnabled(is_free)
        self.remove.setEnabled(is_free)
        self.open_file.setEnabled(bool(lines))

    def say(self, sentence: str) -> None:
        """Say what happens, or what came of it."""
        self._says.setText(sentence)

    def show_busy(self, sentence: str) -> None:
        """Something is being done: nothing else can be asked meanwhile."""
        self.is_busy = True
        self.say(sentence)
        for button in (self.apply, self.check, self.remove):
            button.setEnabled(False)

    def show_found(self, sentence: str, entries: Sequence[ActEntry]) -> None:
        """Show what was done or found; nothing more is going on."""
        self.say(sentence)
        self.is_busy = False
        self.found.setVisible(bool(entries))
        self._room.setVisible(self.rules.isHidden() and not entries)
        parent = self.parentWidget()
        if entries and parent is not None and self.height() < _FOUND_HEIGHT:
            self.resize(self.width(), min(_FOUND_HEIGHT, parent.height() - 2 * _MARGIN))
        self.found.show_entries(entries)
        self.check.setEnabled(True)

    @Slot()
    def _ask_remove(self) -> None:
        entry = self.rules.current
        if entry is not None:
            self.remove_asked.emit(entry.subject)
