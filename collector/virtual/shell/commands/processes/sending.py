"""Send signals to processes of the phone: those of its shells, and its apps."""

from __future__ import annotations

from collector.virtual.shell.proc import all_processes
from collector.virtual.shell.process import Process
from collector.virtual.shell.signal_names import CONTINUES, FROM_KEYBOARD, STOPS, ends, number_of

MISSING, REFUSED = "No such process", "Operation not permitted"


def send(process: Process, pid: int, signal: str) -> str:
    """Signal a process; return why that failed, empty when it did not. The signal ``0`` does nothing."""
    running = process.machine.processes.get(pid)
    if running is not None:
        ignored = running.in_background and signal in FROM_KEYBOARD
        if signal != "0" and not ignored and not process.shell.is_trapped(pid, signal) and ends(signal):
            running.interruption.kill(number_of(signal))
        return ""
    processes = process.machine.phone.services.processes
    package = processes.package_of(pid)
    if package and package == process.shell.owner:
        _signal_app(process, package, signal)
        return ""
    exists = any(pid == row[0] for row in all_processes(process.machine.phone, process.machine.processes))
    return REFUSED if exists else MISSING


def _signal_app(process: Process, package: str, signal: str) -> None:
    """Signal an app as the app itself, which ``run-as`` allows."""
    processes = process.machine.phone.services.processes
    if signal in STOPS:
        processes.stop(package)
    elif signal in CONTINUES:
        processes.resume(package)
    elif signal != "0" and ends(signal):
        processes.kill(package)
