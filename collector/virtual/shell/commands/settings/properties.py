"""``getprop`` and ``setprop``: the phone's system properties."""

from __future__ import annotations

from collector.virtual.shell.build_properties import properties
from collector.virtual.shell.options import read_options
from collector.virtual.shell.process import CommandError, Process
from collector.virtual.shell.registry import command

_MAX_VALUE = 91


@command("getprop")
def getprop(process: Process) -> int:
    """Print one property, or all of them."""
    options = read_options("getprop", process.arguments, "TZ")
    values = properties(process.machine)
    if options.operands:
        default = options.operands[1] if len(options.operands) > 1 else ""
        process.line(values.get(options.operands[0]) or default)
        return 0
    for name, value in values.items():
        process.line(f"[{name}]: [{value}]")
    return 0


@command("setprop")
def setprop(process: Process) -> int:
    """Set a property; those that describe the phone cannot be changed."""
    words = process.arguments
    if len(words) != 2:
        raise CommandError('setprop: Need 2 arguments (see "setprop --help")')
    name, value = words
    if name.startswith("ro.") or len(value.encode()) > _MAX_VALUE:
        raise CommandError(f"Failed to set property '{name}' to '{value}'.\nSee dmesg for error reason.")
    process.machine.properties[name] = value
    return 0
