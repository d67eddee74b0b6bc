"""``cmd waymark emu``: the commands of an emulator's console, with its answers."""

from __future__ import annotations

from collector.virtual.console.command_table import answer
from collector.virtual.console.commands.tables import SHELL
from collector.virtual.console.emulator import Emulator
from collector.virtual.shell.process import Process


def emu(process: Process, words: list[str]) -> int:
    """Run one command; the console answers OK, or KO with a reason. The exit status is always 0, as
    adb's."""
    process.out(answer(" ".join(words), SHELL, Emulator(process.machine.phone)))
    return 0
