"""``cdma``: where a phone of that network reads its subscription, and the version of its list of networks."""

from __future__ import annotations

from collector.virtual.console.command_table import ConsoleCommand, ConsoleError
from collector.virtual.console.commands.numbers import whole_number
from collector.virtual.console.emulator import Emulator

_SOURCES = {"nv": "Read subscription from non-volatile RAM", "ruim": "Read subscription from RUIM"}


def _source(emulator: Emulator, words: str) -> str:
    if not words:
        raise ConsoleError("missing argument, try 'cdma ssource <source>'")
    if words.lower() not in _SOURCES:
        raise ConsoleError(f"Don't know source {words}")
    emulator.phone.services.telephony.set_network("cdma-source", words.lower())
    return ""


def _version(emulator: Emulator, words: str) -> str:
    """What is no number changes nothing, as in the emulator."""
    if not words:
        raise ConsoleError("missing argument, try 'cdma prl_version <version>'")
    read = whole_number(words)
    if read is not None:
        emulator.phone.services.telephony.set_network("cdma-prl-version", str(read[0]))
    return ""


CDMA = ConsoleCommand(
    "cdma",
    "CDMA related commands",
    "allows you to change CDMA-related settings\n",
    subcommands=(
        ConsoleCommand(
            "ssource", "Set the current CDMA subscription source",
            "'cdma ssource <ssource>' allows you to specify where to read the subscription from\n"
            + "".join(f"    {name}: {shown}\n" for name, shown in _SOURCES.items()), _source,
        ),
        ConsoleCommand("prl_version", "Dump the current PRL version", "", _version),
    ),
)  # fmt: skip
