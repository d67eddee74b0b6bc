"""``event``: typing, and a pointer on the screen."""

from __future__ import annotations

import re

from collector.model.phone.touch import TouchAction
from collector.virtual.console.command_table import ConsoleCommand, ConsoleError
from collector.virtual.console.commands.texts import read_text
from collector.virtual.console.emulator import Emulator

_FOUR_NUMBERS = re.compile(r"[ \t]*" + r"[ \t]+".join([r"([+-]?[0-9]{1,9})"] * 4))
_SCREEN, _LEFT = 0, 1


def _text(emulator: Emulator, words: str) -> str:
    if not words:
        raise ConsoleError("argument missing, try 'event text <message>'")
    emulator.phone.commit_text(read_text(words))
    return ""


def _mouse(emulator: Emulator, words: str) -> str:
    """The left button is a finger on the screen; other buttons and the trackball move nothing here."""
    if not words:
        raise ConsoleError("argument missing, try 'event mouse <x> <y> <device> <buttonstate>'")
    match = _FOUR_NUMBERS.fullmatch(words)
    if match is None:
        raise ConsoleError("Invalid arguments. Make sure you provide 4 integers.")
    x, y, device, buttons = (int(number) for number in match.groups())
    if device != _SCREEN:
        return ""
    pressed = bool(buttons & _LEFT)
    if pressed or emulator.pressed:
        now = (TouchAction.MOVE if emulator.pressed else TouchAction.DOWN) if pressed else TouchAction.UP
        emulator.phone.touch(now, 0, x, y)
    emulator.pressed = pressed
    return ""


EVENT = ConsoleCommand(
    "event",
    "simulate hardware events",
    "allows you to send fake hardware events to the kernel\n",
    subcommands=(
        ConsoleCommand(
            "text",
            "simulate keystrokes from a given text",
            "'event text <message>' allows you to simulate keypresses to generate a given text\n"
            "message. <message> must be an utf-8 string. Unicode points will be reverse-mapped\n"
            "according to the current device keyboard. Unsupported characters will be discarded\n"
            "silently\n",
            _text,
        ),
        ConsoleCommand(
            "mouse",
            "simulate a mouse event",
            "'event mouse <x> <y> <device> <buttonstate>' allows you to genenarate a mouse event\n"
            "at x, y with the given buttonstate using the given device. All values are integers.\n"
            "Where device:\n  0  = touch screen\n  1  = trackball\n"
            "And buttonstate is a mask where:\n  0  = No buttons\n  1  = Left button\n  2  = Right button\n"
            "  4  = Middle button\n  8  = Wheel up\n  16 = Wheel down\n",
            _mouse,
        ),
    ),
)
