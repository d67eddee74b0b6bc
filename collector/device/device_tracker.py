"""Follow the list of devices of the adb server, across restarts of the server."""

from __future__ import annotations

import logging
import threading
import time
from dataclasses import dataclass

from collector.device.errors import CallCancelled, DeviceError
from collector.device.protocols import Cancel
from collector.device.transport.adb_server import AdbServer
from collector.device.transport.listed_devices import ListedDevice
from collector.model.event_emitter import EventEmitter

_log = logging.getLogger(__name__)
_BACK_OFF = (0.5, 1.0, 2.0, 5.0)
_PAUSE_S, _LONGEST_PAUSE_S = 0.05, 1.0
"""Between two changes; longer ones, the longer changes follow each other without a rest."""


@dataclass(frozen=True, slots=True)
class DevicesChanged:
    """The list changed; ``devices`` are all the server lists now."""

    devices: tuple[ListedDevice, ...]
    error: DeviceError | None = None
    """Why nothing is known of phones: the server does not answer, or answers what cannot be read."""


class DeviceTracker:
    """Follow ``track-devices`` on a thread of its own from ``start`` to ``close``.

    A restarted adb server has forgotten its network connections; the tracker connects to them again.
    """

    def __init__(self, server: AdbServer | None = None, targets: tuple[str, ...] = ()) -> None:
        self.server = server or AdbServer()
        self.events: EventEmitter[DevicesChanged] = EventEmitter()
        self.devices: tuple[ListedDevice, ...] = ()
        self._told = DevicesChanged(())
        self._pause, self._changed_at = _PAUSE_S, 0.0
        self._targets = dict.fromkeys(targets)
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._run, name="device tracker", daemon=True)

    @property
    def targets(self) -> tuple[str, ...]:
        """Addresses to reconnect to, oldest first."""
        return tuple(self._targets)

    def start(self) -> None:
        self._thread.start()

    def connect(self, address: str, cancel: Cancel | None = None) -> None:
        """Connect and remember the address; raises DeviceError. Waits: not for a GUI thread."""
        self.server.connect(address, cancel)
        self._targets[address] = None

    def forget(self, address: str, cancel: Cancel | None = None) -> None:
        """Disconnect and do not reconnect."""
        self._targets.pop(address, None)
        self.server.disconnect(address, cancel)

    def close(self) -> None:
        """Stop; waits up to a second for the thread, which may be inside a call to adb."""
        self._closed.set()
        if self._thread.is_alive():
            self._thread.join(1.0)

    def _run(self) -> None:
        failures = 0
        while not self._closed.is_set():
            try:
                self.server.ensure()
                self._reconnect()
                for devices in self.server.track(self._closed):
                    failures = 0
                    self._update(DevicesChanged(devices))
                    self._rest()
            except CallCancelled:
                return
            except DeviceError as error:
                _log.info("the adb server was lost: %s", error)
                if not self._closed.is_set():
                    self._update(DevicesChanged((), error))
            self._closed.wait(_BACK_OFF[min(failures, len(_BACK_OFF) - 1)])
            failures += 1

    def _rest(self) -> None:
        """Wait after a change, so that a server that sends them without an end keeps nobody busy."""
        now = time.monotonic()
        is_flood = now - self._changed_at < 2 * self._pause
        self._pause = min(2 * self._pause, _LONGEST_PAUSE_S) if is_flood else _PAUSE_S
        self._closed.wait(self._pause)
        self._changed_at = time.monotonic()

    def _reconnect(self) -> None:
        for address in self.targets:
            try:
                self.server.connect(address)
            except DeviceError as error:
                _log.info("%s did not come back: %s", address, error)

    def _update(self, change: DevicesChanged) -> None:
        before, self._told = self._told, change
        self.devices = change.devices
        if change.devices != before.devices or str(change.error) != str(before.error):
            self.events.emit(change)
