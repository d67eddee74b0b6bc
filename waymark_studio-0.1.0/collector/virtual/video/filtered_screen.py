"""The screen as a video that is cropped, turned, flipped or rotated, and the way back for touches."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import av
import numpy as np
from av.video.reformatter import VideoReformatter
from numpy.typing import NDArray

from collector.adb.scrcpy.capture import CaptureOrientation, OrientationLock
from collector.adb.scrcpy.options import ServerOptions
from collector.model.geometry import Point, Rect, Size
from collector.virtual.video.screen import Pixels, ScreenPixels, black, converted
from collector.virtual.video.video_size import Sizing

Matrix = NDArray[Any]
"""float64 of shape (3, 3); it maps pixel coordinates, y downwards."""


class CropError(ValueError):
    """The crop does not fit the screen; the text is the server's sentence."""


@dataclass(frozen=True, slots=True)
class _Geometry:
    """The filter for one screen size and rotation."""

    screen: Size
    crop: Rect
    turns_before: int
    """Quarter turns counter-clockwise before the flip, and ``turns_after`` after it."""
    flipped: bool
    turns_after: int
    size: Size
    to_screen: Matrix
    """From pixels of the filtered picture to pixels of the screen."""


class Filtered:
    """A shape for the crop, orientation and angle of a server's options.

    ``rotation`` is the rotation of the display in quarter turns; a locked orientation undoes it.
    """

    def __init__(self, options: ServerOptions, sizing: Sizing, rotation: Callable[[], int]) -> None:
        self._crop = options.crop
        self._cuts_crop = not options.version.since(3)
        self._orientation = options.orientation
        self._angle = options.angle
        self._sizing = sizing
        self._rotation = rotation
        self._converter = VideoReformatter()
        self._geometry: _Geometry | None = None

    def size(self, screen: Size) -> Size:
        """The size of the video; raise CropError when the crop does not fit ``screen``."""
        return self._sizing(self._updated(screen).size)

    def frame(self, picture: ScreenPixels, size: Size) -> av.VideoFrame:
        if picture.secure:
            return black(size)
        geometry = self._updated(picture.size)
        crop = geometry.crop
        part = picture.rgba[crop.top : crop.bottom, crop.left : crop.right]
        part = np.rot90(part, geometry.turns_before)
        if geometry.flipped:
            part = part[:, ::-1]
        part = np.ascontiguousarray(np.rot90(part, geometry.turns_after))
        if self._angle % 360:
            part = _turned(part, self._angle)
        return converted(self._converter, part, size, "yuv420p")

    def on_screen(self, point: Point, video: Size, _screen: Size) -> Point:
        geometry = self._geometry
        assert geometry is not None
        source = np.array(
            [point.x * geometry.size.width / video.width, point.y * geometry.size.height / video.height, 1.0]
        )
        x, y, _one = geometry.to_screen @ source
        # A flip maps the first pixel to the far edge, which is the next pixel's.
        return Point(
            min(max(int(x), 0), geometry.screen.width - 1), min(max(int(y), 0), geometry.screen.height - 1)
        )

    def release(self) -> None:
        self._converter = VideoReformatter()

    def _updated(self, screen: Size) -> _Geometry:
        rotation = self._rotation()
        if self._orientation.lock is OrientationLock.INITIAL:
            self._orientation = CaptureOrientation(OrientationLock.VALUE, -rotation % 4)
        geometry = self._measured(screen, rotation)
        self._geometry = geometry
        return geometry

    def _measured(self, screen: Size, rotation: int) -> _Geometry:
        crop = self._cropped(screen, rotation)
        matrix = _moved(-crop.left, -crop.top)
        size = crop.size
        before = -rotation % 4 if self._orientation.lock is OrientationLock.VALUE else 0
        matrix, size = _quarter_turned(matrix, size, before)
        if self._orientation.flipped:
            matrix = _flip(size.width) @ matrix
        after = -self._orientation.quarter_turns % 4
        matrix, size = _quarter_turned(matrix, size, after)
        matrix = _rotation(self._angle, size) @ matrix
        return _Geometry(
            screen, crop, before, self._orientation.flipped, after, size, np.linalg.inv(matrix)
        )  # fmt: skip

    def _cropped(self, screen: Size, rotation: int) -> Rect:
        """The crop in pixels of the rotated screen."""
        whole = Rect(0, 0, screen.width, screen.height)
        crop = self._crop
        if crop is None:
            return whole
        if rotation % 2:
            crop = Rect(crop.top, crop.left, crop.bottom, crop.right)
        if self._cuts_crop:
            common = Rect(
                crop.left, crop.top, min(crop.right, screen.width), min(crop.bottom, screen.height)
            )  # fmt: skip
            if common.is_empty:
                shown = (f"{area.width}:{area.height}:{area.left}:{area.top}" for area in (crop, whole))
                raise CropError("Crop rectangle ({}) does not intersect device screen ({})".format(*shown))
            return common
        if crop.right > screen.width or crop.bottom > screen.height:
            rect = f"Rect({crop.left}, {crop.top} - {crop.right}, {crop.bottom})"
            raise CropError(f"Crop {rect} exceeds the input area ({screen})")
        return crop


def _moved(x: float, y: float) -> Matrix:
    return np.array([[1.0, 0.0, x], [0.0, 1.0, y], [0.0, 0.0, 1.0]])


def _flip(width: int) -> Matrix:
    return np.array([[-1.0, 0.0, width], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])


def _quarter_turned(matrix: Matrix, size: Size, turns: int) -> tuple[Matrix, Size]:
    """Turn counter-clockwise by quarters."""
    for _turn in range(turns):
        matrix = np.array([[0.0, 1.0, 0.0], [-1.0, 0.0, size.width], [0.0, 0.0, 1.0]]) @ matrix
        size = size.transposed
    return matrix, size


def _rotation(degrees: float, size: Size) -> Matrix:
    """Clockwise around the centre; the size stays."""
    radians = math.radians(degrees)
    cos, sin = math.cos(radians), math.sin(radians)
    turn = np.array([[cos, -sin, 0.0], [sin, cos, 0.0], [0.0, 0.0, 1.0]])
    x, y = size.width / 2, size.height / 2
    around: Matrix = _moved(x, y) @ turn @ _moved(-x, -y)
    return around


def _turned(pixels: Pixels, degrees: float) -> Pixels:
    """Rotate a picture within its frame; the corners it leaves are black."""
    import cv2  # many megabytes that only this option needs

    height, width = pixels.shape[:2]
    # warpAffine counts from the centres of pixels.
    matrix = _moved(-0.5, -0.5) @ _rotation(degrees, Size(width, height)) @ _moved(0.5, 0.5)
    return np.asarray(cv2.warpAffine(pixels, matrix[:2], (width, height), flags=cv2.INTER_LINEAR), np.uint8)
