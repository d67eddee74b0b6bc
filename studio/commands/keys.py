"""Shortcuts as text, such as ``Ctrl+Shift+P``, ``M`` or ``?``, and which of them the keyboard's owner takes.

The law of keys: a key that also types or moves (``R``, ``Del``, ``Left``) runs its command while nothing else
takes it. With Alt (Control on macOS) it always runs its command: in a text field, and while the phone has
the keyboard.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from functools import lru_cache

MODIFIERS = ("Ctrl", "Alt", "Shift", "Meta")
_ON_MACOS = {"Ctrl": "Cmd", "Alt": "Option", "Meta": "Ctrl"}
_LONE_KEYS = {
    "Esc",
    "Enter",
    "Space",
    "Del",
    "Backspace",
    "Home",
    "End",
    "Left",
    "Right",
    "Up",
    "Down",
    "Tab",
}
NAVIGATION = frozenset({"Left", "Right", "Up", "Down", "Home", "End", "Enter", "Space", "Tab"})
"""Keys that lists, tables and buttons use themselves."""


def this_system() -> str:
    """``linux``, ``windows`` or ``macos``."""
    return {"win32": "windows", "darwin": "macos"}.get(sys.platform, "linux")


@lru_cache(maxsize=4096)
def normalise(keys: str) -> str:
    """Return the one spelling of a chord: ``shift+ctrl+p`` becomes ``Ctrl+Shift+P``. Raises ValueError."""
    text = keys.strip()
    if not text:
        return ""
    head, _, key = text.rpartition("+") if not text.endswith("+") else (text[:-2], "+", "+")
    pressed = {part.strip().capitalize() for part in head.split("+") if part.strip()}
    if not key or not pressed <= set(MODIFIERS):
        raise ValueError(f"not a shortcut: {keys!r}")
    named = key.upper() if len(key) == 1 else key[0].upper() + key[1:]
    return "+".join([*(modifier for modifier in MODIFIERS if modifier in pressed), named])


def printed(keys: str) -> str:
    """A chord with the names that its keys have on a keyboard of this system.

    Qt's ``Ctrl`` is the Command key of macOS, and its ``Meta`` the Control key.
    """
    if sys.platform != "darwin":
        return keys
    *pressed, key = keys.split("+") if not keys.endswith("+") else (*keys[:-2].split("+"), "+")
    return "+".join([*(_ON_MACOS.get(name, name) for name in pressed if name), key])


@lru_cache(maxsize=4096)
def is_typed(keys: str) -> bool:
    """Whether the chord types or edits text, so that it is off in text fields and on the mirror."""
    head, _, key = keys.rpartition("+")
    if head in ("", "Shift"):
        return len(key) == 1 or key in _LONE_KEYS
    return False


@lru_cache(maxsize=4096)
def anywhere(keys: str, system: str) -> str:
    """The chord that runs the command of ``keys`` wherever the keyboard is: ``R`` becomes ``Alt+R``."""
    if not is_typed(keys):
        return keys
    return normalise(f"{'Meta' if system == 'macos' else 'Alt'}+{keys}")


@dataclass(frozen=True)
class KeyboardUse:
    """The keys that the widget with the keyboard takes from the commands."""

    types: bool = False
    """It takes everything that is typed: a text field, or the phone."""
    steps: frozenset[str] = frozenset()
    """It takes these keys, as a list takes ``Up`` and ``Down``."""

    def takes(self, keys: str) -> bool:
        """Whether the widget takes a chord, so that it runs no command."""
        return keys in self.steps or (self.types and is_typed(keys))


@dataclass(frozen=True)
class Shortcut:
    """Chords of a command; the first is the one shown. On macOS ``Ctrl`` is the Command key."""

    keys: tuple[str, ...]
    windows: tuple[str, ...] | None = None
    macos: tuple[str, ...] | None = None

    def on(self, system: str) -> tuple[str, ...]:
        """The chords on ``linux``, ``windows`` or ``macos``."""
        special = {"windows": self.windows, "macos": self.macos}.get(system)
        return _normalised(self.keys if special is None else special)


@lru_cache(maxsize=4096)
def _normalised(chords: tuple[str, ...]) -> tuple[str, ...]:
    """The chords of a table in their one spelling: each window asks for those of all commands."""
    return tuple(map(normalise, chords))


def chord(*keys: str, macos: tuple[str, ...] | None = None) -> Shortcut:
    """Build a shortcut in a command table."""
    return Shortcut(keys, macos=macos)
