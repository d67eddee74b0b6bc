"""The process of one emulator: start it on free ports, wait until it has booted, end it by its process id."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from collections.abc import Callable, Iterable
from functools import partial
from typing import IO

from collector.device.boot import BOOT_SECONDS, wait_until_booted
from collector.device.errors import DeviceTimeout
from collector.device.protocols import Cancel
from collector.device.transport.adb_device import AdbDevice
from collector.device.transport.adb_server import AdbServer
from collector.host.android_folders import SDK_VARIABLES
from collector.host.emulator_ports import PORTS, serial_of, take_ports
from collector.host.file_lock import HeldFile
from collector.host.other_processes import kill_group
from collector.host.programs import Signals, start_program
from collector.host.quit_deadline import before_sudden_end
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.run.phones.android_sdk import AVD_HOME, AndroidSdk
from collector.run.phones.avd_copy import AvdCopy
from collector.run.phones.emulator_diagnosis import why_it_hangs
from collector.run.phones.emulator_log import read_report

_STOP_SECONDS = 10.0
_QUIET = ("-no-snapshot-save", "-no-audio", "-no-boot-anim")
_NO_WINDOW = "-no-window"


class EmulatorProcess:
    """The emulator of one AVD copy, from :meth:`start` to :meth:`stop`. One thread at a time."""

    def __init__(
        self, sdk: AndroidSdk, copy: AvdCopy, server: AdbServer, *,
        window: bool = False, arguments: Iterable[str] = (), ports: range = PORTS,
    ) -> None:  # fmt: skip
        """``arguments`` are more words for the emulator, as ``-gpu`` and ``host``."""
        self._sdk, self._copy, self._server = sdk, copy, server
        self._arguments = (*_QUIET, *(() if window else (_NO_WINDOW,)), *arguments)
        self._ports = ports
        self._process: subprocess.Popen[bytes] | None = None
        self._forget: Callable[[], None] = lambda: None
        """Do not kill it any more when this process ends suddenly."""
        self._port_lock: HeldFile | None = None
        self.port = 0
        """The port of its console; 0 while it does not run."""

    @property
    def device(self) -> AdbDevice:
        return AdbDevice(serial_of(self.port), self._server)

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process is not None else None

    def start(self, snapshot: str = "", seconds: float = BOOT_SECONDS, cancel: Cancel | None = None) -> None:
        """Start it and return when Android has booted. Raises UserError when that fails.

        ``snapshot`` names one of the AVD to start from; without one its quick-boot snapshot is used, if any.
        """
        self._server.ensure()
        self._port_lock, self.port = _take_ports(self._ports)
        words = [str(self._sdk.emulator), "-avd", self._copy.name, "-port", str(self.port), *self._arguments]
        words += ["-snapshot", snapshot] if snapshot else []
        try:
            self._copy.note_port(self.port)
            with self._copy.log.open("wb") as log:
                self._process = self._popen(words, log)
            self._forget = before_sudden_end(partial(kill_group, self._process.pid))
            wait_until_booted(self.device, seconds, cancel, self._require_alive)
        except OSError as error:
            self.stop()
            raise UserError(_("The emulator did not start"), str(error)) from error
        except DeviceTimeout as error:
            slow = self._too_slow(seconds)
            self.stop()
            raise slow from error
        except BaseException:
            self.stop()
            raise

    def _too_slow(self, seconds: float) -> UserError:
        why = why_it_hangs(self.device.serial, self._server)
        return UserError(
            _("The emulator {name} has not started within {seconds:.0f} s",
              name=self._copy.original.name, seconds=seconds),
            why or read_report(self._copy.log).why,
            _("Start fewer at once, or start the image in Android Studio and see how long it takes"),
        )  # fmt: skip

    def _popen(self, words: list[str], log: IO[bytes]) -> subprocess.Popen[bytes]:
        variables = {AVD_HOME: str(self._copy.root), "ANDROID_ADB_SERVER_PORT": str(self._server.port)}
        if self._sdk.root is not None:
            variables |= dict.fromkeys(SDK_VARIABLES, str(self._sdk.root))
        # A session of its own: Ctrl+C in the terminal is for this program, which then ends it in order.
        return start_program(
            words, stdout=log, stderr=subprocess.STDOUT, folder=self._copy.root, variables=variables,
            signals=Signals.OWN_SESSION,
        )  # fmt: skip

    def _require_alive(self) -> None:
        """Raise UserError, with what it printed last, when the process has ended."""
        assert self._process is not None
        code = self._process.poll()
        if code is not None:
            report = read_report(self._copy.log)
            raise UserError(
                _("The emulator {name} ended while it started, with code {code}",
                  name=self._copy.original.name, code=code),
                report.why,
                report.to_do,
            )  # fmt: skip

    def stop(self) -> None:
        """End the process, by force when it does not end by itself. May be called twice."""
        process, self._process = self._process, None
        if process is not None:
            _end(process)
        self._forget()
        if self._port_lock is not None:
            self._port_lock.release()
            self._port_lock = None
        self.port = 0


def _take_ports(ports: range) -> tuple[HeldFile, int]:
    taken = take_ports(ports)
    if taken is None:
        raise UserError(
            _("No port is free for another emulator"),
            _("all pairs from {first} to {last} are in use", first=ports[0], last=ports[-1] + 1),
            _("Close some emulators"),
        )
    return taken


def _end(process: subprocess.Popen[bytes]) -> None:
    """End it with all helpers that it has started, also when they have outlived it."""
    # On Windows the program that was started has another one do the work, which only its parent leads to.
    if process.poll() is None and sys.platform != "win32":
        process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(_STOP_SECONDS)
    kill_group(process.pid)
    process.wait()
