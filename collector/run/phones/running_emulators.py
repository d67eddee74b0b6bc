"""Emulators that run copies of AVDs on this computer, whoever started them; end those whose program died."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from collector.device.errors import CommandFailed, DeviceError
from collector.device.transport.adb_device import AdbDevice
from collector.device.transport.adb_server import AdbServer
from collector.device.transport.emulator_console import ConsoleRefused, run_console_command
from collector.host.emulator_ports import PORTS, serial_of
from collector.host.other_processes import kill_process, process_command
from collector.host.sockets import is_answered
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.run.phones.avd import emulator_pid, is_open
from collector.run.phones.avd_copy import (
    COPY_MARK,
    abandoned_copies,
    avd_folder,
    copies_folder,
    noted_port,
)

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

        The console closes first: whoever deletes the files then takes them from a living process. One that
        does not end by itself is ended by its process id. Raises UserError when it still runs.
        """
        folder = avd_folder((copies or copies_folder()) / self.copy)
        try:
            run_console_command(AdbDevice(self.serial, AdbServer()), ["kill"], timeout=_CONSOLE_SECONDS)
            asked = True
        except CommandFailed as error:
            # It may hang up instead of saying OK. One that refuses will not end by itself.
            asked = not isinstance(error, ConsoleRefused)
        except DeviceError:
            asked = False
        if asked and self._has_ended(lambda: is_open(folder)):
            return
        pid = emulator_pid(folder)
        if pid and self._runs_as(pid):
            _log.info("%s does not end by its console, and is killed: process %s", self.serial, pid)
            kill_process(pid)
            # Its parent may keep the number of the dead process.
            if self._has_ended(lambda: self._runs_as(pid)):
                return
        elif self._has_ended(lambda: is_open(folder)):
            return
        raise UserError(
            _("{name} does not end", name=self.serial),
            _("its console does not end it, and its process is {pid}", pid=pid or "?"),
            _("End that process by hand"),
        )

    def _runs_as(self, pid: int) -> bool:
        return self.copy in process_command(pid)

    def _has_ended(self, is_running: Callable[[], bool]) -> bool:
        end = time.monotonic() + _END_SECONDS
        while is_answered(self.port) or is_running():
            if time.monotonic() >= end:
                return False
            time.sleep(_POLL_S)
        return True


def running_emulators(ports: range = PORTS, folder: Path | None = None) -> Iterator[RunningEmulator]:
    """The emulators of this computer that run a copy.

    Every console is asked what it runs; for one that hangs, ``folder`` of the copies tells.
    """
    noted = _noted(folder or copies_folder())
    for port in ports:
        if not is_answered(port):
            continue
        try:
            answer = run_console_command(
                AdbDevice(serial_of(port), AdbServer()), ["avd", "name"], timeout=_CONSOLE_SECONDS
            )
            name = answer.partition("\n")[0].strip()
        except DeviceError:
            # It hangs, is no emulator, or is one of another account, whose token is not known here.
            name = noted.get(port, "")
        if COPY_MARK in name:
            yield RunningEmulator(port, name)


def _noted(folder: Path) -> dict[int, str]:
    """The copies whose files an emulator has open, by the port of its console."""
    copies = (path for path in folder.glob(f"*{COPY_MARK}*") if path.is_dir())
    return {noted_port(copy): copy.name for copy in copies if is_open(avd_folder(copy))}


def delete_abandoned(folder: Path | None = None, ports: range = PORTS) -> int:
    """Delete the copies whose program died, and end their emulators. Returns how many there were."""
    count = 0
    running: dict[str, RunningEmulator] | None = None
    for left in abandoned_copies(folder):
        if running is None:
            running = {emulator.copy: emulator for emulator in running_emulators(ports, folder)}
        if emulator := running.get(left.path.name):
            try:
                emulator.end(folder)
            except UserError as error:
                # Its files are not taken from it: whoever starts the next one tries again.
                _log.warning("%s", error)
                left.abandon()
                continue
        _log.info("the copy %s was left by a program that died, and is deleted", left.path.name)
        left.delete()
        count += 1
    return count
