"""Decode H.264 packets into frames, on the thread that reads them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable

import av
from av.error import FFmpegError

from collector.device.device_clock import DeviceClock
from collector.device.errors import CaptureFailed
from collector.device.frame import Frame
from collector.device.video_stats import VideoStats, smoothed
from collector.model.event_emitter import EventEmitter
from collector.model.geometry import Size
from collector.model.i18n import _
from collector.pictures.decoding import Pixels
from collector.pictures.encoded_picture import EncodedPicture, EncodedPictures
from collector.pictures.limits import MAX_BYTES, MAX_PIXELS


class FrameDecoder:
    """Decode without delay, in one thread, and scale the newest frame to the size on screen.

    The reading thread owns it; ``view`` may be set from any thread.
    """

    def __init__(self, on_frame: Callable[[Frame], None]) -> None:
        self._on_frame = on_frame
        self._codec: av.CodecContext | None = _decoder()
        self._unparsed = 0
        """Bytes since the last access unit."""
        self.encoded: EventEmitter[EncodedPicture] = EventEmitter()
        """Emits each picture as it arrived, before it is decoded."""
        self._marker, self._clock = EncodedPictures(), DeviceClock()
        self._sequence = 0
        self._scaled: Pixels | None = None
        self.view = Size(0, 0)
        """Size to scale frames to; empty for no scaling."""
        self.size = Size(0, 0)
        self.stats = VideoStats()

    def feed(self, units: Iterable[tuple[bytes, int | None]], received_ns: int) -> None:
        """Decode access units (bytes, presentation time in microseconds); deliver the newest frame."""
        codec = self._open_codec
        newest: tuple[av.VideoFrame, int | None] | None = None
        started = time.perf_counter()
        for data, pts_us in units:
            self._pass_on(data, pts_us, received_ns)
            try:
                pictures = codec.decode(av.Packet(data))
            except FFmpegError:
                # Decoding recovers at the next key frame.
                self.stats.broken += 1
                continue
            for picture in pictures:
                self.stats.skipped += newest is not None
                newest = (picture, pts_us)
        if newest is not None:
            self.stats.decode_ms = smoothed(self.stats.decode_ms, (time.perf_counter() - started) * 1e3)
            self._deliver(newest[0], newest[1], received_ns)

    def restart(self) -> None:
        """Reset the decoder for a new stream."""
        self._scaled, self._unparsed = None, 0
        self._codec, self._marker = _decoder(), EncodedPictures()

    def close(self) -> None:
        """Free the decoder and its pictures, 10 MB of a phone's video; nothing can be fed any more."""
        self._codec = self._scaled = None

    @property
    def _open_codec(self) -> av.CodecContext:
        assert self._codec is not None, "closed"
        return self._codec

    def parse(self, data: bytes) -> list[tuple[bytes, int | None]]:
        """Split a raw Annex B stream into access units; empty ``data`` flushes the last one.

        Raises CaptureFailed when a unit has no end: the parser keeps all of it in memory.
        """
        packets = self._open_codec.parse(data)
        self._unparsed = 0 if packets else self._unparsed + len(data)
        if self._unparsed > MAX_BYTES:
            raise CaptureFailed(_("The phone's video has no pictures"))
        return [(bytes(packet), None) for packet in packets]

    def _pass_on(self, data: bytes, pts_us: int | None, received_ns: int) -> None:
        time = None if pts_us is None else pts_us / 1e6
        self._clock.note(time, received_ns)
        picture = self._marker.picture(data, self._clock.here(time, received_ns))
        if picture is not None:
            self.encoded.emit(picture)

    def _deliver(self, picture: av.VideoFrame, pts_us: int | None, received_ns: int) -> None:
        self._sequence += 1
        frame = Frame(picture, sequence=self._sequence, received_ns=received_ns, pts_us=pts_us)
        self.size = frame.size
        view = self.view
        if not view.is_empty:
            started = time.perf_counter()
            before, self._scaled = self._scaled, frame.scaled_bgra(view)
            if before is not None and before.shape == self._scaled.shape:
                frame.compare_scaled(before, view)
            self.stats.scale_ms = smoothed(self.stats.scale_ms, (time.perf_counter() - started) * 1e3)
        self.stats.count()
        self._on_frame(frame)
        self.stats.latency_ms = smoothed(self.stats.latency_ms, (time.monotonic_ns() - received_ns) / 1e6)


def _decoder() -> av.CodecContext:
    codec = av.CodecContext.create("h264", "r")
    # Threads for frames would delay them; slices of one frame are decoded side by side where there are any.
    codec.thread_type, codec.thread_count = "SLICE", 2
    codec.options = {"flags": "low_delay", "max_pixels": str(MAX_PIXELS)}
    return codec
