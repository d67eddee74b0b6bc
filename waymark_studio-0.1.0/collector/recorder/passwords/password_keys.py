"""Keys that type one character of a password: of the keyboard, and of PIN pads on protected windows."""

from __future__ import annotations

from collector.adb.keys import NAMES
from collector.hierarchy.captions import click_target
from collector.model.action import Action, Key
from collector.model.tree import Tree
from collector.recorder.passwords.password_detection import takes_password
from collector.recorder.passwords.pin_pad import PinPadKey, character_of, key_of
from collector.recorder.screen_moment import ScreenMoment

_CODE, _PAD = "code:", "NUMPAD_"
_SIGNS = {
    "SPACE": " ", "COMMA": ",", "PERIOD": ".", "GRAVE": "`", "MINUS": "-", "EQUALS": "=", "PLUS": "+",
    "LEFT_BRACKET": "[", "RIGHT_BRACKET": "]", "BACKSLASH": "\\", "SEMICOLON": ";", "APOSTROPHE": "'",
    "SLASH": "/", "AT": "@", "STAR": "*", "POUND": "#", "DOT": ".", "DIVIDE": "/", "MULTIPLY": "*",
    "SUBTRACT": "-", "ADD": "+", "LEFT_PAREN": "(", "RIGHT_PAREN": ")",
}  # fmt: skip


def password_character(action: Action, moment: ScreenMoment) -> str:
    """The character of a password that a key or a touch types on a screen; empty for any other action."""
    if not moment.hides_passwords:
        return ""
    if isinstance(action, Key):
        return _character_of_key(action.key) if takes_password(moment) else ""
    if not moment.secure or key_of((moment.tree,), action) is not PinPadKey.CHARACTER:
        return ""
    return _character_at(moment.tree, action)


def _character_of_key(key: str) -> str:
    code = key.removeprefix(_CODE)
    name = NAMES.get(int(code), "") if code != key and code.isascii() and code.isdigit() else ""
    plain = name.removeprefix(_PAD)
    return plain.lower() if len(plain) == 1 else _SIGNS.get(plain, "")


def _character_at(tree: Tree | None, action: Action) -> str:
    node = click_target(tree, action.point) if tree is not None and action.point is not None else None
    return character_of(node) if node is not None else ""
