"""F18: video that cannot be read is counted, and pictures come again from the next key frame on."""

from __future__ import annotations

import pytest

from collector.device.errors import CaptureFailed
from collector.device.frame import Frame
from collector.device.video.frame_decoder import FrameDecoder
from collector.model.geometry import Size
from tests.helpers.h264 import access_units

GARBAGE = b"\x00\x00\x00\x01\x65" + bytes(range(256)) * 4


@pytest.mark.fault("F18")
def test_garbage_is_counted_and_the_next_key_frame_is_shown() -> None:
    frames: list[Frame] = []
    maker = FrameDecoder(frames.append)
    stream = access_units(8, gop=4)
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
    maker.feed([(unit, None) for unit in access_units(1, gop=1, size=Size(6016, 6016))], 0)
    assert (frames, maker.stats.broken > 0) == ([], True)


def test_a_stream_without_a_picture_is_given_up() -> None:
    maker = FrameDecoder(lambda _frame: None)
    endless = bytes([7]) * (32 << 20)
    assert maker.parse(endless) == maker.parse(endless) == []
    with pytest.raises(CaptureFailed, match="no pictures"):
        maker.parse(endless)
