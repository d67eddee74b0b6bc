"""Crop, orientation and angle of a video: where a mark appears, and where a touch on it lands."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest

from collector.adb.scrcpy.capture import parse_capture_orientation, parse_crop, parse_locked_orientation
from collector.adb.scrcpy.options import ServerOptions
from collector.adb.scrcpy.version import ScrcpyVersion
from collector.model.geometry import Point, Rect, Size
from collector.virtual.video.filtered_screen import CropError, Filtered
from collector.virtual.video.video_size import video_size, video_sizing

V27, V334, V41 = (ScrcpyVersion.parse(text) for text in ("2.7", "3.3.4", "4.1"))
MODERN = ServerOptions(V334)
PORTRAIT, LANDSCAPE = Size(160, 320), Size(320, 160)
MARK = Point(36, 44)


@dataclass
class Screenshot:
    """A black screen with a white square around ``MARK``."""

    size: Size
    generation: int = 1
    secure: bool = False
    since: int = 0
    changed: Rect | None = None

    @property
    def rgba(self) -> np.ndarray:
        pixels = np.zeros((self.size.height, self.size.width, 4), np.uint8)
        pixels[MARK.y - 8 : MARK.y + 8, MARK.x - 8 : MARK.x + 8] = 255
        return pixels


def shown(options: ServerOptions, rotation: int = 0) -> tuple[Size, Point, Point]:
    """The size of the video, the centre of the mark in it, and where a touch on it lands."""
    screen = LANDSCAPE if rotation % 2 else PORTRAIT
    shape = Filtered(options, video_sizing(options.version, options.max_size), lambda: rotation)
    size = shape.size(screen)
    brightness = shape.frame(Screenshot(screen), size).to_ndarray()[: size.height, : size.width]
    rows, columns = np.nonzero(brightness > 128)
    centre = Point(round(float(columns.mean())), round(float(rows.mean())))
    return size, centre, shape.on_screen(centre, size, screen)


@pytest.mark.parametrize(
    ("orientation", "size", "place"),
    [
        ("0", PORTRAIT, (36, 44)),
        ("90", LANDSCAPE, (276, 36)),
        ("180", PORTRAIT, (124, 276)),
        ("270", LANDSCAPE, (44, 124)),
        ("flip0", PORTRAIT, (124, 44)),
        ("flip90", LANDSCAPE, (276, 124)),
        ("flip180", PORTRAIT, (36, 276)),
        ("flip270", LANDSCAPE, (44, 36)),
    ],
)
def test_the_video_is_flipped_then_turned_clockwise(orientation, size, place):
    video, centre, touched = shown(replace(MODERN, orientation=parse_capture_orientation(orientation)))
    assert video == size
    assert abs(centre.x - place[0]) <= 1
    assert abs(centre.y - place[1]) <= 1
    assert touched.distance_to(MARK) < 3


@pytest.mark.parametrize(
    ("options", "rotation", "size"),
    [
        # Locked to the natural orientation, whichever way the phone is held.
        *(
            (replace(MODERN, orientation=parse_capture_orientation("@0")), turn, PORTRAIT)
            for turn in range(4)
        ),
        # Locked to the orientation at the start.
        (replace(MODERN, orientation=parse_capture_orientation("@")), 1, LANDSCAPE),
        (replace(MODERN, orientation=parse_capture_orientation("@flip90")), 3, LANDSCAPE),
        (ServerOptions(V27, orientation=parse_locked_orientation("1")), 0, LANDSCAPE),
        (ServerOptions(V27, orientation=parse_locked_orientation("-2")), 1, LANDSCAPE),
        (replace(MODERN, crop=parse_crop("96:80:16:32")), 0, Size(96, 80)),
        (replace(MODERN, crop=parse_crop("80:96:8:16")), 1, Size(96, 80)),
        (replace(MODERN, crop=parse_crop("96:80:16:32"), max_size=64), 0, Size(64, 56)),
        (replace(MODERN, angle=30.0), 0, PORTRAIT),
        (replace(MODERN, angle=20.0, orientation=parse_capture_orientation("90")), 0, LANDSCAPE),
    ],
)
def test_a_touch_on_what_is_shown_lands_there(options, rotation, size):
    video, _centre, touched = shown(options, rotation)
    assert video == size
    assert touched.distance_to(MARK) < 3


def test_an_angle_turns_clockwise_and_leaves_black_corners():
    _size, straight, _touched = shown(replace(MODERN, angle=360.0))
    _size, turned, _touched = shown(replace(MODERN, angle=10.0))
    assert straight == shown(MODERN)[1]
    assert turned.x > straight.x, "what is above the centre goes right"


def test_a_locked_orientation_at_the_start_is_kept_when_the_screen_turns():
    rotation = 0
    shape = Filtered(
        replace(MODERN, orientation=parse_capture_orientation("@")), video_size, lambda: rotation
    )
    assert shape.size(PORTRAIT) == PORTRAIT
    rotation = 1
    assert shape.size(LANDSCAPE) == PORTRAIT


def test_a_crop_outside_the_screen_is_refused_since_3_0_and_cut_before():
    wide, beyond = parse_crop("400:80:16:32"), parse_crop("10:10:900:0")
    with pytest.raises(CropError) as refused:
        shown(replace(MODERN, crop=wide))
    assert str(refused.value) == "Crop Rect(16, 32 - 416, 112) exceeds the input area (160x320)"
    assert shown(ServerOptions(V27, crop=wide))[0] == Size(144, 80)
    with pytest.raises(CropError) as outside:
        shown(ServerOptions(V27, crop=beyond))
    assert str(outside.value) == (
        "Crop rectangle (10:10:900:0) does not intersect device screen (160:320:0:0)"
    )  # fmt: skip


@pytest.mark.parametrize(
    ("version", "screen", "limit", "video"),
    [
        (V27, Size(1084, 2340), 0, Size(1080, 2336)),
        (V334, Size(1084, 2340), 0, Size(1088, 2336)),
        (V41, Size(1084, 2340), 0, Size(1084, 2340)),
        (V334, Size(1080, 1920), 1024, Size(576, 1024)),
        (V41, Size(1081, 2340), 1027, Size(474, 1026)),
        (V41, Size(2340, 1080), 1024, Size(1024, 472)),
    ],
)
def test_each_generation_rounds_sizes_in_its_own_way(version, screen, limit, video):
    assert video_sizing(version, limit)(screen) == video


def test_an_alignment_that_the_client_asks_for_is_kept_since_4_0():
    assert video_sizing(V41, 0, 16)(Size(1084, 2340)) == Size(1088, 2336)
