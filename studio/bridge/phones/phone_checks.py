"""The check of a phone behind the window; meanwhile the phone is not mirrored."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from collector.anomalies.errors import PhoneInUse
from collector.device.device_lease import DEVICE_CHECK, lease_device
from collector.device.transport.adb_device import AdbDevice
from studio.bridge.device_ownership import PROGRAM
from studio.bridge.event_bridge import EventBridge
from studio.bridge.jobs import Job, JobRunner
from studio.bridge.phones.devices import Devices
from studio.settings import Settings

if TYPE_CHECKING:
    from collector.device_check.check import DeviceCheck
    from collector.device_check.results import DeviceCheckResults

_FREE_S = 12.0
"""How long the mirror and its injections may take to let the phone go."""
_LOOK_EVERY_S = 0.2


class PhoneChecks(QObject):
    """Checks one phone at a time. GUI thread; nothing waits for the phone."""

    happened = Signal(object)
    """A CheckEvent, in order."""
    ended = Signal(object)
    """The DeviceCheckResults, also of a check that was cancelled."""
    failed = Signal(object)
    """Why the phone could not be checked at all."""

    def __init__(
        self, runner: JobRunner, devices: Devices, settings: Settings, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._runner, self._devices, self._settings = runner, devices, settings
        self._bridge = EventBridge(self)
        self._cancelled = threading.Event()
        self._job: Job | None = None
        self._serial = ""

    @property
    def is_running(self) -> bool:
        return self._job is not None

    def start(self, serial: str, allowed: frozenset[str]) -> None:
        """Check a phone; the steps that may disturb run when their questions are ``allowed``.

        ``ended`` or ``failed`` follows, and the phone is mirrored again when it was before.
        """
        if self.is_running:
            return
        self._serial = serial
        self._bridge = EventBridge(self)
        self._bridge.happened.connect(self.happened)
        mirror = self._devices.set_aside(serial)
        jar = self._settings["device.scrcpy-server"]

        self._cancelled = threading.Event()

        def work(job: Job) -> DeviceCheckResults:
            # Imported here: the decoder and the library of anomalies take their time to load.
            from collector.device_check.check import DeviceCheck
            from collector.device_check.steps.all_steps import STEPS

            if mirror is not None:
                mirror.wait_closed(_FREE_S)
            device = AdbDevice(serial)
            with lease_device(device, PROGRAM, DEVICE_CHECK):
                check = DeviceCheck(device, STEPS, allowed.__contains__, jar=jar)
                self._bridge.listen(check.events)
                with _ended_by(check, cancelled, job.cancel_event):
                    return _results(check)

        cancelled = self._cancelled
        self._job = self._runner.run(work, success=self._succeeded, failure=self._refused)
        self._job.stopped.connect(self._end)

    @Slot()
    def cancel(self) -> None:
        """End the check; ``ended`` follows once the phone is as it was."""
        self._cancelled.set()

    @Slot(object)
    def _succeeded(self, results: DeviceCheckResults) -> None:
        self._end()
        self.ended.emit(results)

    @Slot(object)
    def _refused(self, error: Exception) -> None:
        self._end()
        self.failed.emit(error)

    @Slot()
    def _end(self) -> None:
        self._job = None
        self._bridge.close()
        self._devices.take_back(self._serial)


@contextmanager
def _ended_by(check: DeviceCheck, *cancels: threading.Event) -> Iterator[None]:
    """Cancel the check once one of ``cancels`` is set, until the end of the block."""
    done = threading.Event()

    def watch() -> None:
        while not done.wait(_LOOK_EVERY_S):
            if any(cancel.is_set() for cancel in cancels):
                check.cancel()
                return

    watching = threading.Thread(target=watch, name="device check cancel", daemon=True)
    watching.start()
    try:
        yield
    finally:
        done.set()
        watching.join()


def _results(check: DeviceCheck) -> DeviceCheckResults:
    """Run it once the mirror and its injections let the phone go. Raises UserError."""
    end = time.monotonic() + _FREE_S
    while True:
        try:
            return check.run()
        except PhoneInUse:
            if time.monotonic() > end:
                raise
            threading.Event().wait(_LOOK_EVERY_S)
