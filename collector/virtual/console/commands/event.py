"""``event``: typing."""

from __future__ import annotations

from collector.virtual.console.command_table import ConsoleCommand, ConsoleError
from collector.virtual.console.commands.texts import read_text
from collector.virtual.console.emulator import Emulator


def _text(emulator: Emulator, words: str) -> str:
    if not words:
        raise ConsoleError("argument missing, try 'event text <message>'")
    emulator.phone.commit_text(read_text(words))
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
    ),
)
