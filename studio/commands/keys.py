"""Shortcuts as text, such as ``Ctrl+Shift+P``, ``M`` or ``?``, for each operating system."""

from __future__ import annotations

import sys
from dataclasses import dataclass

MODIFIERS = ("Ctrl", "Alt", "Shift", "Meta")
SYSTEMS = ("linux", "windows", "macos")
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


def this_system() -> str:
    """``linux``, ``windows`` or ``macos``."""
    return {"win32": "windows", "darwin": "macos"}.get(sys.platform, "linux")


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


def is_typed(keys: str) -> bool:
    """Whether the chord types or edits text, so that it is off in text fields and on the mirror."""
    head, _, key = keys.rpartition("+")
    if head in ("", "Shift"):
        return len(key) == 1 or key in _LONE_KEYS
    return False


@dataclass(frozen=True)
class Shortcut:
    """Chords of a command; the first is the one shown. On macOS ``Ctrl`` is the Command key."""

    keys: tuple[str, ...]
    windows: tuple[str, ...] | None = None
    macos: tuple[str, ...] | None = None

    def on(self, system: str) -> tuple[str, ...]:
        """The chords on one of SYSTEMS."""
        special = {"windows": self.windows, "macos": self.macos}.get(system)
        return tuple(normalise(key) for key in (self.keys if special is None else special))


def chord(*keys: str, macos: tuple[str, ...] | None = None) -> Shortcut:
    """Build a shortcut in a command table."""
    return Shortcut(keys, macos=macos)
