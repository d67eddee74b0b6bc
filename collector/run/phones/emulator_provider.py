"""Emulators as the phones of a run: each worker has a copy of the AVD, which is copied anew at a restart."""

from __future__ import annotations

import logging
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from collector.device.boot import BOOT_SECONDS
from collector.device.device_lease import EXPERIMENT_RUN, DeviceLease, lease_device
from collector.device.errors import DeviceError
from collector.device.health.phone_health import check_phone
from collector.device.protocols import Cancel
from collector.device.transport.adb_device import AdbDevice
from collector.device.transport.adb_server import AdbServer
from collector.device.transport.emulator_console import run_console_command
from collector.host.emulator_ports import PORTS
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.reset.phone_reset import CLEAN_SNAPSHOT
from collector.run.phones.android_sdk import AndroidSdk, find_sdk
from collector.run.phones.avd import find_avd
from collector.run.phones.avd_copy import AvdCopy, make_copy
from collector.run.phones.emulator_process import EmulatorProcess
from collector.run.phones.phone_facts import PhoneFacts
from collector.run.phones.provider import RUN_PROGRAM
from collector.run.phones.running_emulators import delete_abandoned

_SAVE_SECONDS = 120.0
_PICTURE_SECONDS = 20.0
"""How long the first picture may take once Android has booted."""
_POLL_S = 0.5
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class EmulatorStart:
    """How emulators are started."""

    snapshot: str = ""
    """Of the AVD, to start from; empty takes the one the emulator saved when it was closed last, if any."""
    window: bool = False
    arguments: tuple[str, ...] = ()
    """More words for the emulator, as ``("-gpu", "host")``."""
    seconds: float = BOOT_SECONDS
    """How long a start may take."""
    ports: range = PORTS
    is_leased: bool = True
    """Whether other programs are kept from them, as during a run."""


class EmulatorPhone:
    """A :class:`~collector.run.phones.provider.RunPhone` whose image is a copy of an AVD."""

    is_virtual = False

    def __init__(self, name: str, copy: AvdCopy, process: EmulatorProcess, start: EmulatorStart) -> None:
        """For :class:`EmulatorProvider` alone."""
        self.name = name
        self._copy, self._process, self._start = copy, process, start
        self._lease: DeviceLease | None = None

    @property
    def device(self) -> AdbDevice:
        return self._process.device

    @property
    def pid(self) -> int | None:
        """The process id of the emulator; None while it does not run."""
        return self._process.pid

    def boot(self, cancel: Cancel | None = None) -> None:
        """Start the emulator, and save how it is then for resets. Raises UserError."""
        self._process.start(self._start.snapshot, self._start.seconds, cancel)
        self._require_picture(cancel)
        try:
            words = ["avd", "snapshot", "save", CLEAN_SNAPSHOT]
            run_console_command(self.device, words, timeout=_SAVE_SECONDS)
        except DeviceError as error:
            # Images without snapshots exist: only a reset of the whole phone is then refused.
            _log.info("%s cannot save a snapshot: %s", self.name, error)
        if self._start.is_leased:
            self._lease = lease_device(self.device, RUN_PROGRAM, EXPERIMENT_RUN)

    def _require_picture(self, cancel: Cancel | None) -> None:
        """Wait until something is on its screen. Raises UserError when it stays black, or answers no more."""
        end = time.monotonic() + _PICTURE_SECONDS
        while not (health := check_phone(self.device, cancel)).is_usable:
            if time.monotonic() >= end:
                raise UserError(
                    _("{name} cannot be used", name=self.name),
                    health.problem,
                    _("Try other graphics, as with the arguments -gpu swiftshader of the emulator"),
                )
            (cancel or threading.Event()).wait(_POLL_S)

    def restart(self) -> None:
        """End the emulator by its process id, copy the AVD anew and start it. Raises UserError."""
        self._stop()
        self._copy.renew()
        self.boot()

    def release(self) -> None:
        """End the emulator and delete its copy."""
        self._stop()
        self._copy.delete()

    def _stop(self) -> None:
        if self._lease is not None:
            self._lease.release()
            self._lease = None
        self._process.stop()


@dataclass(frozen=True, slots=True)
class EmulatorProvider:
    """A :class:`~collector.run.phones.provider.PhoneProvider` of ``count`` copies of the AVD ``avd``."""

    avd: str
    count: int = 1
    start: EmulatorStart = EmulatorStart()
    folder: Path | None = None
    """Where the copies lie; None for the user's cache."""

    def require(self) -> AndroidSdk:
        """The SDK, when it, the AVD and its snapshot are there. Raises UserError."""
        sdk = find_sdk()
        avd = find_avd(sdk, self.avd)
        if self.start.snapshot:
            avd.require_snapshot(self.start.snapshot)
        return sdk

    def known(self) -> tuple[PhoneFacts, ...]:
        """That they are none of ours; the rest is known once one has started."""
        return (PhoneFacts(is_virtual=False),)

    def acquire(self, number: int, cancel: Cancel | None = None) -> EmulatorPhone:
        """Copy the AVD and start an emulator with it. Raises UserError."""
        sdk = self.require()
        delete_abandoned(self.folder, self.start.ports)
        copy = make_copy(find_avd(sdk, self.avd), self.folder)
        process = EmulatorProcess(
            sdk, copy, AdbServer(), window=self.start.window, arguments=self.start.arguments,
            ports=self.start.ports,
        )  # fmt: skip
        phone = EmulatorPhone(f"{self.avd} {number + 1}", copy, process, self.start)
        try:
            phone.boot(cancel)
        except BaseException:
            phone.release()
            raise
        return phone
