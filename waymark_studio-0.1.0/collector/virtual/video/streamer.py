"""Encode frames to packets: on change, and once more when the screen settles; never queued.

Three threads keep the stages apart: the phone draws, ``run`` converts and encodes, and a
sender writes. A slow client stops the encoder, not the phone: what was drawn meanwhile is
skipped before it costs anything.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from typing import Protocol

import av

from collector.model.geometry import Size
from collector.virtual.video.encoder import Encoded, H264Encoder
from collector.virtual.video.screen import ScreenPixels, Shape, WatchedScreen

REPEAT_AFTER = 0.1
"""A phone's encoder repeats the last frame once after this many seconds without a change."""
TOP_FPS = 60.0
_QUEUED_PACKETS = 2
_POLL = 0.1


class PacketSink(Protocol):
    """Frames packets for the client."""

    def session(self, size: Size) -> bytes:
        """The bytes that announce another frame size; may be empty."""

    def packets(self, encoded: Encoded) -> bytes:
        """The bytes of a frame, its configuration first."""


class VideoStreamer:
    """Run until ``stop``, or until ``write`` raises OSError because the client disconnected."""

    def __init__(
        self,
        screen: WatchedScreen,
        sink: PacketSink,
        write: Callable[[bytes], None],
        *,
        bit_rate: int,
        shape: Shape,
        max_fps: float = 0.0,
    ) -> None:
        self._screen = screen
        self._sink = sink
        self._write = write
        self._bit_rate = bit_rate
        self._shape = shape
        self._interval = 1.0 / min(max_fps or TOP_FPS, TOP_FPS)
        self._outgoing: queue.Queue[bytes] = queue.Queue(_QUEUED_PACKETS)
        self._stopped = threading.Event()
        self._reset = threading.Event()
        self._encoder: H264Encoder | None = None
        self._frame: av.VideoFrame | None = None
        self._generation = 0
        self._due = 0.0
        self.size = Size(0, 0)
        """Size of the current video frames; touches refer to it."""
        self.screen_size = Size(0, 0)
        """Size of the screen in those frames."""
        self.count = 0
        """Number of encoded frames."""

    def stop(self) -> None:
        self._stopped.set()

    def wait(self) -> None:
        """Block until stopped, for clients that want no video."""
        self._stopped.wait()

    def reset(self) -> None:
        """Start a new session soon, with its configuration and a key frame."""
        self._reset.set()

    def prepare(self) -> Size:
        """Return the size of the first session."""
        self.screen_size = self._screen.size
        self.size = self._shape.size(self.screen_size)
        return self.size

    def run(self) -> None:
        """Stream on this thread until stopped; at least one frame."""
        sender = threading.Thread(target=self._send, name="video sender", daemon=True)
        sender.start()
        try:
            newer = self._screen.look(self._generation, 0.0, self._convert)
            while True:
                self._emit()
                newer = self._wait(once=newer)
                if self._stopped.is_set():
                    return
        finally:
            self._stopped.set()
            sender.join(5)
            # Tens of megabytes: whoever still holds this object must not keep them.
            self._encoder = self._frame = None
            self._shape.release()

    def _wait(self, *, once: bool) -> bool:
        """Take the next frame; False when the last one is to be repeated."""
        while not self._stopped.is_set():
            self._stopped.wait(max(0.0, self._due - time.monotonic()))
            if self._screen.look(self._generation, REPEAT_AFTER if once else _POLL, self._convert):
                return True
            if once or self._reset.is_set():
                return False
        return False

    def _convert(self, picture: ScreenPixels) -> None:
        """Convert ``picture`` to the current frame; the picture itself is not kept."""
        size = self._shape.size(picture.size)
        if self._encoder is None or self._encoder.size != size:
            self._reset.set()
        self.screen_size, self.size = picture.size, size
        self._generation = picture.generation
        self._frame = None  # its memory is free for the next one
        self._frame = self._shape.frame(picture, size)

    def _emit(self) -> None:
        assert self._frame is not None
        encoder = self._encoder
        announce = b""
        if encoder is None or self._reset.is_set():
            self._reset.clear()
            encoder = self._encoder = H264Encoder(self.size, self._bit_rate)
            announce = self._sink.session(self.size)
        # A fixed frame rate, independent of the drawing time.
        now = time.monotonic()
        self._due = min(max(self._due, now - self._interval) + self._interval, now + self._interval)
        encoded = encoder.encode(self._frame, time.monotonic_ns() // 1000)
        self.count += 1
        data = announce + self._sink.packets(encoded)
        if data:
            self._queue(data)

    def _queue(self, data: bytes) -> None:
        while not self._stopped.is_set():
            try:
                self._outgoing.put(data, timeout=_POLL)
            except queue.Full:
                continue
            return

    def _send(self) -> None:
        """Write until stopped, including frames queued by then."""
        while True:
            try:
                data = self._outgoing.get(timeout=_POLL)
            except queue.Empty:
                if self._stopped.is_set():
                    return
                continue
            try:
                self._write(data)
            except OSError:
                self._stopped.set()
                return
