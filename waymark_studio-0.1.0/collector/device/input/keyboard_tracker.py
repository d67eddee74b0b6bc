"""Track the frame of the soft keyboard whenever the picture changes, sooner than trees arrive."""

from __future__ import annotations

import logging
import threading

from collector.device.device_info import read_foreground
from collector.device.errors import CallCancelled, DeviceError
from collector.device.protocols import Device
from collector.device.video.motion_detector import MotionDetector
from collector.model.geometry import Rect

_EVERY = 0.15
_BETWEEN = 0.25
"""Pause between questions while the picture keeps moving, to spare the phone."""
_REST = 2.0
_JOIN = 5.0
_log = logging.getLogger(__name__)


class KeyboardTracker:
    """Track the keyboard on a thread of its own from ``start`` to ``close``."""

    def __init__(self, device: Device, motion: MotionDetector) -> None:
        self._device = device
        self._motion = motion
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._run, name="device keyboard", daemon=True)
        self.frame: Rect | None = None
        """Frame of the keyboard; None while it is hidden."""
        self.knows = False
        """Whether the phone has answered."""

    def start(self) -> None:
        self._thread.start()

    def hang_up(self) -> None:
        """Stop without waiting for the thread."""
        self._closed.set()

    def close(self) -> None:
        """Stop; waits for the thread."""
        self.hang_up()
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join(_JOIN)

    def _run(self) -> None:
        seen = -1
        while not self._closed.wait(_EVERY):
            changes = self._motion.changes
            if changes == seen:
                continue
            seen = changes
            try:
                self.frame = read_foreground(self._device, self._closed).keyboard
                self.knows = True
                self._closed.wait(_BETWEEN)
            except CallCancelled:
                return
            except DeviceError as error:
                _log.debug("the frame of the keyboard is not known: %s", error)
                seen, self.knows = -1, False
                self._closed.wait(_REST)
