"""``cmd waymark fault``: set, list and clear simulated faults."""

from __future__ import annotations

import threading

from collector.virtual.daemon.fault_kinds import FAULTS, FaultKind, make_fault, parse_pairs
from collector.virtual.daemon.faults import Faults
from collector.virtual.shell.process import CommandError, Process

_USAGE = "usage: cmd waymark fault list | set NAME [key=value...] | clear [NAME]"
_ANSWER_DELAY = 0.2
"""A fault that cuts the connection begins after this many seconds, so that its command can answer first."""


def run(process: Process, words: list[str]) -> int:
    """``list``, ``set NAME [key=value...]`` or ``clear [NAME]``."""
    faults = process.machine.faults
    try:
        if words == ["list"]:
            _list(process, faults)
        elif words[:1] == ["set"] and len(words) > 1:
            _set(process, faults, words[1], words[2:])
        elif words[:1] == ["clear"] and len(words) <= 2:
            faults.clear(*words[1:])
        else:
            raise CommandError(_USAGE, 255)
    except ValueError as error:
        raise CommandError(f"Error: {error}", 1) from None
    return 0


def _set(process: Process, faults: Faults, name: str, pairs: list[str]) -> None:
    fault = make_fault(name, parse_pairs(pairs))
    if fault.kind.cuts:
        timer = threading.Timer(_ANSWER_DELAY, faults.apply, (fault,))
        timer.name, timer.daemon = "virtual fault", True
        process.machine.halted.on_set(timer.cancel)
        timer.start()
    else:
        faults.apply(fault)
    process.line(f"set: {fault}")


def _list(process: Process, faults: Faults) -> None:
    active = {fault.kind.name: fault for fault in faults.active()}
    for kind in FAULTS.values():
        mark = "*" if kind.name in active else " "
        process.line(f"{mark} {active.get(kind.name) or _written(kind)}\n      {kind.description}")


def _written(kind: FaultKind) -> str:
    return " ".join(
        [kind.name, *(f"[{parameter.name}={parameter.default}]" for parameter in kind.parameters)]
    )
