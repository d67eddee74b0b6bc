"""Whether the picture moves: compared on a grid of points, cheap enough for every frame."""

from __future__ import annotations

import threading
import time

import cv2

from collector.device.frame import Frame, Pixels

_NOISE = 24
"""Steps of brightness that coding the same picture again may cost."""


class MotionDetector:
    """Fed with every frame by one thread; asked by any."""

    def __init__(self) -> None:
        self._lock = threading.Condition()
        self._grid: Pixels | None = None
        self._woken = False
        self.changes = 0
        """Grows with every picture that is not the one before."""
        self.changed_ns = time.monotonic_ns()
        """When the last change was received."""

    def note(self, frame: Frame) -> bool:
        """Whether the frame shows something new; wakes whoever waits."""
        grid, before = frame.grid(), self._grid
        self._grid = grid
        if before is not None and _are_alike(before, grid):
            return False
        with self._lock:
            self.changes += 1
            self.changed_ns = frame.received_ns
            self._lock.notify_all()
        return True

    def wake(self) -> None:
        """Wake whoever waits, now or next."""
        with self._lock:
            self._woken = True
            self._lock.notify_all()

    def wait(self, seen: int, timeout: float | None) -> bool:
        """Wait for a change after the ``seen``-th, for :meth:`wake`, or for the time; True when woken."""
        with self._lock:
            self._lock.wait_for(lambda: self._woken or self.changes != seen, timeout)
            woken, self._woken = self._woken, False
            return woken


def _are_alike(one: Pixels, other: Pixels) -> bool:
    return one.shape == other.shape and int(cv2.absdiff(one, other).max(initial=0)) <= _NOISE
