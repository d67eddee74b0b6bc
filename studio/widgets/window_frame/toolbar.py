"""The toolbar of a workspace, built from the command tables."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from collector.model.i18n import _
from studio.commands.commander import Commander
from studio.theme import theme
from studio.widgets.commands.command_button import show_command
from studio.widgets.commands.command_menu import CommandMenu
from studio.widgets.controls import Button, divider
from studio.widgets.icon_button import IconButton


class Toolbar(QFrame):
    """A button for each handled toolbar command of a scope; the primary one is at the right end.

    Every button has words, and the key that runs its command now. Where there is no room, whole buttons go
    into a menu, those that are used often last; before one of these goes, all keys give way.
    """

    command_asked = Signal(str)
    """The id of the command whose button was pressed."""

    def __init__(self, commander: Commander, scope: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._commander = commander
        self.setProperty("surface", "panel")
        self.setProperty("edge", "bottom")
        self.setFixedHeight(theme.size("toolbar"))
        self.buttons: dict[str, Button] = {}
        self._titles: dict[str, str] = {}
        """The title that was shown last, of the commands whose buttons follow it."""
        self._hidden: set[str] = set()
        self._often: set[str] = set()
        """Commands that keep their buttons longest."""
        self._put_away: list[str] = []
        """Commands whose buttons do not fit."""
        self._dividers: list[QWidget] = []
        self.row = QHBoxLayout(self)
        self.row.setContentsMargins(8, 0, 8, 0)
        self.row.setSpacing(4)
        self.leading = QHBoxLayout()
        """Widgets before the commands, as choices of what is shown."""
        self.leading_needs: Callable[[], int] = lambda: 0
        """Pixels to which those give way before commands do; with even less room they give way further."""
        self.leading.setSpacing(6)
        self.row.addLayout(self.leading)
        commands = commander.registry.toolbar(scope)
        group = ""
        for command in commands:
            if command.toolbar in ("often", "left"):
                if group and command.menu != group:
                    self._dividers.append(divider(upright=True))
                    self.row.addWidget(self._dividers[-1])
                group = command.menu
                self._add(command.id, "plain")
        self._left_end = self.row.count()
        self.more = IconButton("more", _("More commands"))
        self.more.clicked.connect(self._open_more)
        self.more.hide()
        self.row.addWidget(self.more)
        self.row.addStretch()
        self.facts = QHBoxLayout()
        self.facts.setSpacing(12)
        self.row.addLayout(self.facts)
        for command in commands:
            if command.toolbar in ("right", "primary"):
                self._add(command.id, "primary" if command.toolbar == "primary" else "plain")
        self.help = IconButton("help", commander.registry["help.workspace"].label)
        self.help.clicked.connect(self._ask_help)
        self.row.addWidget(self.help)
        self._remove = commander.changed.subscribe(self._refresh)
        self.destroyed.connect(self._remove)
        self._refresh(None)

    def _ask_help(self) -> None:
        self.command_asked.emit("help.workspace")

    def add_command(self, command_id: str, *, place: int | None = None) -> Button:
        """Add a button for a global command, after those at the left or at index ``place``.

        It keeps the name that the command has in the table: another edit to undo moves no button.
        """
        button = self._make(command_id, "plain")
        del self._titles[command_id]
        self.row.insertWidget(self._left_end if place is None else place, button)
        self._left_end += 1
        self._refresh(None)
        return button

    def set_shown(self, command_id: str, shown: bool) -> None:
        """Hide the button of a command that does not apply, as Resume while nothing is paused."""
        if shown == (command_id in self._hidden):
            self._hidden ^= {command_id}
            self._refresh(None)

    def event(self, event: QEvent) -> bool:
        handled = super().event(event)
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            self._fit()
        return handled

    def _buttons_in_row(self) -> list[Button]:
        items = (self.row.itemAt(place) for place in range(self.row.count()))
        widgets = (item.widget() for item in items if item is not None)
        return [widget for widget in widgets if isinstance(widget, Button)]

    def _fit(self) -> None:
        """Make the buttons fit: those that do not go into the menu, from the right, the primary one last."""
        buttons = [button for button in self._buttons_in_row() if self._applies(button)]
        if not buttons:
            return
        gap = self.row.spacing()
        standing = [button for button in buttons if not button.isHidden()]
        others = self.row.sizeHint().width() - sum(button.sizeHint().width() + gap for button in standing)
        leading = self.leading.sizeHint().width()
        others -= leading - min(leading, max(self.leading_needs(), self.leading.minimumSize().width()))
        others -= 0 if self.more.isHidden() else self.more.width() + gap
        # As if all stood there: else a button that goes would make room for itself.
        others += sum(line.width() + gap for line in self._dividers if line.isHidden())
        kept = [button for button in buttons if self._is_kept(button)]
        room = self.width() - others
        if sum(button.width_with_key + gap for button in buttons) > room:
            room -= self.more.width() + gap
        shows_keys = sum(button.width_with_key + gap for button in kept) <= room
        for button in buttons:
            button.set_key_shown(shows_keys)
        shown = set()
        for button in sorted(buttons, key=self._rank):
            width = button.sizeHint().width() + gap
            if width <= room or button.kind == "primary":
                shown.add(button)
                room -= width
            elif not self._is_kept(button):
                break  # one that is smaller would jump over it
        self._put_away = [button.property("command") for button in buttons if button not in shown]
        for button in buttons:
            button.setVisible(button in shown)
        self.more.setVisible(len(shown) < len(buttons))
        self._divide()
        self.row.activate()  # a button that has just been shown has its place at once, not at Qt's next turn

    def _divide(self) -> None:
        """Show a divider where buttons stand on both sides of it, and one between two of them."""
        waiting, is_first = None, True
        dividing = set()
        for place in range(self.row.indexOf(self.more)):
            item = self.row.itemAt(place)
            widget = item.widget() if item is not None else None
            if widget in self._dividers:
                waiting = waiting or widget
            elif isinstance(widget, Button) and not widget.isHidden():
                if waiting is not None and not is_first:
                    dividing.add(waiting)
                waiting, is_first = None, False
        for line in self._dividers:
            # One that is hidden and shown again asks for another layout, which divides again, and so on.
            if line.isHidden() is (line in dividing):
                line.setVisible(line in dividing)

    def _is_kept(self, button: Button) -> bool:
        return button.property("command") in self._often or button.kind == "primary"

    def _rank(self, button: Button) -> tuple[bool, bool]:
        """The order in which buttons get their room: the primary one, those used often, others by place."""
        return button.kind != "primary", not self._is_kept(button)

    def _applies(self, button: Button) -> bool:
        command_id = button.property("command")
        return command_id not in self._hidden and self._commander.exists(command_id)

    def _open_more(self) -> None:
        """Open the menu of the buttons that do not fit."""
        menu = CommandMenu(self._commander, [self._put_away], self._commander.run, self)
        menu.popup(self.more.mapToGlobal(self.more.rect().bottomLeft()))

    def _add(self, command_id: str, kind: str) -> None:
        self.row.addWidget(self._make(command_id, kind))

    def _make(self, command_id: str, kind: str) -> Button:
        command = self._commander.registry[command_id]
        button = Button(command.label, command.icon, kind)
        button.setProperty("command", command_id)
        button.clicked.connect(self._run)
        self.buttons[command_id] = button
        self._titles[command_id] = command.label
        if command.toolbar == "often":
            self._often.add(command_id)
        return button

    def _show_title(self, command_id: str, button: Button) -> None:
        """Name the button as its command is named now, as from Start to Resume. Views may name theirs."""
        title = self._commander.title(command_id)
        if title != self._titles[command_id]:
            self._titles[command_id] = title
            button.setText(title)
            button.updateGeometry()

    def _run(self) -> None:
        self.command_asked.emit(self.sender().property("command"))

    def _refresh(self, _event: None) -> None:
        commander = self._commander
        for command_id, button in self.buttons.items():
            show_command(button, commander, command_id)
            if command_id in self._titles:
                self._show_title(command_id, button)
            button.setVisible(self._applies(button) and command_id not in self._put_away)
        self._divide()
