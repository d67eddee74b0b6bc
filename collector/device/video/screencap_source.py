"""The frame source that works on every phone: repeated screenshots."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from collector.device.errors import CallCancelled, DeviceError
from collector.device.frame import Frame, ScreenshotFrame
from collector.device.protocols import Cancel, Device
from collector.device.video_stats import VideoStats, smoothed
from collector.model.geometry import Size

_PAUSE = 0.2
_TRIES = 3
_JOIN = 5.0
_WARNING, _PNG = b"[Warning]", b"\x89PNG\r\n"
"""Phones with several displays print a warning first, in the same stream."""


def take_screenshot(device: Device, cancel: Cancel, sequence: int = 1) -> Frame:
    """Take one screenshot; raises UnreadableScreenshot when the answer is no picture that can be decoded."""
    png = device.exec_out(("screencap", "-p"), cancel=cancel)
    if png.startswith(_WARNING):
        png = png[max(0, png.find(_PNG)) :]
    return ScreenshotFrame(png, sequence=sequence, received_ns=time.monotonic_ns())


class ScreencapSource:
    """Implement FrameSource by polling ``screencap -p``; a failure is retried before it is reported."""

    name = "screencap"

    def __init__(self, device: Device) -> None:
        self._device = device
        self._closed = threading.Event()
        self._view = Size(0, 0)
        self._thread: threading.Thread | None = None
        self.stats = VideoStats()
        self.size = Size(0, 0)

    def start(self, on_frame: Callable[[Frame], None], on_failure: Callable[[Exception], None]) -> None:
        on_frame(self._shot(1))
        thread = threading.Thread(
            target=self._poll, args=(on_frame, on_failure), name="screencap", daemon=True
        )
        thread.start()
        self._thread = thread

    def set_view_size(self, size: Size) -> None:
        self._view = size

    def close(self) -> None:
        self._closed.set()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(_JOIN)

    def _poll(self, on_frame: Callable[[Frame], None], on_failure: Callable[[Exception], None]) -> None:
        sequence, failures = 1, 0
        while not self._closed.wait(_PAUSE):
            sequence += 1
            try:
                on_frame(self._shot(sequence))
                failures = 0
            except CallCancelled:
                return
            except DeviceError as error:
                failures += 1
                if failures >= _TRIES:
                    on_failure(error)
                    return

    def _shot(self, sequence: int) -> Frame:
        started = time.perf_counter()
        frame = take_screenshot(self._device, self._closed, sequence)
        received = frame.received_ns
        frame.rgb()  # decoded here, where a failure is counted, and not where the frame is painted
        self.size = frame.size
        if not self._view.is_empty:
            frame.scaled_bgra(self._view)
        self.stats.count()
        self.stats.decode_ms = smoothed(self.stats.decode_ms, (time.perf_counter() - started) * 1e3)
        self.stats.latency_ms = smoothed(self.stats.latency_ms, (time.monotonic_ns() - received) / 1e6)
        return frame
