"""Command lines run through a shell of the phone, and a machine that has no phone."""

from __future__ import annotations

import threading
from types import SimpleNamespace

from collector.virtual.shell.language.interpreter import Shell
from collector.virtual.shell.machine import Machine
from collector.virtual.shell.pipes import BytesReader, Collector, Streams
from collector.virtual.shell.process_table import CancelScope
from collector.virtual.shell.system_files import install_system_files
from collector.virtual.system.phone_state.clock import Clock
from collector.virtual.system.phone_state.profile import PhoneProfile


def bare_machine() -> Machine:
    """A machine with files, sockets and processes, and of the phone only its clock and profile."""
    media = SimpleNamespace(lock=threading.RLock(), mount=lambda _storage: None, note_change=lambda: None)
    phone = SimpleNamespace(clock=Clock(), profile=PhoneProfile(), services=SimpleNamespace(media=media))
    machine = Machine(phone)  # type: ignore[arg-type]
    install_system_files(machine)
    return machine


def run(machine: Machine, line: str, stdin: bytes = b"") -> tuple[str, str, int]:
    """Output, error output and status of a command line."""
    out, err = Collector(), Collector()
    shell = Shell(machine, CancelScope(), machine.environment())
    status = shell.run_text(line, Streams(BytesReader(stdin), out, err))
    return out.data.decode(), err.data.decode(), status
