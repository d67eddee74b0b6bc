"""A film of the screen as a WebM file of the computer."""

from __future__ import annotations

import threading
from fractions import Fraction
from pathlib import Path

import av
import numpy as np

from collector.virtual.system.phone import Phone

_CODEC = "libvpx"
_JOIN_SECONDS = 20


class WebmRecorder:
    """Records from its creation until :meth:`stop` or the time limit. Raises OSError for a bad file."""

    def __init__(
        self, phone: Phone, path: Path, size: tuple[int, int] | None, fps: int, bit_rate: int, seconds: int
    ) -> None:
        path.touch()
        self._phone, self._fps, self._seconds = phone, fps, seconds
        self._container = av.open(str(path), "w", format="webm")
        self._stream = self._container.add_stream(_CODEC, rate=fps)
        width, height = size or (phone.size.width, phone.size.height)
        self._stream.width, self._stream.height = width - width % 2, height - height % 2
        self._stream.pix_fmt, self._stream.bit_rate = "yuv420p", bit_rate
        self._stream.options = {"deadline": "realtime", "cpu-used": "8"}
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._record, name="emulator screenrecord", daemon=True)
        self._thread.start()

    @property
    def is_running(self) -> bool:
        return self._thread.is_alive()

    def stop(self) -> None:
        """End the film; the file is complete afterwards."""
        self._ended.set()
        self._thread.join(_JOIN_SECONDS)

    def _record(self) -> None:
        for number in range(self._seconds * self._fps):
            pixels = np.ascontiguousarray(self._phone.capture().rgba)
            frame = av.VideoFrame.from_ndarray(pixels, format="rgba").reformat(
                self._stream.width, self._stream.height, format="yuv420p"
            )
            frame.pts, frame.time_base = number, Fraction(1, self._fps)
            self._container.mux(self._stream.encode(frame))
            if self._ended.wait(1 / self._fps):
                break
        self._container.mux(self._stream.encode(None))
        self._container.close()
