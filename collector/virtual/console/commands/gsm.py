"""``gsm`` and ``sms``: calls, messages and the network they come from."""

from __future__ import annotations

import re

from collector.virtual.console.command_table import ConsoleCommand, ConsoleError, Run
from collector.virtual.console.commands.numbers import whole_number
from collector.virtual.console.commands.texts import read_text
from collector.virtual.console.emulator import Emulator

_NUMBER = re.compile(r"[0-9+#]+")
_SENDER = re.compile(r"\+?[0-9]{1,20}")
_UNKNOWN_STRENGTH = 99
_STATES = {
    "unregistered": "no network available",
    "home": "on local network, non-roaming",
    "roaming": "on roaming network",
    "searching": "searching networks",
    "denied": "emergency calls only",
    "off": "same as 'unregistered'",
    "on": "same as 'home'",
}
_SAME = {"off": "unregistered", "on": "home"}


def _list(emulator: Emulator, words: str) -> str:
    del words
    telephony = emulator.phone.services.telephony
    lines = []
    for number, how in telephony.calls.items():
        direction = "outbound to " if number in telephony.dialled else "inbound from"
        lines.append(f"{direction} {number:<10} : {how}\n")
    return "".join(lines)


def _number(words: str) -> str:
    if not words:
        raise ConsoleError("missing argument, try 'gsm call <phonenumber>'")
    if not _NUMBER.fullmatch(words):
        raise ConsoleError("bad phone number format, use digits, # and + only")
    return words


def _call(emulator: Emulator, words: str) -> str:
    """A busy phone, or one in airplane mode, does not ring: the network says nothing of that here."""
    emulator.phone.services.telephony.ring(_number(words))
    return ""


def _cancel(emulator: Emulator, words: str) -> str:
    if not emulator.phone.services.telephony.hang_up(_number(words)):
        raise ConsoleError("could not cancel this number")
    return ""


def _accept(emulator: Emulator, words: str) -> str:
    if not words:
        raise ConsoleError("missing argument, try 'gsm accept <phonenumber>'")
    if not emulator.phone.services.telephony.accept(words):
        raise ConsoleError(f"no current call to/from number '{words}'")
    return ""


def _hold(emulator: Emulator, words: str) -> str:
    if not words:
        raise ConsoleError("missing argument, try 'gsm hold <phonenumber>'")
    if not emulator.phone.services.telephony.hold(words):
        raise ConsoleError(f"no current call to/from number '{words}'")
    return ""


def _meter(emulator: Emulator, words: str) -> str:
    if not words:
        raise ConsoleError("missing argument, try 'gsm meter <on|off>'")
    if words not in ("on", "off"):
        raise ConsoleError("bad GSM meter state name, try 'help gsm meter' for list of valid values")
    emulator.phone.services.telephony.set_network("meter", words)
    return ""


def _busy(emulator: Emulator, words: str) -> str:
    """Only a call from the phone can be answered as busy, and it makes none."""
    del emulator
    if not words:
        raise ConsoleError("missing argument, try 'gsm busy <phonenumber>'")
    raise ConsoleError(f"no current outbound call to number '{words}' (call (nil))")


def _registration(kind: str) -> Run:
    def register(emulator: Emulator, words: str) -> str:
        if not words:
            raise ConsoleError(f"missing argument, try 'gsm {kind} <state>'")
        if words not in _STATES:
            raise ConsoleError(f"bad GSM data state name, try 'help gsm {kind}' for list of valid values")
        emulator.phone.services.telephony.set_network(kind, _SAME.get(words, words))
        return ""

    return register


def _status(emulator: Emulator, words: str) -> str:
    if words:
        raise ConsoleError("no argument required")
    network = emulator.phone.services.telephony.network
    return f"gsm voice state: {network('voice')}\ngsm data state:  {network('data')}\n"


def _signal(emulator: Emulator, words: str) -> str:
    values: list[int] = []
    while words and len(values) < 2:
        read = whole_number(words)
        if read is None:
            raise ConsoleError(f"argument '{words}' is not a number")
        values.append(read[0])
        words = read[1].lstrip(" \t")
    if not values:
        raise ConsoleError("not enough arguments: see 'help gsm signal' for details")
    for value, most, name in zip(values, (31, 7), ("RSSI", "BER"), strict=False):
        if not 0 <= value <= most and value != _UNKNOWN_STRENGTH:
            raise ConsoleError(f"invalid {name} - must be 0..{most} or {_UNKNOWN_STRENGTH}")
    emulator.phone.services.telephony.set_network("signal", str(values[0]))
    return ""


