"""Keep the best working frame source running: replace it when it fails, restart it when the phone returns."""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from typing import Protocol

from collector.device.errors import GONE, CaptureFailed, DeviceError, Unauthorized
from collector.device.events import DeviceEvent
from collector.device.frame import Frame
from collector.device.protocols import FrameSource
from collector.device.transport.adb_server import AdbServer
from collector.model.geometry import Size
from collector.model.i18n import _, join_sentences
from collector.model.phone.sources import FRAME_SOURCES

"""Best first."""
_BACK_OFF = (0.25, 0.5, 1.0, 2.0)
_PATIENT_TRIES = 2
"""Failures before the server and the address are checked: adb itself reconnects a loose cable."""
RESTS = (5.0, 30.0, 120.0, 300.0)
"""Seconds a failed source rests, after its first failure and after later ones."""
_RESTART_EVERY = 20.0
"""Seconds in which a source may stop once before another one is tried."""
_BETWEEN_STOPS = 0.5
_SILENCE = 5.0
_JOIN = 5.0
_log = logging.getLogger(__name__)


class FrameSupervisorHost(Protocol):
    """The owner of a supervisor; all methods but ``make`` and ``reach`` return at once."""

    def make(self, name: str) -> FrameSource:
        """Create a source; raises DeviceError when this computer lacks what it needs."""

    def reach(self) -> None:
        """Raise DeviceError unless the phone answers now."""

    def took_frame(self, frame: Frame) -> None: ...

    def took_source(self, source: FrameSource | None) -> None:
        """The source in use changed; None when there is none."""

    def emit(self, event: DeviceEvent) -> None: ...


