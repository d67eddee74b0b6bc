"""Encode H.264 as a phone's encoder does: Annex B, separate configuration, no frame held back."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import av

from collector.model.geometry import Size

MICROSECOND = Fraction(1, 1_000_000)
_NAL_SEI, _NAL_SPS, _NAL_PPS = 6, 7, 8
_START = b"\0\0\0\1"
_KEY_INTERVAL_FRAMES = 600
_DEFAULT_BIT_RATE = 8_000_000
"""Defaults of the scrcpy client."""
_SLICES = 2
"""Each further one costs memory and bytes, and a computer of two cores gains nothing."""


@dataclass(frozen=True, slots=True)
class Encoded:
    """One encoded frame; ``config`` is SPS and PPS, only with the first frame of an encoder."""

    data: bytes
    pts_us: int
    key: bool
    config: bytes = b""


class H264Encoder:
    """One encoding session at one size. Not thread-safe."""

    def __init__(self, size: Size, bit_rate: int) -> None:
        self.size = size
        quality, ceiling = _quality(bit_rate)
        parameters = f"keyint={_KEY_INTERVAL_FRAMES}:scenecut=0:annexb=1:colormatrix=smpte170m{ceiling}"
        context = av.CodecContext.create("libx264", "w")
        context.width, context.height, context.pix_fmt = size.width, size.height, "yuv420p"
        context.time_base = MICROSECOND
        context.framerate = Fraction(60)
        # Slices of one frame, not frames: two threads take half the time and hold no frame back.
        context.thread_type, context.thread_count = "SLICE", _SLICES
        context.options = {
            "preset": "ultrafast",
            "tune": "zerolatency",
            "profile": "baseline",
            **quality,
            "x264-params": parameters,
        }
        self._context = context
        self._last_pts = -1
        self._started = False

    def encode(self, frame: av.VideoFrame, pts_us: int) -> Encoded:
        """Encode an I420 ``frame`` now; advance the timestamp when it does not increase."""
        frame.pts = self._last_pts = max(pts_us, self._last_pts + 1)
        frame.time_base = MICROSECOND
        packets = self._context.encode(frame)
        data = b"".join(bytes(packet) for packet in packets)
        key = any(packet.is_keyframe for packet in packets)
        if not key:
            return Encoded(data, self._last_pts, key=False)
        config, picture = _split_config(data)
        first, self._started = not self._started, True
        return Encoded(picture, self._last_pts, key=True, config=config if first else b"")


def _quality(bit_rate: int) -> tuple[dict[str, str], str]:
    """Options of the encoder and of x264: text stays sharp, and a still screen costs nothing.

    To hold a bit rate, x264 analyses each frame twice and keeps a small copy of each; a client that did
    not ask for less than the default gets constant quality instead.
    """
    if bit_rate >= _DEFAULT_BIT_RATE:
        return {"qp": "22"}, ""
    kilobits = max(100, bit_rate // 1000)
    return {"crf": "22"}, f":vbv-maxrate={kilobits}:vbv-bufsize={kilobits}"


def _split_config(data: bytes) -> tuple[bytes, bytes]:
    """Split off SPS and PPS, and drop the encoder's advertisement in its SEI."""
    config, picture = [], []
    for unit in _units(data):
        kind = unit[0] & 0x1F
        if kind in (_NAL_SPS, _NAL_PPS):
            config.append(_START + unit)
        elif kind != _NAL_SEI:
            picture.append(_START + unit)
    return b"".join(config), b"".join(picture)


def _units(data: bytes) -> list[bytes]:
    parts = data.split(b"\0\0\1")
    return [part.rstrip(b"\0") if index < len(parts) - 1 else part
            for index, part in enumerate(parts[1:], 1) if part]  # fmt: skip
