"""toybox's ``timeout``: a command that ends when it takes too long."""

from __future__ import annotations

import re
import threading

from collector.virtual.shell.options import read_options
from collector.virtual.shell.process import CommandError, Process
from collector.virtual.shell.process_table import CancelScope, Interrupted
from collector.virtual.shell.registry import command, find
from collector.virtual.shell.signal_names import NUMBERS

_TIMED_OUT, _UNUSABLE, _NOT_FOUND = 124, 125, 127
_UNITS = {"": 1.0, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86_400.0}
_DURATION = re.compile(r"(\d*\.?\d*)([smhd]?)")


@command("timeout")
def timeout(process: Process) -> int:
    """``timeout [-k DURATION] [-s SIGNAL] DURATION COMMAND...``; 124 when the command took longer."""
    words = process.arguments
    begins = _first_operand(words)
    try:
        options = read_options("timeout", words[:begins], "iv", "ks")
    except CommandError as error:
        raise CommandError(str(error), _UNUSABLE) from None
    if len(words) < begins + 2:
        raise CommandError('timeout: Need 2 arguments (see "timeout --help")', _UNUSABLE)
    seconds = _seconds(words[begins])
    signal = _signal(options.get("s") or "TERM")
    program = words[begins + 1]
    if "/" not in program and not (process.machine.programs.get(program) or find(program)):
        raise CommandError(f"timeout: exec {program}: No such file or directory", _NOT_FOUND)
    scope = CancelScope(process.interruption)
    child = process.shell.fork()
    child.interruption = scope
    timer = threading.Timer(min(seconds, threading.TIMEOUT_MAX), lambda: scope.kill(signal))
    timer.daemon = True
    if seconds:
        timer.start()
    try:
        status = child.execute(words[begins + 1 :], process.streams, process.environment)
    except Interrupted:
        if process.interruption.is_set:
            raise
        status = 128 + signal
    finally:
        timer.cancel()
        process.interruption.leave(scope)
    if not scope.is_set or "--preserve-status" in options:
        return status
    return 128 + signal if signal == NUMBERS["KILL"] else _TIMED_OUT


def _first_operand(words: list[str]) -> int:
    """The place of the duration: options stand before it, and those of the command after it."""
    place = 0
    while place < len(words) and words[place].startswith("-") and words[place] != "-":
        place += 2 if words[place] in ("-k", "-s") else 1
    return place


def _seconds(text: str) -> float:
    match = _DURATION.fullmatch(text)
    if match is None or not match[1].strip("."):
        raise CommandError(f"timeout: Not a number '{text}'", _UNUSABLE)
    return float(match[1]) * _UNITS[match[2]]


def _signal(text: str) -> int:
    name = text.upper().removeprefix("SIG")
    number = int(text) if text.isdecimal() else NUMBERS.get(name, 0)
    if not number:
        raise CommandError(f"timeout: bad -s: '{text}'", _UNUSABLE)
    return number
