"""Detect whether the picture changes, on a grid of points: cheap enough for every frame."""

from __future__ import annotations

import threading
import time

import cv2

from collector.device.frame import Frame
from collector.pictures.decoding import Pixels

_NOISE = 24
"""Difference of brightness that re-encoding the same picture may cause."""


class MotionDetector:
    """Compare each frame with the one before. One thread feeds it; any thread may read it."""

    def __init__(self) -> None:
        self._lock = threading.Condition()
        self._grid: Pixels | None = None
        self._woken = self._is_awaited = False
        self.changes = 0
        """Counts the frames that differ from the one before."""
        self.changed_ns = time.monotonic_ns()
        """``time.monotonic_ns()`` of the last change."""

    def note(self, frame: Frame) -> bool:
        """Feed a frame; return whether it shows a change, and end the wait for one if so."""
        grid, before = frame.grid(), self._grid
        self._grid = grid
        if before is not None and _are_alike(before, grid):
            return False
        with self._lock:
            self.changes += 1
            self.changed_ns = frame.received_ns
            if self._is_awaited:
                self._lock.notify_all()
        return True

    def wake(self) -> None:
        """End the present wait, or the next one."""
        with self._lock:
            self._woken = True
            self._lock.notify_all()

    def wait(self, seen: int, timeout: float | None) -> bool:
        """Wait for :meth:`wake` or the timeout, without one also for a change after the ``seen``-th.

        Who waits until the picture has rested gives a timeout and looks at ``changed_ns`` after it: a
        thread that woke for each of 60 frames a second would hold up the one that paints them. Returns
        whether it was woken.
        """
        with self._lock:
            self._is_awaited = timeout is None
            self._lock.wait_for(lambda: self._woken or (self._is_awaited and self.changes != seen), timeout)
            woken, self._woken, self._is_awaited = self._woken, False, False
            return woken


def _are_alike(before: Pixels, after: Pixels) -> bool:
    return before.shape == after.shape and int(cv2.absdiff(before, after).max(initial=0)) <= _NOISE