class FrameSupervisor:
    """Supervise frame sources on a thread of its own, from ``start`` to ``close``."""

    def __init__(self, host: FrameSupervisorHost, server: AdbServer, serial: str, wanted: str = "") -> None:
        self._host = host
        self._server = server
        self._serial = serial
        self._choice = wanted
        self._view = Size(0, 0)
        self._source: FrameSource | None = None
        self._starting: FrameSource | None = None
        self._failure: Exception | None = None
        self._lost = False
        self._reported: set[str] = set()
        self._unreported: list[Exception] = []
        self._rests: dict[str, tuple[float, int]] = {}
        self._restarts: dict[str, float] = {}
        self._last_contact = time.monotonic()
        self._replaced = 0.0
        self._woken = threading.Event()
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._run, name="device mirror", daemon=True)

    @property
    def source(self) -> FrameSource | None:
        return self._source

    def prefer(self, name: str) -> None:
        """Try the source of this name first; empty for the usual order."""
        self._choice = name

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        """Close all sources; waits for the thread, which ends at once unless adb hangs."""
        self._closed.set()
        self._woken.set()
        for source in (self._starting, self._source):
            if source is not None:
                source.close()
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join(_JOIN)

    def check(self) -> None:
        """Check now whether the phone answers, because adb reported that it may not."""
        self._last_contact = 0.0
        self._woken.set()

    def set_view_size(self, size: Size) -> None:
        self._view = size
        for source in (self._starting, self._source):
            if source is not None:
                source.set_view_size(size)

    # -- the thread ----------------------------------------------------------
    def _run(self) -> None:
        failures = 0
        with contextlib.suppress(DeviceError):
            self._server.ensure()
        while not self._closed.is_set():
            try:
                self._reach(failures)
                self._start_any()
            except DeviceError as error:
                self._lose(error)
                failures += 1
                self._closed.wait(_BACK_OFF[min(failures, len(_BACK_OFF)) - 1])
                continue
            failures = 0
            try:
                self._watch()
            except DeviceError as error:
                self._lose(error)
                failures = 1
        self._drop()

    def _lose(self, error: DeviceError) -> None:
        self._drop()
        self._rests.clear()
        self._reported.clear()
        self._unreported.clear()
        if not self._lost and not self._closed.is_set():
            self._lost = True
            self._host.emit(DeviceEvent("lost", str(error)))

    def _reach(self, failures: int) -> None:
        """Check that the phone answers; after repeated failures also start the server and reconnect."""
        try:
            self._host.reach()
        except Unauthorized:
            raise
        except GONE:
            if failures < _PATIENT_TRIES:
                raise
            self._server.ensure()
            if ":" in self._serial:
                self._server.reconnect(self._serial)
            self._host.reach()

    def _watch(self) -> None:
        """Supervise until closed; raises DeviceError when the phone is gone."""
        while not self._closed.is_set():
            self._woken.wait(self._patience())
            self._woken.clear()
            failure, self._failure = self._failure, None
            if self._closed.is_set():
                return
            if failure is not None:
                self._replace(failure)
            elif self._better():
                self._improve()
            elif time.monotonic() - self._last_contact >= _SILENCE:
                # A still screen and a hung connection are both silent.
                self._host.reach()
                self._last_contact = time.monotonic()

    def _patience(self) -> float:
        times = [until for name, (until, _count) in self._rests.items() if name in self._preferred()]
        wake = min([self._last_contact + _SILENCE, *times])
        return max(0.0, wake - time.monotonic())

    def _replace(self, failure: Exception) -> None:
        """Replace a source that stopped; raises DeviceError when the phone is gone."""
        name = self._source.name if self._source else ""
        self._drop()
        # Sources that stop at once, each after the other, must not keep this computer busy.
        self._closed.wait(max(0.0, self._replaced + _BETWEEN_STOPS - time.monotonic()))
        self._replaced = time.monotonic()
        self._host.reach()
        now, before = time.monotonic(), self._restarts.get(name)
        if before is None or now - before > _RESTART_EVERY:
            # A loose cable ends every source: restart the same one.
            self._restarts[name] = now
            if self._try(name):
                return
        self._rest(name, failure)
        self._start_any()

    def _improve(self) -> None:
        """Try better sources while the present one continues."""
        for name in self._better():
            if self._try(name):
                return
        self._report_failures()

    def _preferred(self) -> list[str]:
        """Return the sources better than the present one, best first."""
        order = self._order()
        return order[: order.index(self._source.name)] if self._source else order

    def _better(self) -> list[str]:
        now = time.monotonic()
        return [name for name in self._preferred() if self._rests.get(name, (0.0, 0))[0] <= now]

    def _order(self) -> list[str]:
        return sorted(FRAME_SOURCES, key=lambda name: (name != self._choice, FRAME_SOURCES.index(name)))

    def _start_any(self) -> None:
        order, rested = self._order(), self._better()
        for name in [*rested, *(name for name in order if name not in rested)]:
            if self._closed.is_set() or self._try(name):
                return
        self._report_failures()
        raise CaptureFailed(_("No picture can be had from this device"))

    def _try(self, name: str) -> bool:
        """Start a source. Its failure is reported once; the loss of the phone is raised."""
        try:
            source = self._starting = self._host.make(name)
            source.set_view_size(self._view)
            source.start(self._frame_arrived, lambda error: self._failed(source, error))
        except DeviceError as error:
            self._rest(name, error)
            if isinstance(error, GONE):
                self._host.reach()
            return False
        finally:
            self._starting = None
        before, self._source = self._source, source
        if self._closed.is_set():
            source.close()
            return True
        source.set_view_size(self._view)
        self._rests.pop(name, None)
        self._host.took_source(source)
        if before is not None:
            before.close()
        self._last_contact = time.monotonic()
        if self._lost:
            self._lost = False
            self._host.emit(DeviceEvent("back"))
        self._report_failures()
        self._host.emit(DeviceEvent("source", name))
        return True

    def _rest(self, name: str, error: Exception) -> None:
        _until, count = self._rests.get(name, (0.0, 0))
        self._rests[name] = (time.monotonic() + RESTS[min(count, len(RESTS) - 1)], count + 1)
        sentence = f"{name}: {error}"
        if sentence not in self._reported and not self._closed.is_set():
            self._reported.add(sentence)
            self._unreported.append(error)

    def _report_failures(self) -> None:
        """Say why sources failed, and which one shows the screen instead."""
        failures, self._unreported = self._unreported, []
        now = self._source.name if self._source else ""
        for error in failures:
            instead = _("The screen is shown by {source} instead", source=now) if now else ""
            self._host.emit(DeviceEvent("message", join_sentences(str(error), instead)))

    def _drop(self) -> None:
        source, self._source = self._source, None
        if source is not None:
            self._host.took_source(None)
            with contextlib.suppress(OSError):
                source.close()

    # -- called by sources, on their threads ------------------------------------
    def _frame_arrived(self, frame: Frame) -> None:
        self._last_contact = time.monotonic()
        self._host.took_frame(frame)

    def _failed(self, source: FrameSource, error: Exception) -> None:
        _log.info("%s failed: %s", source.name, error)
        if source is self._source or source is self._starting:
            self._failure = error
            self._woken.set()
