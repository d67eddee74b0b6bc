"""What a video needs of a phone's screen, and the size of the video made of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import av
import numpy as np
from av.video.reformatter import VideoReformatter
from numpy.typing import NDArray

from collector.model.geometry import Size
from collector.virtual.ui.caption import write_line

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

    def frame(self, picture: Picture, size: Size) -> av.VideoFrame:
        """The picture as I420."""


class Scaled:
    """The whole screen, as large as ``max_size`` allows (0: no limit); it turns with the screen."""

    def __init__(self, max_size: int = 0) -> None:
        self._max_size = max_size
        self._converter = VideoReformatter()

    def size(self, screen: Size) -> Size:
        return video_size(screen, self._max_size)

    def frame(self, picture: Picture, size: Size) -> av.VideoFrame:
        return black(size) if picture.secure else _converted(self._converter, picture.rgba, size, "yuv420p")


class Fitted:
    """Always ``fixed``: the screen in the middle, black around it, and what ``caption`` says on top."""

    def __init__(self, fixed: Size, caption: Callable[[], str] | None = None) -> None:
        self._fixed = fixed
        self._caption = caption
        self._converter = VideoReformatter()
        self._scaler = VideoReformatter()

    def size(self, screen: Size) -> Size:  # noqa: ARG002 - as every shape
        return self._fixed

    def frame(self, picture: Picture, size: Size) -> av.VideoFrame:
        if picture.secure:
            return black(size)
        rgba = self._framed(picture.rgba, size)
        if self._caption is not None:
            rgba = rgba.copy()
            write_line(rgba, self._caption())
        return _converted(self._converter, rgba, size, "yuv420p")

    def _framed(self, rgba: Pixels, size: Size) -> Pixels:
        """In the middle of a black picture of ``size``."""
        height, width = rgba.shape[:2]
        if (width, height) == (size.width, size.height):
            return rgba
        scale = min(size.width / width, size.height / height)
        inner = Size(_even(width * scale, size.width), _even(height * scale, size.height))
        whole = np.zeros((size.height, size.width, 4), np.uint8)
        top, left = (size.height - inner.height) // 2, (size.width - inner.width) // 2
        scaled = _converted(self._scaler, rgba, inner, "rgba").to_ndarray()
        whole[top : top + inner.height, left : left + inner.width] = scaled
        return whole


def black(size: Size) -> av.VideoFrame:
    """What is seen of a secret."""
    planes = np.full((size.height * 3 // 2, size.width), 128, np.uint8)
    planes[: size.height] = 16
    return av.VideoFrame.from_ndarray(planes, format="yuv420p")


def _converted(converter: VideoReformatter, rgba: Pixels, size: Size, form: str) -> av.VideoFrame:
    source = av.VideoFrame.from_numpy_buffer(rgba, format="rgba")
    # Averages areas when it shrinks; at the same size there is nothing to interpolate.
    return converter.reformat(source, size.width, size.height, form, interpolation="AREA")


def _even(length: float, most: int) -> int:
    return min(max(2, round(length / 2) * 2), most)
