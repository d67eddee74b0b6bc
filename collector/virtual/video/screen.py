"""What a video needs of a phone's screen, and the size of the video made of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from collector.model.geometry import Size

Pixels = NDArray[np.uint8]


class Picture(Protocol):
    """One state of the screen."""

    @property
    def generation(self) -> int:
        """Grows with every change."""

    @property
    def size(self) -> Size: ...

    @property
    def rgba(self) -> Pixels:
        """uint8, shape (h, w, 4)."""

    @property
    def secure(self) -> bool:
        """The window in front forbids pictures."""


class Screen(Protocol):
    """A screen that can be watched."""

    def capture(self) -> Any:
        """The :class:`Picture` of now."""

    def wait_picture(self, after: int, timeout: float) -> Any:
        """The newest :class:`Picture` once its generation is past ``after``; None after ``timeout`` s."""


def video_size(screen: Size, max_size: int = 0) -> Size:
    """Size of the video: no side longer than ``max_size``, both multiples of 8, as scrcpy rounds."""
    width, height = screen.width & ~7, screen.height & ~7
    longer, shorter = max(width, height), min(width, height)
    if max_size and longer > max_size:
        limit = max_size & ~7
        longer, shorter = limit, (shorter * limit // longer + 4) & ~7
    longer, shorter = max(8, longer), max(8, shorter)
    return Size(shorter, longer) if height >= width else Size(longer, shorter)


class Shape(Protocol):
    """How pictures become those of a video."""

    def size(self, screen: Size) -> Size:
        """Of the video while the screen has this size."""

    def planes(self, picture: Picture, size: Size) -> Pixels:
        """The picture as I420, uint8, shape (h * 3 / 2, w)."""


class Scaled:
    """The whole screen, as large as ``max_size`` allows (0: no limit); it turns with the screen."""

    def __init__(self, max_size: int = 0) -> None:
        self._max_size = max_size

    def size(self, screen: Size) -> Size:
        return video_size(screen, self._max_size)

    def planes(self, picture: Picture, size: Size) -> Pixels:
        return _black(size) if picture.secure else _i420(_resized(picture, size))


class Fitted:
    """Always ``fixed``: the screen in the middle, black around it, and what ``caption`` says on top."""

    def __init__(self, fixed: Size, caption: Callable[[], str] | None = None) -> None:
        self._fixed = fixed
        self._caption = caption

    def size(self, screen: Size) -> Size:  # noqa: ARG002 - as every shape
        return self._fixed

    def planes(self, picture: Picture, size: Size) -> Pixels:
        if picture.secure:
            whole = _black(size)
        else:
            scale = min(size.width / picture.size.width, size.height / picture.size.height)
            inner = Size(
                _even(picture.size.width * scale, size.width), _even(picture.size.height * scale, size.height)
            )
            whole = _i420(_framed(_resized(picture, inner), size))
        if self._caption is not None:
            _write(whole, size, self._caption())
        return whole


def _write(planes: Pixels, size: Size, text: str) -> None:
    """A line of light text on a dark strip along the upper edge."""
    tall = size.height // 32
    planes[:tall] = 16
    baseline = (tall // 2, tall - tall // 4)
    cv2.putText(planes[: size.height], text, baseline, cv2.FONT_HERSHEY_PLAIN, tall / 18, 235, 1)


def _even(length: float, most: int) -> int:
    return min(max(2, round(length / 2) * 2), most)


def _resized(picture: Picture, size: Size) -> Pixels:
    if picture.size == size:
        return picture.rgba
    scaled = cv2.resize(picture.rgba, (size.width, size.height), interpolation=cv2.INTER_AREA)
    return np.asarray(scaled, dtype=np.uint8)


def _framed(rgba: Pixels, size: Size) -> Pixels:
    """In the middle of a black picture of ``size``."""
    height, width = rgba.shape[:2]
    if (width, height) == (size.width, size.height):
        return rgba
    whole = np.zeros((size.height, size.width, 4), np.uint8)
    top, left = (size.height - height) // 2, (size.width - width) // 2
    whole[top : top + height, left : left + width] = rgba
    return whole


def _i420(rgba: Pixels) -> Pixels:
    return np.asarray(cv2.cvtColor(rgba, cv2.COLOR_RGBA2YUV_I420), dtype=np.uint8)


def _black(size: Size) -> Pixels:
    black = np.full((size.height * 3 // 2, size.width), 128, np.uint8)
    black[: size.height] = 16
    return black
