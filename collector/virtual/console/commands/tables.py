"""All commands of the console in the emulator's order, before a client has authenticated and after."""

from __future__ import annotations

from collector.virtual.console.command_table import (
    Commands,
    ConsoleCommand,
    describe_commands,
    help_of,
    list_commands,
)
from collector.virtual.console.commands.avd import AVD, BEFORE_AUTH
from collector.virtual.console.commands.cdma import CDMA
from collector.virtual.console.commands.event import EVENT
from collector.virtual.console.commands.geo import GEO
from collector.virtual.console.commands.gsm import GSM, SMS
from collector.virtual.console.commands.network import NETWORK
from collector.virtual.console.commands.power import POWER
from collector.virtual.console.commands.program import CRASH, DEBUG, HINGE, QEMU, WINDOWS
from collector.virtual.console.commands.redir import REDIR
from collector.virtual.console.commands.screenrecord import SCREENRECORD
from collector.virtual.console.commands.sensor import FINGER, ROTATE, SENSOR
from collector.virtual.console.emulator import Emulator

AUTH, KILL, QUIT = "auth", "kill", "quit"
"""What the dialogue itself does."""


def _ping(emulator: Emulator, words: str) -> str:
    del emulator, words
    return "I am alive!\n"


def _nothing(emulator: Emulator, words: str) -> str:
    del emulator, words
    return ""


def _kill(emulator: Emulator, words: str) -> str:
    del words
    emulator.is_killed = True
    return "OK: killing emulator, bye bye\n"


def with_help(*commands: ConsoleCommand) -> Commands:
    """A table of these commands, behind those that print its help."""

    def show(_emulator: Emulator, words: str) -> str:
        return help_of(words, table) if words else list_commands(table)

    def describe(_emulator: Emulator, _words: str) -> str:
        return describe_commands(table)

    table: Commands = (
        ConsoleCommand("help|h|?", "print a list of commands", "", show),
        ConsoleCommand("help-verbose", "print a list of commands with descriptions", "", describe),
        ConsoleCommand("ping", "check if the emulator is alive", "", _ping),
        *commands,
    )
    return table


_QUIT = ConsoleCommand("quit|exit", "quit control session", "", _nothing)
BEFORE = with_help(
    BEFORE_AUTH,
    ConsoleCommand(
        AUTH,
        "user authentication for the emulator console",
        "use 'auth <auth_token>' to get extended console functionality\n",
        _nothing,
    ),
    _QUIT,
)
"""For clients that have not authenticated."""
CONSOLE = with_help(
    EVENT,
    GEO,
    GSM,
    CDMA,
    *CRASH,
    ConsoleCommand(KILL, "kill the emulator instance", "", _kill),
    NETWORK,
    POWER,
    _QUIT,
    REDIR,
    SMS,
    AVD,
    QEMU,
    SENSOR,
    FINGER,
    DEBUG,
    ROTATE,
    *WINDOWS,
    SCREENRECORD,
    *HINGE,
)
SHELL = with_help(EVENT, GEO, GSM, CDMA, NETWORK, POWER, SMS, AVD, SENSOR, FINGER, ROTATE, *HINGE)
"""For ``cmd waymark emu``: a phone that is no emulator does the same, and is not ended so."""
