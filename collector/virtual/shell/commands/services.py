"""``service``: list services, and the transactions that testers use."""

from __future__ import annotations

import struct

from collector.virtual.shell.commands.cmd import service_names
from collector.virtual.shell.process import CommandError, Process
from collector.virtual.shell.registry import command
from collector.virtual.system.phone_state.inventory import system_services

_CANCEL_ALL, _EXPAND, _COLLAPSE = "1", "1", "2"
_SHELL = "com.android.shell"
_USAGE = (
    "Usage: service [-h|-?]\n       service list\n       service check SERVICE\n"
    "       service call SERVICE CODE [i32 N | i64 N | f N | d N | s16 STR ] ...\n"
)
_BAD_CODE = -74
"""UNKNOWN_TRANSACTION, as the shell prints it."""


@command("service")
def service(process: Process) -> int:
    """``list``, ``check NAME``, ``call NAME CODE``."""
    words = process.arguments
    names = [name for name in service_names(process) if name != "waymark"]
    if words[:1] == ["list"]:
        interfaces = system_services(process.machine.phone.profile.sdk)
        process.line(f"Found {len(names)} services:")
        for number, name in enumerate(names):
            process.line(f"{number}\t{name}: [{interfaces.get(name, '')}]")
        return 0
    if words[:1] == ["check"] and len(words) == 2:
        process.line(f"Service {words[1]}: {'found' if words[1] in names else 'not found'}")
        return 0
    if words[:1] == ["call"] and len(words) >= 3:
        return _call(process, names, words[1], words[2], words[3:])
    raise CommandError(_USAGE.rstrip("\n"), 10)


def _call(process: Process, names: list[str], name: str, code: str, arguments: list[str]) -> int:
    if name not in names:
        raise CommandError(f"service: Service {name} does not exist", 10)
    phone = process.machine.phone
    if (name, code) == ("notification", _CANCEL_ALL):
        package = arguments[1] if arguments[:1] == ["s16"] and len(arguments) > 1 else ""
        if package not in ("", _SHELL):
            _refuse(process, f"Calling uid 2000 gave package {package} which is owned by another uid")
            return 0
        phone.services.notices.cancel_all(package)
    elif (name, code) in (("statusbar", _EXPAND), ("statusbar", _COLLAPSE)):
        phone.expand_shade(code == _EXPAND)
    else:
        process.line(f'Result: Parcel(Error: 0x{_BAD_CODE & 0xFFFFFFFFFFFFFFFF:x} "Unknown transaction")')
        return 0
    process.line("Result: Parcel(00000000    '....')")
    return 0


def _refuse(process: Process, reason: str) -> None:
    """Print a SecurityException inside a parcel as the shell dumps it: four words a line, with their
    letters."""
    data = struct.pack("<ii", -1, len(reason)) + reason.encode("utf-16-le") + b"\0\0"
    data += b"\0" * (-len(data) % 4)
    process.line("Result: Parcel(")
    for at in range(0, len(data), 16):
        part = data[at : at + 16]
        words = " ".join(f"{word:08x}" for (word,) in struct.iter_unpack("<I", part))
        letters = "".join(chr(byte) if 32 <= byte < 127 else "." for byte in part)
        process.line(f"  0x{at:08x}: {words:<35} '{letters}'")
    process.line(")")
