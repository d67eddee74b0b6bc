"""Emulators that run copies of AVDs on this computer, whoever started them; end those whose program died."""

from __future__ import annotations

import contextlib
import logging
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from collector.device.errors import DeviceError
from collector.device.transport.adb_device import AdbDevice
from collector.device.transport.adb_server import AdbServer
from collector.device.transport.emulator_console import run_console_command
from collector.host.emulator_ports import PORTS, serial_of
from collector.host.sockets import is_answered
from collector.run.phones.avd import is_open
from collector.run.phones.avd_copy import COPY_MARK, abandoned_copies, avd_folder, copies_folder

_CONSOLE_SECONDS = 2.0
_END_SECONDS = 10.0
_POLL_S = 0.05
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class RunningEmulator:
    """An emulator that runs the copy of an AVD."""

    port: int
    """Of its console."""
    copy: str
    """The name of the copy."""

    @property
    def avd(self) -> str:
        """The original of the copy."""
        return self.copy.rpartition(COPY_MARK)[0]

    @property
    def serial(self) -> str:
        return serial_of(self.port)

    def end(self, copies: Path | None = None) -> None:
        """Ask it to end by its console, and wait until its port is closed and its files are.

        The console closes first: whoever deletes the files then takes them from a living process.
        """
        folder = avd_folder((copies or copies_folder()) / self.copy)
        # It hangs up instead of saying OK.
        with contextlib.suppress(DeviceError):
            run_console_command(AdbDevice(self.serial, AdbServer()), ["kill"], timeout=_CONSOLE_SECONDS)
        end = time.monotonic() + _END_SECONDS
        while (is_answered(self.port) or is_open(folder)) and time.monotonic() < end:
            time.sleep(_POLL_S)


def running_emulators(ports: range = PORTS) -> Iterator[RunningEmulator]:
    """Ask every console of this computer what it runs, and yield those that run a copy."""
    for port in ports:
        if not is_answered(port):
            continue
        try:
            answer = run_console_command(
                AdbDevice(serial_of(port), AdbServer()), ["avd", "name"], timeout=_CONSOLE_SECONDS
            )
        except DeviceError:
            continue  # no emulator, or one of another account, whose token is not known here
        name = answer.partition("\n")[0].strip()
        if COPY_MARK in name:
            yield RunningEmulator(port, name)


def delete_abandoned(folder: Path | None = None, ports: range = PORTS) -> int:
    """Delete the copies whose program died, and end their emulators. Returns how many there were."""
    count = 0
    running: dict[str, RunningEmulator] | None = None
    for left in abandoned_copies(folder):
        if running is None:
            running = {emulator.copy: emulator for emulator in running_emulators(ports)}
        if emulator := running.get(left.path.name):
            emulator.end(folder)
        _log.info("the copy %s was left by a program that died, and is deleted", left.path.name)
        left.delete()
        count += 1
    return count
