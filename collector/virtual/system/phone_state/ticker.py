"""Timers and animations of the phone, on a thread that lives only while one is due."""

from __future__ import annotations

import heapq
import itertools
import logging
import threading
from collections.abc import Callable

from collector.virtual.system.phone_state.phone_time import PhoneTime, SimulatedTime

_log = logging.getLogger(__name__)
FRAME = 1 / 60
"""Seconds between two animation frames."""


class Ticker:
    """Run callables under the phone's lock at their time.

    ``lock`` is the phone's; hold it to call any method. In a simulated time there is no thread:
    :meth:`pass_time` runs what is due.
    """

    def __init__(self, lock: threading.RLock, time: PhoneTime | None = None) -> None:
        self._time = time or PhoneTime()
        self._changed = threading.Condition(lock)
        self._timers: list[tuple[int, int, Callable[[], None]]] = []
        """Each with the ns at which it is due, and its number."""
        self._numbers = itertools.count()
        self._cancelled: set[int] = set()
        self._thread: threading.Thread | None = None
        self._closed = False

    def after(self, seconds: float, run: Callable[[], None]) -> int:
        """Call ``run`` once after ``seconds``; the returned number cancels it."""
        number = next(self._numbers)
        if self._closed:
            return number
        heapq.heappush(self._timers, (self._time.now_ns + round(seconds * 1e9), number, run))
        if self._time.is_simulated:
            return number
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="phone-ticker", daemon=True)
            self._thread.start()
        self._changed.notify_all()
        return number

    def cancel(self, number: int | None) -> None:
        if number is not None and any(timer[1] == number for timer in self._timers):
            self._cancelled.add(number)

    def catch_up(self) -> None:
        """Run what is due, when the thread had no time for it yet: what is read next is of now."""
        while self._timers and self._timers[0][0] <= self._time.now_ns:
            self._run_first()

    def pass_time(self, seconds: float) -> None:
        """Let a simulated time pass, and run each timer at its moment."""
        time = self._time
        assert isinstance(time, SimulatedTime)
        end = time.now_ns + round(seconds * 1e9)
        while self._timers and self._timers[0][0] <= end:
            time.pass_to(self._timers[0][0])
            self._run_first()
        time.pass_to(end)

    @property
    def seconds_to_next(self) -> float | None:
        """Until the next timer is due; None when there is none."""
        due = [at for at, number, _run in self._timers if number not in self._cancelled]
        return max(0, min(due) - self._time.now_ns) / 1e9 if due else None

    @property
    def busy(self) -> bool:
        return any(number not in self._cancelled for _due, number, _run in self._timers)

    def close(self) -> threading.Thread | None:
        """Drop all timers; the returned thread, if any, ends as soon as it gets the lock."""
        self._closed = True
        self._timers.clear()
        self._changed.notify_all()
        return self._thread

    def _run(self) -> None:
        with self._changed:
            while self._timers:
                due, number, _callable = self._timers[0]
                left = due - self._time.now_ns
                if left > 0 and number not in self._cancelled:
                    self._changed.wait(left / 1e9)
                    continue
                self._run_first()
            self._thread = None

    def _run_first(self) -> None:
        _due, number, run = heapq.heappop(self._timers)
        if number in self._cancelled:
            self._cancelled.discard(number)
            return
        try:
            run()
        except Exception:  # noqa: BLE001 - one broken timer must not stop the clock
            _log.exception("a timer of the virtual phone failed")
