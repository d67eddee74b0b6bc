"""A machine without a phone, for tests of the shell that never ask for one."""

from __future__ import annotations

from types import SimpleNamespace

from collector.virtual.shell.machine import Machine
from collector.virtual.system.clock import Clock


def bare_machine() -> Machine:
    """Files, sockets and processes; of the phone only its clock."""
    return Machine(SimpleNamespace(clock=Clock()))  # type: ignore[arg-type]
