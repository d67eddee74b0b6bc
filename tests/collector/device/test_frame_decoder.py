"""F18: video that cannot be read is counted, and pictures come again from the next key frame on."""

from __future__ import annotations

from fractions import Fraction

import av
import numpy as np
import pytest

from collector.device.errors import CaptureFailed
from collector.device.frame import Frame
from collector.device.frame_decoder import FrameDecoder

GARBAGE = b"\x00\x00\x00\x01\x65" + bytes(range(256)) * 4


def units(count: int, gop: int, side: int = 64) -> list[bytes]:
    """Access units of a small moving picture, a key frame every ``gop``."""
    codec = av.CodecContext.create("libx264", "w")
    codec.width, codec.height, codec.pix_fmt, codec.time_base = side, side, "yuv420p", Fraction(1, 30)
    codec.gop_size = gop
    codec.options = {"tune": "zerolatency", "preset": "ultrafast"}
    packets: list[bytes] = []
    for number in range(count):
        picture = av.VideoFrame.from_ndarray(np.full((side, side, 3), number * 20, np.uint8), format="rgb24")
        picture.pts = number
        packets += [bytes(packet) for packet in codec.encode(picture)]
    return packets + [bytes(packet) for packet in codec.encode(None)]


def test_garbage_is_counted_and_the_next_key_frame_is_shown() -> None:
    frames: list[Frame] = []
    maker = FrameDecoder(frames.append)
    stream = units(8, gop=4)
    for unit in stream[:2]:
        maker.feed([(unit, None)], 0)
    assert len(frames) == 2
    for _number in range(3):
        maker.feed([(GARBAGE, None)], 0)
    assert maker.stats.broken == 3
    assert len(frames) == 2
    for unit in stream[4:]:
        maker.feed([(unit, None)], 0)
    assert len(frames) == 6
    assert frames[-1].size == frames[0].size


def test_a_video_over_the_limit_of_pictures_is_not_decoded() -> None:
    frames: list[Frame] = []
    maker = FrameDecoder(frames.append)
    maker.feed([(unit, None) for unit in units(1, gop=1, side=6016)], 0)
    assert (frames, maker.stats.broken > 0) == ([], True)


def test_a_stream_without_a_picture_is_given_up() -> None:
    maker = FrameDecoder(lambda _frame: None)
    endless = bytes([7]) * (32 << 20)
    assert maker.parse(endless) == maker.parse(endless) == []
    with pytest.raises(CaptureFailed, match="no pictures"):
        maker.parse(endless)
