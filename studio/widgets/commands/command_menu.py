"""A pop-up menu of commands: their titles, keys and icons, and only those that exist where the person is."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from rule_editor.widgets.menu_text import menu_text
from rule_editor.widgets.popup_menu import PopupMenu
from studio.commands.commander import Commander
from studio.theme import theme

CommandGroups = Sequence[Sequence[str]]
"""Ids of commands; a line separates two groups."""


class CommandMenu(PopupMenu):
    """``run`` is called with the id of the command that was chosen."""

    def __init__(
        self, commander: Commander, groups: CommandGroups, run: Callable[[str], object], parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._run = run
        for group in groups:
            shown = [command_id for command_id in group if commander.reachable(command_id)]
            if shown and self.actions():
                self.addSeparator()
            for command_id in shown:
                self._add(commander, command_id)

    def _add(self, commander: Commander, command_id: str) -> None:
        registry = commander.registry
        keys = commander.shown_keys(command_id)
        title = menu_text(commander.title(command_id))
        action = self.addAction(f"{title}\t{keys}" if keys else title)
        if registry[command_id].icon:
            action.setIcon(theme.icon(registry[command_id].icon))
        action.setEnabled(commander.enabled(command_id))
        checked = commander.checked(command_id)
        action.setCheckable(checked is not None)
        action.setChecked(bool(checked))
        action.setData(command_id)
        action.triggered.connect(self._chosen)

    @Slot()
    def _chosen(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            self._run(str(action.data()))
