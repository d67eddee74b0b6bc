"""The toolbar of a workspace, built from the command tables."""

from __future__ import annotations

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from studio.commands.commander import Commander
from studio.theme import theme
from studio.widgets.command_button import show_command
from studio.widgets.controls import Button, divider


class Toolbar(QFrame):
    """A button for each handled toolbar command of a scope; the primary one is at the right end.

    Every button shows the key that runs its command now. Where there is no room, texts give way and not keys,
    unless the keys alone have no room: then none is shown.
    """

    def __init__(self, commander: Commander, scope: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._commander = commander
        self.setProperty("surface", "panel")
        self.setProperty("edge", "bottom")
        self.setFixedHeight(theme.size("toolbar"))
        self.buttons: dict[str, Button] = {}
        self._hidden: set[str] = set()
        self._worded: set[Button] = set()
        self._keys_shown = True
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(8, 0, 8, 0)
        self._row.setSpacing(4)
        commands = commander.registry.toolbar(scope)
        group = ""
        for command in commands:
            if command.toolbar == "left":
                if group and command.menu != group:
                    self._row.addWidget(divider(upright=True))
                group = command.menu
                self._add(command.id, "plain")
        self._left_end = self._row.count()
        self._row.addStretch()
        self.facts = QHBoxLayout()
        self.facts.setSpacing(12)
        self._row.addLayout(self.facts)
        for command in commands:
            if command.toolbar in ("right", "primary"):
                self._add(command.id, "primary" if command.toolbar == "primary" else "plain")
        self._remove = commander.changed.subscribe(self._refresh)
        self.destroyed.connect(self._remove)
        self._refresh(None)

    def add_command(self, command_id: str, *, place: int | None = None) -> Button:
        """Add a button for a global command, after those at the left or at index ``place``."""
        button = self._make(command_id, "plain")
        self._row.insertWidget(self._left_end if place is None else place, button)
        self._left_end += 1
        self._refresh(None)
        return button

    def set_shown(self, command_id: str, shown: bool) -> None:
        """Hide the button of a command that does not apply, as Resume while nothing is paused."""
        if shown == (command_id in self._hidden):
            self._hidden ^= {command_id}
            self._refresh(None)

    def keep_text(self, command_id: str, keep: bool) -> None:
        """Keep the text of a button at every width, as a clock that runs."""
        button = self.buttons[command_id]
        if keep != (button in self._worded):
            self._worded ^= {button}
            self._fit()

    def event(self, event: QEvent) -> bool:
        handled = super().event(event)
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            self._fit()
        return handled

    def _buttons_in_row(self) -> list[Button]:
        items = (self._row.itemAt(place) for place in range(self._row.count()))
        widgets = (item.widget() for item in items if item is not None)
        return [widget for widget in widgets if isinstance(widget, Button)]

    def _fit(self) -> None:
        """Hide as many texts as the width demands, from the right; the first and the primary one go last.

        Where the chords do not fit without the texts either, all of them hide.
        """
        buttons = [button for button in self._buttons_in_row() if not button.isHidden()]
        keys = sum(button.key_room for button in buttons)
        need = self._row.sizeHint().width() + sum(
            button.label_width for button in buttons if button.is_compact
        )
        need += 0 if self._keys_shown else keys
        texts = sum(button.label_width for button in buttons if button not in self._worded)
        self._keys_shown = need - texts <= self.width()
        for button in buttons:
            button.set_key_shown(self._keys_shown)
        missing = need - (0 if self._keys_shown else keys) - self.width()
        for button in sorted(buttons, key=lambda button: (button is not buttons[0], button.kind != "primary",
                                                          buttons.index(button)), reverse=True):  # fmt: skip
            button.set_compact(missing > 0 and button not in self._worded)
            missing -= button.label_width if button.is_compact else 0

    def _add(self, command_id: str, kind: str) -> None:
        self._row.addWidget(self._make(command_id, kind))

    def _make(self, command_id: str, kind: str) -> Button:
        command = self._commander.registry[command_id]
        button = Button(command.label, command.icon, kind)
        button.setProperty("command", command_id)
        button.clicked.connect(self._run)
        self.buttons[command_id] = button
        return button

    def _run(self) -> None:
        self._commander.run(self.sender().property("command"))

    def _refresh(self, _event: None) -> None:
        commander = self._commander
        for command_id, button in self.buttons.items():
            show_command(button, commander, command_id)
            button.setVisible(command_id not in self._hidden and commander.exists(command_id))
