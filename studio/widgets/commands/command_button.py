"""Keep a button in step with the command it runs: its key, its tooltip, and whether it can be pressed."""

from __future__ import annotations

from PySide6.QtCore import QObject

from studio.commands.commander import Commander
from studio.commands.keys import printed
from studio.widgets.controls import Button


class CommandFace(QObject):
    """Follows a command for as long as the button lives. It does not run the command."""

    def __init__(self, button: Button, commander: Commander, command_id: str) -> None:
        super().__init__(button)
        self._button, self._commander, self._command_id = button, commander, command_id
        self._remove = commander.changed.subscribe(self._update)
        self.destroyed.connect(self._remove)
        self._update(None)

    def _update(self, _event: None) -> None:
        show_command(self._button, self._commander, self._command_id)


def show_command(button: Button, commander: Commander, command_id: str) -> None:
    """Show the key that runs a command now, with room for the one that works while somebody types.

    The button of a command that switches something stands out while that is on.
    """
    shown = commander.shown_keys(command_id)
    anywhere = map(printed, commander.registry.anywhere_keys(command_id)[:1])
    button.set_key(shown, max((shown, *anywhere), key=len))
    button.setToolTip(commander.tip(command_id))
    button.setEnabled(commander.enabled(command_id))
    checked = commander.checked(command_id)
    if checked is not None:  # a verdict's button is checked by whoever shows the verdict
        button.setCheckable(True)
        button.setChecked(checked)
