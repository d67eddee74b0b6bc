"""Listen to touches and keys on the phone itself with ``getevent``, across losses of the phone."""

from __future__ import annotations

import contextlib
import logging
import socket
import threading
import time
from collections.abc import Callable

from collector.adb.getevent import InputDevice, parse_devices
from collector.adb.messages import ProtocolError
from collector.adb.shell_protocol import ShellPacketDecoder, ShellPacketId
from collector.device.errors import CallCancelled, DeviceError
from collector.device.input.on_device_input import (
    GeteventReader,
    OnDeviceEvent,
    OnDeviceInputUnavailable,
    OnDeviceKey,
    OnDeviceTouch,
)
from collector.device.transport.adb_device import AdbDevice
from collector.model.event_emitter import EventEmitter
from collector.model.geometry import Size
from collector.model.i18n import _
from collector.model.phone.touch import TouchAction

_COMMAND = "shell,v2,pty:getevent -lt"
_READ = 1 << 16
_POLL = 0.25
RETRY_AFTER_S = (0.5, 1.0, 2.0, 4.0)
"""Before the next connection, by the number of failures in a row."""
_MOST_A_SECOND = 100
"""Touches and keys; each of them becomes a step."""
_MAX_ENDS = 3
"""How often getevent may end by itself; where it is permitted it never does."""
_JOIN = 5.0
_log = logging.getLogger(__name__)


class _UnavailableError(DeviceError):
    """The phone does not permit getevent, or has no touchscreen."""

    def __init__(self, why: str = "") -> None:
        super().__init__(
            _("Touches on the phone itself are not recorded: the phone does not report its touchscreen"), why
        )


class GeteventListener:
    """Listen on a thread of its own from ``start`` to ``close``; reconnect after a loss of the phone."""

    def __init__(self, device: AdbDevice, display: Callable[[], tuple[Size, int]]) -> None:
        self.events: EventEmitter[OnDeviceEvent] = EventEmitter()
        self._device = device
        self._display = display
        self._closed = threading.Event()
        self._is_heard = False
        self._decided = threading.Event()
        """Set once events arrive, or once it is known that they will not."""
        self._ends = 0
        self._counted_from, self._begun = 0, 0
        self._link: socket.socket | None = None
        self._thread = threading.Thread(target=self._run, name="getevent", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def wait_ready(self, timeout: float) -> bool:
        """Wait until events arrive; False when they do not, or never will. Not for a GUI thread."""
        return self._decided.wait(timeout) and self._is_heard

    def hang_up(self) -> None:
        """Stop without waiting for the thread."""
        self._closed.set()
        link = self._link
        if link is not None:
            with contextlib.suppress(OSError):
                link.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Stop; waits for the thread."""
        self.hang_up()
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join(_JOIN)

    def _run(self) -> None:
        try:
            self._keep_listening()
        finally:
            self._decided.set()

    def _keep_listening(self) -> None:
        failures = 0
        while not self._closed.is_set():
            began = time.monotonic()
            try:
                self._listen()
            except CallCancelled:
                return
            except _UnavailableError as error:
                self._emit(OnDeviceInputUnavailable(str(error)))
                return
            except (DeviceError, OSError, ProtocolError) as error:
                _log.debug("no on-device input: %s", error)
            except Exception:  # noqa: BLE001 - the end of this thread must be reported
                _log.exception("listening to on-device input failed")
                self._emit(
                    OnDeviceInputUnavailable(
                        _("What is done on the phone itself is not recorded: see the log")
                    )
                )
                return
            failures = 0 if time.monotonic() - began > RETRY_AFTER_S[-1] else failures + 1
            self._closed.wait(RETRY_AFTER_S[min(failures, len(RETRY_AFTER_S) - 1)])

    def _listen(self) -> None:
        """Listen on one connection until it ends."""
        devices = self._devices()
        reader = GeteventReader(devices, self._display)
        with self._device.open(_COMMAND, cancel=self._closed) as link:
            self._link = link
            link.settimeout(_POLL)
            try:
                self._follow(link, reader)
            finally:
                self._link = None
                for event in reader.cancel(time.monotonic_ns()):
                    self._emit(event)

    def _devices(self) -> list[InputDevice]:
        result = self._device.shell("getevent -lp", cancel=self._closed)
        devices = parse_devices(result.text)
        if any(device.is_touchscreen for device in devices):
            return devices
        lines = (result.error_text + result.text).strip().splitlines() or [""]
        raise _UnavailableError(lines[0][:200])

    def _follow(self, link: socket.socket, reader: GeteventReader) -> None:
        decoder = ShellPacketDecoder()
        while not self._closed.is_set():
            try:
                data = link.recv(_READ)
            except TimeoutError:
                continue
            if not data:
                return
            now = time.monotonic_ns()
            for packet in decoder.feed(data):
                if packet.id == ShellPacketId.EXIT:
                    self._ends += 1
                    if self._ends >= _MAX_ENDS:
                        raise _UnavailableError
                    return
                if packet.id in (ShellPacketId.STDOUT, ShellPacketId.STDERR):
                    # getevent first lists its devices; from then on no event is missed.
                    self._is_heard = True
                    self._decided.set()
                    self._emit_all(reader.feed(packet.data, now), now)

    def _emit_all(self, events: list[OnDeviceEvent], now_ns: int) -> None:
        """Emit events; raises _UnavailableError when they are more than people make."""
        if now_ns - self._counted_from > 1_000_000_000:
            self._counted_from, self._begun = now_ns, 0
        for event in events:
            self._begun += isinstance(event, OnDeviceKey) or (
                isinstance(event, OnDeviceTouch) and event.action is TouchAction.DOWN
            )
            if self._begun > _MOST_A_SECOND:
                raise _UnavailableError(_("It reports more touches and keys than anybody makes"))
            self._emit(event)

    def _emit(self, event: OnDeviceEvent) -> None:
        if not self._closed.is_set():
            self.events.emit(event)
