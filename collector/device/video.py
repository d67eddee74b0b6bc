"""H.264 packets to frames, on the thread that reads them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import av
from av.error import FFmpegError

from collector.device.frame import Frame
from collector.model.geometry import Size


@dataclass(slots=True)
class VideoStats:
    """What the mirror costs. Milliseconds are smoothed over the last frames."""

    frames: int = 0
    fps: float = 0.0
    decode_ms: float = 0.0
    scale_ms: float = 0.0
    latency_ms: float = 0.0
    """From the last byte of a packet until its picture was handed on."""
    skipped: int = 0
    """Decoded but replaced by a newer one of the same batch."""
    broken: int = 0
    """Packets the decoder could not read."""


class FrameMaker:
    """Decodes at once, one thread, no frame held back; scales the newest to the size on screen.

    Owned by the reading thread; ``view`` may be set from any.
    """

    def __init__(self, on_frame: Callable[[Frame], None]) -> None:
        self._on_frame = on_frame
        self._codec = _decoder()
        self._sequence = 0
        self._second: list[float] = []
        self.view = Size(0, 0)
        """Prepare frames for this size; nothing when it is empty."""
        self.size = Size(0, 0)
        self.stats = VideoStats()

    def feed(self, units: Iterable[tuple[bytes, int | None]], received_ns: int) -> None:
        """Decode access units (bytes, presentation time in microseconds); hand on the newest picture."""
        newest: tuple[av.VideoFrame, int | None] | None = None
        started = time.perf_counter()
        for data, pts_us in units:
            try:
                pictures = self._codec.decode(av.Packet(data))
            except FFmpegError:
                # What follows is readable again from the next key frame on.
                self.stats.broken += 1
                continue
            for picture in pictures:
                self.stats.skipped += newest is not None
                newest = (picture, pts_us)
        if newest is not None:
            self.stats.decode_ms = _smoothed(self.stats.decode_ms, (time.perf_counter() - started) * 1e3)
            self._hand_on(newest[0], newest[1], received_ns)

    def parse(self, data: bytes) -> list[tuple[bytes, int | None]]:
        """Cut a raw Annex B stream into access units."""
        return [(bytes(packet), None) for packet in self._codec.parse(data)]

    def _hand_on(self, picture: av.VideoFrame, pts_us: int | None, received_ns: int) -> None:
        self._sequence += 1
        frame = Frame(picture, sequence=self._sequence, received_ns=received_ns, pts_us=pts_us)
        self.size = frame.size
        if not self.view.is_empty:
            started = time.perf_counter()
            frame.scaled_bgra(self.view)
            self.stats.scale_ms = _smoothed(self.stats.scale_ms, (time.perf_counter() - started) * 1e3)
        self._count()
        self._on_frame(frame)
        self.stats.latency_ms = _smoothed(self.stats.latency_ms, (time.monotonic_ns() - received_ns) / 1e6)

    def _count(self) -> None:
        now = time.monotonic()
        self._second = [when for when in self._second if now - when < 1.0]
        self._second.append(now)
        self.stats.frames += 1
        self.stats.fps = float(len(self._second))


def _smoothed(before: float, spent: float) -> float:
    return before * 0.9 + spent * 0.1 if before else spent


def _decoder() -> av.CodecContext:
    codec = av.CodecContext.create("h264", "r")
    # Threads by frame would hold pictures back.
    codec.thread_count = 1
    codec.options = {"flags": "low_delay"}
    return codec
