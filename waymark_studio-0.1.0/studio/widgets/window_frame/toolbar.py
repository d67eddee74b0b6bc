"""The toolbar of a workspace, built from the command tables."""

from __future__ import annotations

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from collector.model.i18n import _
from studio.commands.commander import Commander
from studio.theme import theme
from studio.widgets.command_button import show_command
from studio.widgets.command_menu import CommandMenu
from studio.widgets.controls import Button, divider
from studio.widgets.icon_button import IconButton


class Toolbar(QFrame):
    """A button for each handled toolbar command of a scope; the primary one is at the right end.

    Every button shows the key that runs its command now. Where there is no room, texts give way and not keys;
    where the keys do not fit either, whole buttons go into a menu.
    """

    def __init__(self, commander: Commander, scope: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._commander = commander
        self.setProperty("surface", "panel")
        self.setProperty("edge", "bottom")
        self.setFixedHeight(theme.size("toolbar"))
        self.buttons: dict[str, Button] = {}
        self._titles: dict[str, str] = {}
        """The title that was shown last."""
        self._hidden: set[str] = set()
        self._worded: set[Button] = set()
        self._put_away: list[str] = []
        """Commands whose buttons do not fit."""
        self.row = QHBoxLayout(self)
        self.row.setContentsMargins(8, 0, 8, 0)
        self.row.setSpacing(4)
        self.leading = QHBoxLayout()
        """Widgets before the commands, as choices of what is shown."""
        self.leading.setSpacing(6)
        self.row.addLayout(self.leading)
        commands = commander.registry.toolbar(scope)
        group = ""
        for command in commands:
            if command.toolbar == "left":
                if group and command.menu != group:
                    self.row.addWidget(divider(upright=True))
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
        self._remove = commander.changed.subscribe(self._refresh)
        self.destroyed.connect(self._remove)
        self._refresh(None)

    def add_command(self, command_id: str, *, place: int | None = None) -> Button:
        """Add a button for a global command, after those at the left or at index ``place``."""
        button = self._make(command_id, "plain")
        self.row.insertWidget(self._left_end if place is None else place, button)
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
        items = (self.row.itemAt(place) for place in range(self.row.count()))
        widgets = (item.widget() for item in items if item is not None)
        return [widget for widget in widgets if isinstance(widget, Button)]

    def _fit(self) -> None:
        """Make the buttons fit: first texts give way, from the right, then whole buttons go into the menu.

        The first and the primary button go last. Keys never give way.
        """
        buttons = [button for button in self._buttons_in_row() if self._applies(button)]
        if not buttons:
            return
        gap = self.row.spacing()
        standing = [button for button in buttons if not button.isHidden()]
        others = self.row.sizeHint().width() - sum(button.sizeHint().width() + gap for button in standing)
        others -= self.leading.sizeHint().width() - self.leading.minimumSize().width()  # it gives way first
        others -= 0 if self.more.isHidden() else self.more.width() + gap
        widths = {button: button.sizeHint().width() + gap for button in buttons}
        missing = (
            others
            - self.width()
            + sum(widths[button] + (button.label_width if button.is_compact else 0) for button in buttons)
        )
        from_right = sorted(buttons, key=lambda button: (button is not buttons[0], button.kind != "primary",
                                                         buttons.index(button)), reverse=True)  # fmt: skip
        for button in from_right:
            button.set_compact(missing > 0 and button not in self._worded)
            missing -= button.label_width if button.is_compact else 0
        if missing > 0:
            missing += self.more.width() + gap
        self._put_away = []
        for button in from_right:
            if missing > 0 and button is not buttons[0] and button.kind != "primary":
                self._put_away.insert(0, button.property("command"))
                missing -= button.sizeHint().width() + gap
        for button in buttons:
            button.setVisible(button.property("command") not in self._put_away)
        self.more.setVisible(bool(self._put_away))

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
        return button

    def _show_title(self, command_id: str, button: Button) -> None:
        """Name the button as its command is named now, as from Start to Resume. Views may name theirs."""
        title = self._commander.title(command_id)
        if title != self._titles[command_id]:
            self._titles[command_id] = title
            button.setText(title)
            button.updateGeometry()

    def _run(self) -> None:
        self._commander.run(self.sender().property("command"))

    def _refresh(self, _event: None) -> None:
        commander = self._commander
        for command_id, button in self.buttons.items():
            show_command(button, commander, command_id)
            self._show_title(command_id, button)
            button.setVisible(self._applies(button) and command_id not in self._put_away)
