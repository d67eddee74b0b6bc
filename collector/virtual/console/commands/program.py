"""Commands that concern the emulator as a program: its end, its windows, its monitor, and its hinge."""

from __future__ import annotations

from collector.virtual.console.command_table import ConsoleCommand, ConsoleError, Run, Silence
from collector.virtual.console.emulator import Emulator

_THEMES = ("dark", "light")


def _crash(said: str) -> Run:
    def crash(emulator: Emulator, words: str) -> str:
        """It is gone before it could say OK."""
        del words
        emulator.is_killed = True
        raise Silence(f"OK: {said}, bye bye\n")

    return crash


def _nothing(emulator: Emulator, words: str) -> str:
    """There is no window that could change."""
    del emulator, words
    return ""


def _theme(emulator: Emulator, words: str) -> str:
    del emulator
    if not words:
        raise ConsoleError("argument missing, try 'setUiTheme <dark|light>'")
    if words not in _THEMES:
        raise ConsoleError(f"Failed to set UI theme to {words}, try 'setUiTheme <dark|light>'")
    return ""


def _debug(emulator: Emulator, words: str) -> str:
    del emulator
    if not words:
        raise ConsoleError("argument missing, try 'debug <tags>'")
    return ""


def _monitor(emulator: Emulator, words: str) -> str:
    del emulator, words
    raise ConsoleError("QEMU support no longer available")


def _hinge(emulator: Emulator, words: str) -> str:
    """The phone has none: an emulator without one does not answer at all."""
    del emulator, words
    raise Silence("")


CRASH = (
    ConsoleCommand("crash", "crash the emulator instance", "", _crash("crashing emulator")),
    ConsoleCommand(
        "crash-on-exit", "simulate crash on exit for the emulator instance", "",
        _crash("crashing emulator on exit"),
    ),
)  # fmt: skip
QEMU = ConsoleCommand(
    "qemu",
    "QEMU-specific commands",
    "allows to connect to the QEMU virtual machine monitor\n",
    subcommands=(
        ConsoleCommand("monitor", "enter QEMU monitor", "Enter the QEMU virtual machine monitor\n", _monitor),
    ),
)
DEBUG = ConsoleCommand("debug", "control the emulator debug output tags", "", _debug)
WINDOWS = (
    ConsoleCommand("startExtendedWindow", "Show the extended window", "", _nothing),
    ConsoleCommand("quitExtendedWindow", "Show the extended window", "", _nothing),
    ConsoleCommand("setUiTheme", "Set emultaor's UI theme to either light or dark", "", _theme),
)
HINGE = (
    ConsoleCommand("fold", "fold the device", "", _hinge),
    ConsoleCommand("unfold", "unfold the device", "", _hinge),
)
