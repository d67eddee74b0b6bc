"""``cmd waymark emu``: the commands of an emulator's console, with its answers."""

from __future__ import annotations

import re
from collections.abc import Callable

from collector.virtual.shell.process import Process
from collector.virtual.system.phone import Phone

_NUMBER = re.compile(r"[0-9+#]{1,20}")
_SMS_NUMBER = re.compile(r"\+?[0-9]{1,20}")
_SPEEDS = ("gsm", "hscsd", "gprs", "edge", "umts", "hsdpa", "lte", "evdo", "5g", "full")
_DELAYS = ("gprs", "edge", "umts", "none")
_SPEED = re.compile(r"\d+(:\d+)?")
_BAD_NUMBER = "bad phone number format, use digits, # and + only"
Answer = tuple[str, ...]
"""Lines before the OK."""


class ConsoleError(Exception):
    """The console's reason after KO."""


def emu(process: Process, words: list[str]) -> int:
    """Run one command; the console answers OK, or KO with a reason. The exit status is always 0, as
    adb's."""
    action = _COMMANDS.get(words[0]) if words else None
    try:
        if action is None:
            raise ConsoleError("unknown command, try 'help'")
        for line in action(process.machine.phone, words[1:]):
            process.line(line)
    except ConsoleError as error:
        process.line(f"KO: {error}")
    else:
        process.line("OK")
    return 0


def _gsm(phone: Phone, words: list[str]) -> Answer:
    telephony = phone.services.telephony
    verb = words[0] if words else ""
    if verb == "list":
        return tuple(f"inbound from  {call:<10} : {how}" for call, how in telephony.calls.items())
    acts = {"call": telephony.ring, "cancel": telephony.hang_up, "accept": telephony.accept}
    if verb not in acts:
        raise ConsoleError("bad sub-command")
    if len(words) < 2:
        raise ConsoleError(f"missing argument, try 'gsm {verb} <phonenumber>'")
    if not _NUMBER.fullmatch(words[1]):
        raise ConsoleError(_BAD_NUMBER)
    if not acts[verb](words[1]):
        raise ConsoleError(
            "could not create call" if verb == "call" else f"could not {verb} call from {words[1]}"
        )
    return ()


def _sms(phone: Phone, words: list[str]) -> Answer:
    if words[:1] != ["send"]:
        raise ConsoleError("bad sub-command")
    if len(words) < 3:
        raise ConsoleError("missing argument, try 'sms send <phonenumber> <text message>'")
    if not _SMS_NUMBER.fullmatch(words[1]):
        raise ConsoleError("bad phone number format, must be [+](0-9)*")
    phone.services.telephony.message(words[1], " ".join(words[2:]))
    return ()


def _power(phone: Phone, words: list[str]) -> Answer:
    if words[:1] == ["capacity"]:
        if len(words) < 2 or not words[1].isdecimal() or int(words[1]) > 100:
            raise ConsoleError('Usage: "capacity <percentage>"')
        phone.services.power.hardware(level=int(words[1]))
    elif words[:1] == ["ac"]:
        if words[1:] not in (["on"], ["off"]):
            raise ConsoleError('Usage: "ac on" or "ac off"')
        phone.services.power.hardware(charging=words[1] == "on")
    elif words[:1] == ["display"]:
        supply = phone.services.power.supply
        return (f"AC: {'online' if supply.plugged else 'offline'}", f"capacity: {supply.level}")
    else:
        raise ConsoleError("bad sub-command")
    return ()


def _network(phone: Phone, words: list[str]) -> Answer:
    values = {"speed": _SPEEDS, "delay": _DELAYS}
    if words[:1] == ["status"]:
        telephony = phone.services.telephony
        return (
            "Current network status:",
            f"  speed: {telephony.network('speed')}",
            f"  delay: {telephony.network('delay')}",
        )
    if not words or words[0] not in values:
        raise ConsoleError("bad sub-command")
    parameter = words[0]
    if len(words) < 2:
        raise ConsoleError(f'missing <{parameter}> argument, see "help network {parameter}"')
    if words[1] not in values[parameter] and not _SPEED.fullmatch(words[1]):
        raise ConsoleError(f'invalid <{parameter}> argument, see "help network {parameter}" for valid values')
    phone.services.telephony.set_network(parameter, words[1])
    return ()


def _rotate(phone: Phone, words: list[str]) -> Answer:
    """Rotate the phone by a quarter turn; apps follow only while rotation is free."""
    del words
    if phone.settings.is_on("system", "accelerometer_rotation"):
        phone.set_rotation((phone.rotation + 1) % 4)
    return ()


def _avd(phone: Phone, words: list[str]) -> Answer:
    """``avd snapshot list|save|load|delete [NAME]``, and ``avd name``."""
    if words == ["name"]:
        return (phone.profile.model,)
    if words[:1] != ["snapshot"] or words[1:2] not in (["list"], ["save"], ["load"], ["delete"]):
        raise ConsoleError("bad sub-command")
    verb, snapshots = words[1], phone.snapshots
    if verb == "list":
        return tuple(snapshots.names) or ("There is no snapshot available.",)
    if len(words) != 3:
        raise ConsoleError(f"missing snapshot name, try 'avd snapshot {verb} <name>'")
    if verb == "save":
        snapshots.save(words[2])
    elif not (snapshots.load(words[2]) if verb == "load" else snapshots.delete(words[2])):
        raise ConsoleError(f"Device does not have the requested snapshot '{words[2]}'")
    return ()


def _help(phone: Phone, words: list[str]) -> Answer:
    del phone, words
    return ("Android console commands:", "", *(f"    {name}" for name in sorted(_COMMANDS)), "")


_COMMANDS: dict[str, Callable[[Phone, list[str]], Answer]] = {
    "avd": _avd,
    "gsm": _gsm,
    "help": _help,
    "network": _network,
    "power": _power,
    "rotate": _rotate,
    "sms": _sms,
}
