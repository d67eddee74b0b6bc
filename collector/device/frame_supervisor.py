"""The frame source in use: the best that works, replaced when it fails, and brought back with its phone."""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from typing import Protocol

from collector.device.adb_server import AdbServer
from collector.device.errors import GONE, CaptureFailed, DeviceError, Unauthorized
from collector.device.events import DeviceEvent
from collector.device.frame import Frame
from collector.device.protocols import FrameSource
from collector.model.geometry import Size
from collector.model.i18n import _

FRAME_SOURCES = ("scrcpy", "screenrecord", "screencap")
"""Best first."""
_BACK_OFF = (0.25, 0.5, 1.0, 2.0)
_PATIENT = 2
"""So often adb itself, which reconnects a flapping cable in a moment, is given time."""
_RESTS = (5.0, 30.0, 120.0, 300.0)
"""Seconds a source that failed is left alone, the first time and later ones."""
_RESTART_EVERY = 20.0
"""Seconds in which a source may stop once before another is tried."""
_SILENCE = 5.0
_JOIN = 5.0
_log = logging.getLogger(__name__)


class FrameSupervisorHost(Protocol):
    """Whom the mirror works for; all but ``make`` and ``reach`` return at once."""

    def make(self, name: str) -> FrameSource:
        """A new source; raises DeviceError when this computer lacks what it needs."""

    def reach(self) -> None:
        """Raise DeviceError unless the phone answers now."""

    def took_frame(self, frame: Frame) -> None: ...

    def took_source(self, source: FrameSource | None) -> None:
        """What gives the pictures from now on; None when nothing does."""

    def emit(self, event: DeviceEvent) -> None: ...


class FrameSupervisor:
    """Works on a thread of its own, from ``start`` to ``close``."""

    def __init__(self, host: FrameSupervisorHost, server: AdbServer, serial: str, wanted: str = "") -> None:
        self._host = host
        self._server = server
        self._serial = serial
        self._wanted = wanted
        self._view = Size(0, 0)
        self._source: FrameSource | None = None
        self._starting: FrameSource | None = None
        self._failure: Exception | None = None
        self._lost = False
        self._chosen_anew = False
        self._said: set[str] = set()
        self._rests: dict[str, tuple[float, int]] = {}
        self._restarts: dict[str, float] = {}
        self._heard = time.monotonic()
        self._woken = threading.Event()
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._run, name="device mirror", daemon=True)

    @property
    def source(self) -> FrameSource | None:
        return self._source

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        """Hang up; waits for the thread, which ends within a moment unless adb itself hangs."""
        self._closed.set()
        self._woken.set()
        for source in (self._starting, self._source):
            if source is not None:
                source.close()
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join(_JOIN)

    def use(self, name: str) -> None:
        """Prefer one source by name; an empty name leaves the choice to the mirror."""
        self._wanted, self._chosen_anew = name, True
        self._woken.set()

    def check(self) -> None:
        """Look now whether the phone is there: somebody has heard that it may not be."""
        self._heard = 0.0
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
                self._start_one()
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
        self._said.clear()
        if not self._lost and not self._closed.is_set():
            self._lost = True
            self._host.emit(DeviceEvent("lost", str(error)))

    def _reach(self, failures: int) -> None:
        """Find the phone; after a loss its server and its address are sought too."""
        try:
            self._host.reach()
        except Unauthorized:
            raise
        except GONE:
            if failures < _PATIENT:
                raise
            self._server.ensure()
            if ":" in self._serial:
                self._server.reconnect(self._serial)
            self._host.reach()

    def _watch(self) -> None:
        """Until closed; raises DeviceError when the phone is gone."""
        while not self._closed.is_set():
            self._woken.wait(self._patience())
            self._woken.clear()
            failure, self._failure = self._failure, None
            if self._closed.is_set():
                return
            if failure is not None:
                self._replace(failure)
            elif self._chosen_anew or self._better():
                self._improve()
            elif time.monotonic() - self._heard >= _SILENCE:
                # A still screen sends nothing, and so does a link that hangs.
                self._host.reach()
                self._heard = time.monotonic()

    def _patience(self) -> float:
        times = [until for name, (until, _count) in self._rests.items() if name in self._preferred()]
        wake = min([self._heard + _SILENCE, *times])
        return max(0.0, wake - time.monotonic())

    def _replace(self, failure: Exception) -> None:
        """The source stopped by itself: the phone is gone, or another source must do."""
        name = self._source.name if self._source else ""
        self._drop()
        self._host.reach()
        now, before = time.monotonic(), self._restarts.get(name)
        if before is None or now - before > _RESTART_EVERY:
            # A cable that flaps ends every source; the same one does again.
            self._restarts[name] = now
            if self._try(name):
                return
        self._rest(name, failure)
        self._start_one()

    def _improve(self) -> None:
        """Try what is liked better than the present source, which goes on meanwhile."""
        if self._chosen_anew:
            # Whoever chooses wants it tried now, whatever it did before.
            self._chosen_anew = False
            self._rests.clear()
        for name in self._better():
            if self._try(name):
                return

    def _preferred(self) -> list[str]:
        """Sources liked better than the present one."""
        order = self._order()
        return order[: order.index(self._source.name)] if self._source else order

    def _better(self) -> list[str]:
        now = time.monotonic()
        return [name for name in self._preferred() if self._rests.get(name, (0.0, 0))[0] <= now]

    def _order(self) -> list[str]:
        return sorted(FRAME_SOURCES, key=lambda name: (name != self._wanted, FRAME_SOURCES.index(name)))

    def _start_one(self) -> None:
        order, rested = self._order(), self._better()
        for name in [*rested, *(one for one in order if one not in rested)]:
            if self._closed.is_set() or self._try(name):
                return
        raise CaptureFailed(_("No picture can be had from this device"))

    def _try(self, name: str) -> bool:
        """Start a source; its failure is told once, the loss of the phone is raised."""
        try:
            source = self._starting = self._host.make(name)
            source.set_view_size(self._view)
            source.start(self._took, lambda error: self._failed(source, error))
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
        self._heard = time.monotonic()
        if self._lost:
            self._lost = False
            self._host.emit(DeviceEvent("back"))
        self._host.emit(DeviceEvent("source", name))
        return True

    def _rest(self, name: str, error: Exception) -> None:
        _until, count = self._rests.get(name, (0.0, 0))
        self._rests[name] = (time.monotonic() + _RESTS[min(count, len(_RESTS) - 1)], count + 1)
        sentence = f"{name}: {error}"
        if sentence not in self._said and not self._closed.is_set():
            self._said.add(sentence)
            self._host.emit(DeviceEvent("message", str(error)))

    def _drop(self) -> None:
        source, self._source = self._source, None
        if source is not None:
            self._host.took_source(None)
            with contextlib.suppress(OSError):
                source.close()

    # -- told by sources, on their threads ------------------------------------
    def _took(self, frame: Frame) -> None:
        self._heard = time.monotonic()
        self._host.took_frame(frame)

    def _failed(self, source: FrameSource, error: Exception) -> None:
        _log.info("%s failed: %s", source.name, error)
        if source is self._source or source is self._starting:
            self._failure = error
            self._woken.set()