def _signal_profile(emulator: Emulator, words: str) -> str:
    read = whole_number(words)
    if read is None:
        raise ConsoleError(f"argument '{words}' is not a number")
    if not 0 <= read[0] <= 4:
        raise ConsoleError("invalid signal strength - must be 0..4")
    emulator.phone.services.telephony.set_network("signal-profile", str(read[0]))
    return ""


def _send(emulator: Emulator, words: str) -> str:
    sender, space, text = words.partition(" ")
    if not space:
        raise ConsoleError("missing argument, try 'sms send <phonenumber> <text message>'")
    if not _SENDER.fullmatch(sender):
        raise ConsoleError("bad phone number format, must be [+](0-9)*")
    emulator.phone.services.telephony.message(sender, read_text(text))
    return ""


def _states_help(kind: str) -> str:
    rows = "".join(f"  {name:<15} {meaning}\n" for name, meaning in _STATES.items())
    return (
        f"the 'gsm {kind} <state>' allows you to change the state of your GPRS connection\n"
        f"valid values for <state> are the following:\n\n{rows}\n"
    )


GSM = ConsoleCommand(
    "gsm",
    "GSM related commands",
    "allows you to change GSM-related settings, or to make a new inbound phone call\n",
    subcommands=(
        ConsoleCommand(
            "list", "list current phone calls",
            "'gsm list' lists all inbound and outbound calls and their state\n", _list,
        ),
        ConsoleCommand(
            "call", "create inbound phone call",
            "'gsm call <phonenumber>' allows you to simulate a new inbound call\n", _call,
        ),
        ConsoleCommand(
            "busy", "close waiting outbound call as busy",
            "'gsm busy <remoteNumber>' closes an outbound call, reporting\n"
            "the remote phone as busy. only possible if the call is 'waiting'.\n", _busy,
        ),
        ConsoleCommand(
            "hold", "change the state of an outbound call to 'held'",
            "'gsm hold <remoteNumber>' change the state of a call to 'held'. this is only possible\n"
            "if the call in the 'waiting' or 'active' state\n", _hold,
        ),
        ConsoleCommand(
            "accept", "change the state of an outbound call to 'active'",
            "'gsm accept <remoteNumber>' change the state of a call to 'active'. this is only possible\n"
            "if the call is in the 'waiting' or 'held' state\n", _accept,
        ),
        ConsoleCommand(
            "cancel", "disconnect an inbound or outbound phone call",
            "'gsm cancel <phonenumber>' allows you to simulate the end of an inbound or outbound call\n",
            _cancel,
        ),
        ConsoleCommand("data", "modify data connection state", _states_help("data"), _registration("data")),
        ConsoleCommand(
            "meter", "modify mobile data meterness",
            "the 'gsm meter <on|off>' allows you to change the meterness of your mobile data plan\n\n",
            _meter,
        ),
        ConsoleCommand(
            "voice", "modify voice connection state", _states_help("voice"), _registration("voice")
        ),
        ConsoleCommand(
            "status", "display GSM status",
            "'gsm status' displays the current state of the GSM emulation\n", _status,
        ),
        ConsoleCommand(
            "signal", "set sets the rssi and ber",
            "'gsm signal <rssi> [<ber>]' changes the reported strength and error rate on next (15s) update.\n"
            "rssi range is 0..31 and 99 for unknown\nber range is 0..7 percent and 99 for unknown\n", _signal,
        ),
        ConsoleCommand(
            "signal-profile", "set the signal strength profile",
            "'gsm signal-profile <strength>' changes the reported strength on next (15s) update.\n"
            "strength range is 0..4\n", _signal_profile,
        ),
    ),
)  # fmt: skip
SMS = ConsoleCommand(
    "sms",
    "SMS related commands",
    "allows you to simulate an inbound SMS\n",
    subcommands=(
        ConsoleCommand(
            "send", "send inbound SMS text message",
            "'sms send <phonenumber> <message>' allows you to simulate a new inbound sms message\n", _send,
        ),
    ),
)  # fmt: skip
