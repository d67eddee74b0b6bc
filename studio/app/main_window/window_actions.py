"""Shortcuts and menus of the window, built from the command table."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QObject, QTimer, Slot
from PySide6.QtGui import QAction, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLineEdit,
    QMenu,
    QMenuBar,
    QPlainTextEdit,
    QTextEdit,
    QWidget,
)

from collector.model.i18n import _
from studio.app.main_window.focus_order import scroll_to_focus
from studio.commands.command import MENUS, SUBMENUS, Command
from studio.commands.commander import Commander
from studio.commands.keys import NAVIGATION, KeyboardUse
from studio.theme import theme
from studio.widgets.commands.command_run import end_unavailable, run_or_say
from studio.widgets.controls import SegmentedControl, Tabs
from studio.widgets.window_frame.focus_ring import FocusRing
from studio.widgets.window_frame.toasts import Toasts

TAKES_KEYS = "takesKeys"
"""Property of a widget that takes everything that is typed, as a text does."""
TAKES_NAVIGATION = "takesNavigationKeys"
"""Property of a widget that takes arrows and the like alone, so that letters stay commands."""
LEAVES_KEYS = "leavesKeys"
"""Property of a list: the navigation keys, separated by spaces, that it leaves to the commands."""
TAKES_ALSO = "takesAlso"
"""Property of a panel: keys, separated by spaces, that it takes while it or what it holds has the focus."""
_TEXT = (QLineEdit, QTextEdit, QPlainTextEdit, QAbstractSpinBox)
_STEPPED = (QAbstractItemView, QAbstractButton, QAbstractSlider, QComboBox, SegmentedControl, Tabs)


@dataclass(slots=True)
class _Chord:
    """A chord of a command. Its shortcut is made when it works first: most never do in a window."""

    command: str
    keys: str
    text: str
    """The chord as Qt is told it."""
    works: bool = False
    shortcut: QShortcut | None = None

    def drop(self) -> None:
        if self.shortcut is not None:
            self.shortcut.setEnabled(False)
            self.shortcut.deleteLater()


class _Menu:
    """A menu of the bar: its commands by group, and its entries once it was open."""

    def __init__(self, menu: QMenu, groups: list[list[Command]]) -> None:
        self.menu, self.groups = menu, groups
        self.commands = frozenset(command.id for group in groups for command in group)
        self.entries: list[tuple[str, QAction]] = []


class WindowActions(QObject):
    """Owns a QShortcut for each chord, and the menus. Errors of commands become toasts."""

    def __init__(self, commander: Commander, window: QWidget, toasts: Toasts) -> None:
        super().__init__(window)
        self._commander, self._window, self._toasts = commander, window, toasts
        self._chords: list[_Chord] = []
        self._menus: list[_Menu] = []
        self._remove = commander.changed.subscribe(self._commands_changed)
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        app.focusChanged.connect(self._focus_changed)
        self._scrolling = QTimer(self, singleShot=True, interval=0)  # once a tab that was shown is laid out
        self._scrolling.timeout.connect(scroll_to_focus)
        self._focus_ring = FocusRing(self)
        self.bind()

    def close(self) -> None:
        """Stop following the focus, which still moves while the window is destroyed."""
        self._remove()
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.disconnect(self._focus_changed)

    def bind(self) -> None:
        """Rebuild the shortcuts after the person changed keys."""
        for chord in self._chords:
            chord.drop()
        registry = self._commander.registry
        self._chords = [
            _Chord(command.id, keys, text)
            for command in registry
            for keys in dict.fromkeys((*registry.keys(command.id), *registry.anywhere_keys(command.id)))
            # A chord with Enter works with both Enter keys.
            for text in {keys, keys.replace("Enter", "Return")}
        ]
        self._refresh()

    def run(self, command_id: str, **arguments: str) -> object:
        """Run a command; show a UserError as a toast."""
        return run_or_say(self._commander, self._toasts, command_id, arguments)

    def fill(self, bar: QMenuBar) -> None:
        """Add the menus. One gets its entries as it opens first, and hides commands without a handler."""
        for name, title in MENUS.items():
            menu = QMenu(_(title), bar)
            bar.addMenu(menu)
            self._menus.append(_Menu(menu, self._commander.registry.menu(name)))
            menu.aboutToShow.connect(self._about_to_show)

    @Slot()
    def _about_to_show(self) -> None:
        for each in self._menus:
            if each.menu is self.sender():
                if not each.entries:
                    self._add_entries(each)
                for command_id, action in each.entries:
                    self._update_action(command_id, action)
                for submenu in each.menu.findChildren(QMenu):
                    submenu.menuAction().setVisible(any(map(QAction.isVisible, submenu.actions())))

    def _add_entries(self, to: _Menu) -> None:
        submenus: dict[str, QMenu] = {}
        for number, group in enumerate(to.groups):
            of_group = SUBMENUS.get(group[0].menu, "")
            target = submenus.get(of_group, to.menu)
            if number:
                target.addSeparator()
            if of_group and target is to.menu:
                target = submenus[of_group] = to.menu.addMenu(_(of_group))
            for command in group:
                action = QAction(command.label, target)
                action.setProperty("command", command.id)
                action.triggered.connect(self._triggered)
                target.addAction(action)
                to.entries.append((command.id, action))

    def _update_action(self, command_id: str, action: QAction) -> None:
        registry = self._commander.registry
        command, keys = registry[command_id], self._commander.shown_keys(command_id)
        title = self._commander.title(command_id)
        action.setText(f"{title}\t{keys}" if keys else title)
        action.setVisible(self._commander.reachable(command_id))
        action.setEnabled(self._commander.enabled(command_id))
        checked = self._commander.checked(command_id)
        action.setCheckable(checked is not None)
        action.setChecked(bool(checked))
        if command.icon and checked is None:
            action.setIcon(theme.icon(command.icon))

    @Slot()
    def _triggered(self) -> None:
        self.run(str(self.sender().property("command")))

    @Slot()
    def _fired(self) -> None:
        self.run(str(self.sender().property("command")))

    def _commands_changed(self, _event: None) -> None:
        self._refresh()
        end_unavailable(self._commander, self._toasts)

    @Slot("QWidget*", "QWidget*")
    def _focus_changed(self, _old: QWidget | None, new: QWidget | None) -> None:
        self._commander.set_keyboard(keyboard_use(new))
        if new is not None:
            self._scrolling.start()

    def _refresh(self) -> None:
        # The properties of the widget may have changed, too.
        self._commander.set_keyboard(keyboard_use(QApplication.focusWidget()))
        keyboard = self._commander.keyboard
        handled = self._commander.handled
        for chord in self._chords:
            # Most are of another workspace; this is asked at each change of what can be done.
            works = chord.command in handled and not keyboard.takes(chord.keys)
            works = works and self._commander.answers(chord.command)
            if works is not chord.works:
                self._switch(chord, works)
        # While the window is loaded there are no handlers yet: its menus stand there, all commands disabled.
        for each in self._menus if handled else ():
            each.menu.menuAction().setVisible(not handled.isdisjoint(each.commands))

    def _switch(self, chord: _Chord, works: bool) -> None:
        chord.works = works
        if chord.shortcut is None:
            chord.shortcut = shortcut = QShortcut(QKeySequence(chord.text), self._window)
            shortcut.setProperty("command", chord.command)
            shortcut.activated.connect(self._fired)
        chord.shortcut.setEnabled(works)


def keyboard_use(focus: QWidget | None) -> KeyboardUse:
    """The keys that a widget takes while it has the focus."""
    if focus is None:
        return KeyboardUse()
    is_typed_in = isinstance(focus, _TEXT) or (isinstance(focus, QComboBox) and focus.isEditable())
    if is_typed_in or focus.property(TAKES_KEYS):
        return KeyboardUse(types=True)
    taken = _taken_by_panels(focus)
    if isinstance(focus, _STEPPED) or focus.property(TAKES_NAVIGATION):
        taken |= NAVIGATION - set(str(focus.property(LEAVES_KEYS) or "").split())
    return KeyboardUse(steps=taken)


def _taken_by_panels(widget: QWidget | None) -> frozenset[str]:
    """The keys that a widget and those around it take beside navigation."""
    taken: set[str] = set()
    while widget is not None:
        taken.update(str(widget.property(TAKES_ALSO) or "").split())
        widget = widget.parentWidget()
    return frozenset(taken)
