"""Read the phone's screen once it has come to rest."""

from __future__ import annotations

import threading
import time

from collector.device.device_info import read_display
from collector.device.errors import CallCancelled
from collector.device.protocols import Device, TreeSource
from collector.judge.observed_screen import ObservedScreen
from collector.model.geometry import Size

SETTLE_S = 6.0
"""Longest wait for two equal readings in a row."""
_PAUSE_S = 0.1


class ScreenReader:
    """Reads the screen of one phone. Raises DeviceError, and CallCancelled once ``cancel`` is set."""

    def __init__(self, device: Device, trees: TreeSource, cancel: threading.Event) -> None:
        self._device, self._trees, self._cancel = device, trees, cancel
        self._size = Size(0, 0)
        self._rotation: int | None = None

    def look(self) -> ObservedScreen:
        """The screen once two readings in a row agree, or the last one when it never rests."""
        end = time.monotonic() + SETTLE_S
        screen = self.glance()
        while True:
            self.pause(_PAUSE_S)
            again = self.glance()
            if again.is_same(screen) or time.monotonic() > end:
                return again
            screen = again

    def glance(self) -> ObservedScreen:
        """The screen at this moment, at rest or not."""
        snapshot = self._trees.snapshot(self._cancel)
        rotation = snapshot.tree.rotation if snapshot.tree is not None else None
        if self._size.is_empty or rotation != self._rotation:
            self._size, self._rotation = read_display(self._device, self._cancel).size, rotation
        return ObservedScreen(snapshot, self._size)

    def pause(self, seconds: float) -> None:
        """Wait. Raises CallCancelled when cancelled before or meanwhile."""
        if self._cancel.wait(seconds):
            raise CallCancelled("replay")
