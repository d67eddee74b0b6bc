"""A dialog that sets the shortcut of a command, and warns when another command has it."""

from __future__ import annotations

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QKeySequenceEdit, QLineEdit, QWidget

from collector.model.i18n import _
from rule_editor.widgets.field_names import add_clear_button
from studio.commands.registry import Registry
from studio.widgets.dialogs.dialog import Dialog, show_problem


class ShortcutDialog(Dialog):
    """``bound(bindings)`` emits the changed chords by command, in the form of ``shortcuts.custom``."""

    bound = Signal(dict)

    def __init__(self, registry: Registry, command_id: str, parent: QWidget, keys: str = "") -> None:
        command = registry[command_id]
        super().__init__(
            _("Keys of {title}", title=command.label), _("Set keys"), parent, sentence=command.help, width=420
        )
        self._registry, self._command = registry, command
        self.editor = QKeySequenceEdit(QKeySequence(keys or registry.shown_keys(command_id)))
        self.editor.setMaximumSequenceLength(1)
        line = self.editor.findChild(QLineEdit)
        if line is not None:
            add_clear_button(line)
        self._problem = self.add_field(_("Press the new keys"), self.editor)
        self.editor.keySequenceChanged.connect(self._changed)
        self._changed()
        self.editor.setFocus()

    @property
    def keys(self) -> str:
        """The chord in the editor; empty for none."""
        return chord_of(self.editor)

    @Slot()
    def _changed(self) -> None:
        """Show which command has these keys now; accepting removes them there."""
        others = self._registry.others_with(self._command.id, self.keys) if self.keys else []
        sentence = ""
        if others:
            names = ", ".join(command.label for command in others)
            sentence = _("{keys} already runs '{other}'", keys=self.keys, other=names)
        show_problem(self._problem, self.editor, sentence)
        self.yes.setText(_("Use them for '{title}'", title=self._command.label) if others else _("Set keys"))

    @Slot()
    def accept(self) -> None:
        """Emit the changed bindings."""
        self.bound.emit(bindings(self._registry, self._command.id, self.keys))
        super().accept()


def chord_of(editor: QKeySequenceEdit) -> str:
    """The chord of an editor, in the spelling of the command table."""
    keys = editor.keySequence().toString(QKeySequence.SequenceFormat.PortableText)
    return keys.replace("Return", "Enter")


def bindings(registry: Registry, command_id: str, keys: str) -> dict[str, list[str]]:
    """Chords by id of the command and of those that lose ``keys`` to it; empty ``keys`` remove its own."""
    changed = {command_id: [keys] if keys else []}
    for other in registry.others_with(command_id, keys) if keys else []:
        changed[other.id] = [key for key in registry.keys(other.id) if key != keys]
    return changed
