"""Detect whether the picture changes, on a grid of points: cheap enough for every frame."""

from __future__ import annotations

import threading
import time

import cv2

from collector.device.frame import Frame, Pixels

_NOISE = 24
"""Difference of brightness that re-encoding the same picture may cause."""


class MotionDetector:
    """Compare each frame with the one before. One thread feeds it; any thread may read it."""

    def __init__(self) -> None:
        self._lock = threading.Condition()
        self._grid: Pixels | None = None
        self._woken = False
        self.changes = 0
        """Counts the frames that differ from the one before."""
        self.changed_ns = time.monotonic_ns()
        """``time.monotonic_ns()`` of the last change."""

    def note(self, frame: Frame) -> bool:
        """Feed a frame; return whether it shows a change, and end all waits if so."""
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
        """End the present wait, or the next one."""
        with self._lock:
            self._woken = True
            self._lock.notify_all()

    def wait(self, seen: int, timeout: float | None) -> bool:
        """Wait for a change after the ``seen``-th, for :meth:`wake` or the timeout; return whether woken."""
        with self._lock:
            self._lock.wait_for(lambda: self._woken or self.changes != seen, timeout)
            woken, self._woken = self._woken, False
            return woken


def _are_alike(before: Pixels, after: Pixels) -> bool:
    return before.shape == after.shape and int(cv2.absdiff(before, after).max(initial=0)) <= _NOISE
