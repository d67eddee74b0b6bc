"""Small H.264 videos."""

from __future__ import annotations

import io
from collections.abc import Sequence
from fractions import Fraction

import av
import numpy as np

from collector.model.geometry import Size

SMALL = Size(64, 64)


def access_units(count: int, gop: int = 4, size: Size = SMALL) -> list[bytes]:
    """Access units of a picture that becomes brighter, a key frame every ``gop``; sides are even."""
    codec = av.CodecContext.create("libx264", "w")
    codec.width, codec.height, codec.pix_fmt = size.width, size.height, "yuv420p"
    codec.time_base = Fraction(1, 30)
    codec.gop_size = gop
    codec.options = {"tune": "zerolatency", "preset": "ultrafast"}
    packets: list[bytes] = []
    for number in range(count):
        pixels = np.full((size.height, size.width, 3), number * 20 % 256, np.uint8)
        picture = av.VideoFrame.from_ndarray(pixels, format="rgb24")
        picture.pts = number
        packets += [bytes(packet) for packet in codec.encode(picture)]
    return packets + [bytes(packet) for packet in codec.encode(None)]


def video(seconds: Sequence[float], size: Size = SMALL, kind: str = "mp4") -> bytes:
    """A video of a screen that changes its colour at each of ``seconds``, as a file."""
    data = io.BytesIO()
    with av.open(data, "w", format=kind) as container:
        stream = container.add_stream("libx264", rate=30, options={"preset": "ultrafast", "bf": "0"})
        stream.width, stream.height, stream.pix_fmt = size.width, size.height, "yuv420p"
        stream.codec_context.time_base = Fraction(1, 1000)
        for number, second in enumerate(seconds):
            pixels = np.full((size.height, size.width, 3), 40 + number * 60 % 200, np.uint8)
            picture = av.VideoFrame.from_ndarray(pixels, format="rgb24")
            picture.pts, picture.time_base = round(second * 1000), Fraction(1, 1000)
            container.mux(stream.encode(picture))
        container.mux(stream.encode())
    return data.getvalue()
