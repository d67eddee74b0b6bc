"""The screen as a video source, and the size of the video."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import av
import numpy as np
from av.video.reformatter import VideoReformatter
from numpy.typing import NDArray

from collector.model.geometry import Rect, Size
from collector.virtual.ui.caption import write_line

Pixels = NDArray[np.uint8]
_MOST_PATCHED = 0.7
"""Share of a picture; what changed more than that is converted whole, which spares the copy."""


class ScreenPixels(Protocol):
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

    @property
    def since(self) -> int:
        """The generation ``changed`` counts from; 0 when that is not known."""

    @property
    def changed(self) -> Rect | None:
        """Where it differs from that generation; None for everywhere."""


class WatchedScreen(Protocol):
    """A screen that can be watched."""

    @property
    def size(self) -> Size:
        """As it is turned now."""

    def look(self, after: int, timeout: float, use: Callable[[Any], None]) -> bool:
        """Give ``use`` the ``ScreenPixels`` once its generation is past ``after``; False after ``timeout`` s.

        The picture is good only until ``use`` returns.
        """


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

    def frame(self, picture: ScreenPixels, size: Size) -> av.VideoFrame:
        """The picture as I420."""


class Scaled:
    """The whole screen, as large as ``max_size`` allows (0: no limit); it turns with the screen.

    At the screen's own size one frame is kept, and only what changed is converted into it.
    """

    def __init__(self, max_size: int = 0) -> None:
        self._max_size = max_size
        self._converter = VideoReformatter()
        self._patcher = VideoReformatter()
        self._kept: av.VideoFrame | None = None
        self._generation = 0

    def size(self, screen: Size) -> Size:
        return video_size(screen, self._max_size)

    def frame(self, picture: ScreenPixels, size: Size) -> av.VideoFrame:
        last, self._kept = self._kept, None
        if picture.secure:
            return black(size)
        place = self._place(picture, size)
        if last is None or place is None or Size(last.width, last.height) != size:
            last = _converted(self._converter, picture.rgba, size, "yuv420p")
        else:
            part = picture.rgba[place.top : place.bottom, place.left : place.right]
            _put(last, _converted(self._patcher, part, place.size, "yuv420p"), place)
        self._kept, self._generation = last, picture.generation
        return last

    def _place(self, picture: ScreenPixels, size: Size) -> Rect | None:
        """What to convert anew, on whole chroma samples; None for everything."""
        changed = picture.changed
        if changed is None or picture.since != self._generation or size != picture.size:
            return None
        place = Rect(
            changed.left & ~7, changed.top & ~1, min(changed.right + 7 & ~7, size.width),
            min(changed.bottom + 1 & ~1, size.height),
        )  # fmt: skip
        return place if place.width * place.height < _MOST_PATCHED * size.width * size.height else None


class Fitted:
    """Always ``fixed``: the screen in the middle, black around it, and what ``caption`` says on top."""

    def __init__(self, fixed: Size, caption: Callable[[], str] | None = None) -> None:
        self._fixed = fixed
        self._caption = caption
        self._converter = VideoReformatter()
        self._scaler = VideoReformatter()

    def size(self, screen: Size) -> Size:  # noqa: ARG002 - as every shape
        return self._fixed

    def frame(self, picture: ScreenPixels, size: Size) -> av.VideoFrame:
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


def _put(frame: av.VideoFrame, part: av.VideoFrame, place: Rect) -> None:
    """Write ``part`` into the planes of ``frame``."""
    for number, (whole, piece) in enumerate(zip(frame.planes, part.planes, strict=True)):
        shift = number > 0
        top, left = place.top >> shift, place.left >> shift
        _rows(whole)[top : top + piece.height, left : left + piece.width] = _rows(piece)[:, : piece.width]


def _rows(plane: av.video.plane.VideoPlane) -> Pixels:
    return np.frombuffer(plane, np.uint8).reshape(plane.height, plane.line_size)


def _converted(converter: VideoReformatter, rgba: Pixels, size: Size, form: str) -> av.VideoFrame:
    source = av.VideoFrame.from_numpy_buffer(rgba, format="rgba")
    # Averages areas when it shrinks; at the same size there is nothing to interpolate.
    return converter.reformat(source, size.width, size.height, form, interpolation="AREA", threads=1)


def _even(length: float, most: int) -> int:
    return min(max(2, round(length / 2) * 2), most)
