"""Frames convert on demand, the mailbox keeps the newest alone."""

import io
import threading
from concurrent.futures import ThreadPoolExecutor, wait

import av
import cv2
import numpy as np
import pytest
from PIL import Image

from collector.device.frame import Frame
from collector.device.mailbox import Mailbox
from collector.model.geometry import Size


def picture(width: int = 108, height: int = 240) -> np.ndarray:
    rgb = np.zeros((height, width, 3), np.uint8)
    rgb[: height // 2] = (200, 60, 20)
    rgb[height // 2 :] = (10, 120, 220)
    return rgb


def video_frame(rgb: np.ndarray) -> av.VideoFrame:
    return av.VideoFrame.from_ndarray(rgb, format="rgb24").reformat(format="yuv420p")


@pytest.mark.parametrize("planar", [False, True])
@pytest.mark.parametrize("size", [Size(108, 240), Size(54, 120), Size(41, 91), Size(216, 480)])
def test_scales_to_exactly_the_size_asked_for_in_the_right_colours(planar: bool, size: Size):
    rgb = picture()
    frame = Frame(video_frame(rgb) if planar else rgb, sequence=1, received_ns=5)
    scaled = frame.scaled_bgra(size)
    assert scaled.shape == (size.height, size.width, 4)
    assert scaled.strides[1:] == (4, 1)
    top, bottom = scaled[size.height // 4, size.width // 2], scaled[-size.height // 4, size.width // 2]
    assert np.abs(top[:3].astype(int) - (20, 60, 200)).max() < 12
    assert np.abs(bottom[:3].astype(int) - (220, 120, 10)).max() < 12
    assert frame.scaled_bgra(size) is scaled, "the second asking is free"


def test_a_shrunk_page_of_text_is_as_clear_as_one_averaged_pixel_by_pixel():
    page = np.full((960, 432, 3), 250, np.uint8)
    for line in range(30):
        cv2.putText(
            page,
            f"Buy {line} red apples",
            (8, 30 * line + 26),
            cv2.FONT_HERSHEY_SIMPLEX,
            0.8,
            (20, 20, 40),
            2,
        )
    frame = Frame(video_frame(page), sequence=1, received_ns=0)
    averaged = cv2.resize(page, (171, 379), interpolation=cv2.INTER_AREA)
    error = frame.scaled_bgra(Size(171, 379))[..., 2::-1].astype(float) - averaged
    assert 10 * np.log10(255**2 / np.mean(error**2)) > 30


def test_no_column_of_a_shrunk_picture_is_left_as_it_was_in_memory():
    grey = video_frame(np.full((800, 360, 3), 200, np.uint8))
    for width in range(144, 178):
        for height in (320, 321):
            shown = Frame(grey, sequence=1, received_ns=5).scaled_bgra(Size(width, height))
            assert shown.shape == (height, width, 4)
            assert np.abs(shown[:, :, :3].astype(int) - 200).max() <= 2, (width, height)


def test_a_frame_knows_which_of_its_scaled_rows_differ_from_the_frame_before():
    size = Size(54, 120)

    def compared(before: np.ndarray, after: np.ndarray) -> Frame:
        frame = Frame(after, sequence=2, received_ns=0)
        frame.compare_scaled(Frame(before, sequence=1, received_ns=0).scaled_bgra(size), size)
        return frame

    touched = picture()
    touched[140:150] = 255
    rows = compared(picture(), touched).changed_rows(size)
    assert rows.start <= 70
    assert rows.stop >= 75
    assert len(rows) <= 64
    assert len(compared(picture(), picture()).changed_rows(size)) == 0
    assert compared(picture(), 255 - picture()).changed_rows(size) == range(120)
    assert compared(picture(), touched).changed_rows(Size(108, 240)) is None, "not compared at this size"


@pytest.mark.parametrize("planar", [False, True])
def test_png_and_rgb_keep_the_full_size(planar: bool):
    frame = Frame(video_frame(picture()) if planar else picture(), sequence=1, received_ns=5, pts_us=9)
    assert frame.size == Size(108, 240)
    assert frame.rgb().shape == (240, 108, 3)
    assert Image.open(io.BytesIO(frame.png())).size == (108, 240)


@pytest.mark.parametrize("planar", [False, True])
def test_black_is_told_from_dark(planar: bool):
    black, dark = np.zeros((64, 64, 3), np.uint8), np.full((64, 64, 3), 24, np.uint8)
    frames = [Frame(video_frame(rgb) if planar else rgb, sequence=1, received_ns=0) for rgb in (black, dark)]
    assert [frame.looks_black for frame in frames] == [True, False]


def test_mailbox_keeps_the_newest_and_says_when_it_was_empty():
    box: Mailbox[int] = Mailbox()
    assert box.put(1) is True
    assert box.put(2) is False
    assert (box.take(), box.take(), box.dropped) == (2, None, 1)


def test_mailbox_wakes_its_reader_and_close_lets_it_go():
    box: Mailbox[int] = Mailbox()
    seen: list[int | None] = []
    got_first = threading.Event()

    def read() -> None:
        seen.append(box.wait(10))
        got_first.set()
        seen.append(box.wait(10))

    reader = threading.Thread(target=read)
    reader.start()
    box.put(7)
    assert got_first.wait(10)
    box.close()
    reader.join(10)
    assert seen == [7, None]


class OneAtATime:
    """A decoded picture, whose converter bears one thread."""

    width = height = 2

    def __init__(self) -> None:
        self._inside = threading.Lock()
        self.entered = threading.Event()
        self.may_leave = threading.Event()

    def to_ndarray(self, format: str) -> np.ndarray:  # noqa: A002 - PyAV's name
        assert format == "rgb24"
        assert self._inside.acquire(blocking=False), "two threads are in the converter"
        self.entered.set()
        assert self.may_leave.wait(10)
        self._inside.release()
        return np.zeros((2, 2, 3), np.uint8)


def test_two_threads_ask_for_the_pixels_of_one_frame_one_after_the_other():
    pixels = OneAtATime()
    frame = Frame(pixels, sequence=1, received_ns=0)
    with ThreadPoolExecutor(2) as threads:
        first = threads.submit(frame.rgb)
        assert pixels.entered.wait(10)
        second = threads.submit(frame.rgb)
        assert not wait([second], 0.1).done, "it went in, too"
        pixels.may_leave.set()
        assert first.result(10).shape == second.result(10).shape == (2, 2, 3)
