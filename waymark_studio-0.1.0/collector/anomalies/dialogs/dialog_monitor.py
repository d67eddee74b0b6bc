"""Follow the open dialog of a phone on a thread, also while the phone goes away and comes back."""

from __future__ import annotations

import logging
import threading
import time

from collector.anomalies.injected_anomaly import InjectedAnomaly
from collector.anomalies.injector import Injector
from collector.device.errors import CallCancelled, DeviceError, DeviceTimeout
from collector.model.errors import UserError
from collector.model.event_emitter import EventEmitter

LOOK_EVERY_S = 0.4
AWAY_S = 2.0
"""Between two looks at a phone that does not answer."""
_JOIN_S = 10.0
_log = logging.getLogger(__name__)


class DialogMonitor:
    """Runs from ``start`` to ``close``, and looks only while a dialog is open."""

    def __init__(self, injector: Injector, look_every_s: float = LOOK_EVERY_S) -> None:
        self.lost: EventEmitter[UserError] = EventEmitter()
        """Emitted once when the phone stops answering while a dialog is open; it is asked again."""
        self._injector, self._look_every_s = injector, look_every_s
        self._closed = threading.Event()
        self._awake = threading.Event()
        self._thread = threading.Thread(target=self._run, name="anomaly watch", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def wake(self) -> None:
        """A dialog was shown: begin to look."""
        self._awake.set()

    def close(self) -> None:
        """End, and wait for the thread."""
        self._closed.set()
        self._awake.set()
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join(_JOIN_S)

    def _run(self) -> None:
        away = False
        while not self._closed.wait(AWAY_S if away else self._look_every_s):
            if self._injector.open is None:
                self._awake.wait()
                self._awake.clear()
                continue
            away = self._look(away)

    def _look(self, away: bool) -> bool:
        """Whether the phone is away."""
        try:
            self._injector.look(self._closed)
        except CallCancelled:
            return away
        except DeviceError as error:
            if not away:
                self.lost.emit(error)
            return True
        except UserError as error:
            _log.warning("an injection could not be followed: %s", error)
            self.lost.emit(error)
        return False


def wait_until_over(
    injector: Injector, injection: InjectedAnomaly, timeout_s: float, stop: threading.Event
) -> bool:
    """Look until ``injection`` is over; False when that takes over ``timeout_s`` or ``stop`` is set.

    For callers without a running monitor. Raises DeviceError when the phone is gone; one that is only silent
    is asked again as long as there is time.
    """
    end = time.monotonic() + timeout_s
    while not injection.is_over:
        try:
            injector.look(stop)
        except DeviceTimeout:
            if time.monotonic() > end:
                raise
        if not injection.is_over and (time.monotonic() > end or stop.wait(LOOK_EVERY_S)):
            return False
    return True
