"""Map keys of the computer to keys of the phone."""

from __future__ import annotations

import sys

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QKeySequence

_NAMES = {
    Qt.Key.Key_Return: "enter",
    Qt.Key.Key_Enter: "enter",
    Qt.Key.Key_Back: "back",
    Qt.Key.Key_Backspace: "delete",
    Qt.Key.Key_Delete: "code:112",
    Qt.Key.Key_Tab: "tab",
    Qt.Key.Key_Up: "up",
    Qt.Key.Key_Down: "down",
    Qt.Key.Key_Left: "left",
    Qt.Key.Key_Right: "right",
    Qt.Key.Key_Menu: "menu",
    Qt.Key.Key_Search: "search",
    Qt.Key.Key_HomePage: "home",
    Qt.Key.Key_Home: "code:122",
    Qt.Key.Key_End: "code:123",
    Qt.Key.Key_PageUp: "code:92",
    Qt.Key.Key_PageDown: "code:93",
    Qt.Key.Key_VolumeUp: "volume_up",
    Qt.Key.Key_VolumeDown: "volume_down",
}
_EDITING = {
    Qt.Key.Key_A: "select_all",
    Qt.Key.Key_C: "copy",
    Qt.Key.Key_X: "cut",
}
_SHIFT = Qt.KeyboardModifier.ShiftModifier
_PAD = Qt.KeyboardModifier.KeypadModifier


class HeldKeys:
    """Tell a key that was pressed here from one that was pressed elsewhere and is still held.

    The key that gave the phone the keyboard repeats while it is held: it must not reach the phone.
    """

    def __init__(self) -> None:
        self._pressed: set[int] = set()

    def forget(self) -> None:
        """Somebody else has the keyboard, or had it until now."""
        self._pressed.clear()

    def is_pressed_here(self, event: QKeyEvent) -> bool:
        """Whether the key of a press went down here; its repetitions count, those of other keys do not."""
        if not event.isAutoRepeat():
            self._pressed.add(event.key())
        return event.key() in self._pressed


def phone_key(event: QKeyEvent) -> str:
    """Return the name of the phone's key (``collector.model.action.KEY_NAMES`` or ``code:N``), or empty."""
    modifiers = event.modifiers() & ~_PAD
    key = Qt.Key(event.key())
    if modifiers == Qt.KeyboardModifier.ControlModifier:
        return _EDITING.get(key, "")
    # Ctrl+Shift is left to the window, which switches the mode with Ctrl+Shift+C.
    return "" if modifiers & ~_SHIFT else _NAMES.get(key, "")


def typed_text(event: QKeyEvent) -> str:
    """Return the text a key types; empty for shortcuts and keys without text."""
    modifiers = event.modifiers()
    if is_command(modifiers):
        return ""
    control = bool(modifiers & Qt.KeyboardModifier.ControlModifier)
    # Windows reports AltGr, which types letters on many keyboards, as Ctrl+Alt.
    if modifiers & Qt.KeyboardModifier.MetaModifier or control != _is_alt_gr(modifiers):
        return ""
    text = event.text()
    return "" if any(letter < " " or letter == "\x7f" for letter in text) else text


def is_command(modifiers: Qt.KeyboardModifier) -> bool:
    """Whether the modifiers make a key run a command of the window: Alt, and Control on macOS."""
    if sys.platform == "darwin":  # Option types letters there
        return bool(modifiers & Qt.KeyboardModifier.MetaModifier)
    return bool(modifiers & Qt.KeyboardModifier.AltModifier) and not _is_alt_gr(modifiers)


def _is_alt_gr(modifiers: Qt.KeyboardModifier) -> bool:
    both = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier
    return modifiers & both == both


def is_paste(event: QKeyEvent) -> bool:
    """Whether the event is Ctrl+V, or the platform's own keys for pasting."""
    return event.matches(QKeySequence.StandardKey.Paste)
