"""H.264 packets to frames, on the thread that reads them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable

import av
from av.error import FFmpegError

from collector.device.frame import Frame
from collector.device.video_stats import VideoStats, smoothed
from collector.model.geometry import Size


class FrameDecoder:
    """Decodes at once, one thread, no frame held back; scales the newest to the size on screen.

    Owned by the reading thread; ``view`` may be set from any.
    """

    def __init__(self, on_frame: Callable[[Frame], None]) -> None:
        self._on_frame = on_frame
        self._codec = _decoder()
        self._sequence = 0
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
            self.stats.decode_ms = smoothed(self.stats.decode_ms, (time.perf_counter() - started) * 1e3)
            self._hand_on(newest[0], newest[1], received_ns)

    def restart(self) -> None:
        """Forget the stream: what comes next begins another."""
        self._codec = _decoder()

    def parse(self, data: bytes) -> list[tuple[bytes, int | None]]:
        """Cut a raw Annex B stream into access units; no data at all gives out the last one."""
        return [(bytes(packet), None) for packet in self._codec.parse(data)]

    def _hand_on(self, picture: av.VideoFrame, pts_us: int | None, received_ns: int) -> None:
        self._sequence += 1
        frame = Frame(picture, sequence=self._sequence, received_ns=received_ns, pts_us=pts_us)
        self.size = frame.size
        if not self.view.is_empty:
            started = time.perf_counter()
            frame.scaled_bgra(self.view)
            self.stats.scale_ms = smoothed(self.stats.scale_ms, (time.perf_counter() - started) * 1e3)
        self.stats.count()
        self._on_frame(frame)
        self.stats.latency_ms = smoothed(self.stats.latency_ms, (time.monotonic_ns() - received_ns) / 1e6)


def _decoder() -> av.CodecContext:
    codec = av.CodecContext.create("h264", "r")
    # Threads by frame would hold pictures back.
    codec.thread_count = 1
    codec.options = {"flags": "low_delay"}
    return codec
