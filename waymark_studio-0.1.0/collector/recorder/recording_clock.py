"""The clock of a recording: milliseconds since it began, which stand still during a pause."""

from __future__ import annotations

import time
from collections.abc import Callable

_RESTART_GAP_MS = 1000
Clock = Callable[[], int]
"""Gives monotonic nanoseconds, as frames and trees are stamped with."""


class RecordingClock:
    """Turns times of a monotonic clock into times of the recording."""

    def __init__(self, clock: Clock = time.monotonic_ns, resumed_after_ms: int | None = None) -> None:
        """``resumed_after_ms`` is the time of the last step of a recording that goes on."""
        self._clock = clock
        resumed_ms = 0 if resumed_after_ms is None else resumed_after_ms + _RESTART_GAP_MS
        self._began_ns = clock() - resumed_ms * 1_000_000
        self._paused_ns: int | None = None

    def now_ns(self) -> int:
        """The time of the monotonic clock."""
        return self._clock()

    def pause(self) -> None:
        """Stand still from now on."""
        self._paused_ns = self._clock()

    def resume(self) -> None:
        """Go on from where the clock stood."""
        if self._paused_ns is not None:
            self._began_ns += self._clock() - self._paused_ns
            self._paused_ns = None

    @property
    def elapsed_ms(self) -> int:
        """Time recorded so far, without pauses: the clock of the steps."""
        return self.t_ms(self._clock())

    def t_ms(self, time_ns: int) -> int:
        """Time of the recording at a time of the monotonic clock; never negative."""
        if self._paused_ns is not None:
            time_ns = min(time_ns, self._paused_ns)
        return max(0, (time_ns - self._began_ns) // 1_000_000)
