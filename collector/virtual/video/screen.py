"""The screen as a video source, and the size of the video."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import av
import numpy as np
from av.video.reformatter import VideoReformatter
from numpy.typing import NDArray

from collector.model.geometry import Point, Position, Rect, Size
from collector.virtual.ui.drawing.caption import write_line
from collector.virtual.video.video_size import Sizing, video_size

Pixels = NDArray[np.uint8]
_MAX_PATCHED_SHARE = 0.7
"""A larger changed share is converted as a whole frame, which avoids a copy."""


class ScreenPixels(Protocol):
    """Pixels of one state of the screen."""

    @property
    def generation(self) -> int:
        """Increases with every change."""

    @property
    def size(self) -> Size: ...

    @property
    def rgba(self) -> Pixels:
        """uint8, shape (h, w, 4)."""

    @property
    def secure(self) -> bool:
        """Whether the foreground window forbids screenshots."""

    @property
    def since(self) -> int:
        """The generation that ``changed`` refers to; 0 when unknown."""

    @property
    def changed(self) -> Rect | None:
        """The changed rectangle since that generation; None for everything."""


class WatchedScreen(Protocol):
    """A screen that can be observed."""

    @property
    def size(self) -> Size:
        """The size of the rotated screen."""

    def look(self, after: int, timeout: float, use: Callable[[Any], None]) -> bool:
        """Call ``use`` with the ``ScreenPixels`` of a generation after ``after``; False after ``timeout`` s.

        The pixels are valid only until ``use`` returns.
        """


class Shape(Protocol):
    """Converts screenshots to video frames."""

    def size(self, screen: Size) -> Size:
        """The video size for this screen size."""

    def frame(self, picture: ScreenPixels, size: Size) -> av.VideoFrame:
        """Convert a screenshot to I420."""

    def release(self) -> None:
        """Free the frames that are kept for the next one."""


class MirrorShape(Shape, Protocol):
    """A shape that leads back to the screen."""

    def on_screen(self, point: Point, video: Size, screen: Size) -> Point:
        """The pixel of the screen that is shown at ``point`` of the video."""


class Scaled:
    """The whole screen at the size that ``sizing`` gives it; it rotates with the screen.

    At the screen's own size one frame is reused, and only the changed part is converted into it.
    """

    def __init__(self, sizing: Sizing = video_size) -> None:
        self._sizing = sizing
        self._converter = VideoReformatter()
        self._patcher = VideoReformatter()
        self._last_frame: av.VideoFrame | None = None
        self._generation = 0

    def size(self, screen: Size) -> Size:
        return self._sizing(screen)

    def frame(self, picture: ScreenPixels, size: Size) -> av.VideoFrame:
        last, self._last_frame = self._last_frame, None
        if picture.secure:
            return black(size)
        place = self._place(picture, size)
        if last is None or place is None or Size(last.width, last.height) != size:
            last = None  # freed before the next one is made
            last = converted(self._converter, picture.rgba, size, "yuv420p")
        else:
            part = picture.rgba[place.top : place.bottom, place.left : place.right]
            _put(last, converted(self._patcher, part, place.size, "yuv420p"), place)
        self._last_frame, self._generation = last, picture.generation
        return last

    def on_screen(self, point: Point, video: Size, screen: Size) -> Point:
        return Position(point, video).on(screen)

    def release(self) -> None:
        self._last_frame = None
        self._converter, self._patcher = VideoReformatter(), VideoReformatter()

    def _place(self, picture: ScreenPixels, size: Size) -> Rect | None:
        """The rectangle to convert, aligned to chroma samples; None for everything."""
        changed = picture.changed
        if changed is None or picture.since != self._generation or size != picture.size:
            return None
        place = Rect(
            changed.left & ~7, changed.top & ~1, min(changed.right + 7 & ~7, size.width),
            min(changed.bottom + 1 & ~1, size.height),
        )  # fmt: skip
        return place if place.width * place.height < _MAX_PATCHED_SHARE * size.width * size.height else None


class Fitted:
    """A fixed video size: the screen centred on black, with ``caption`` on top."""

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
        return converted(self._converter, rgba, size, "yuv420p")

    def release(self) -> None:
        self._converter, self._scaler = VideoReformatter(), VideoReformatter()

    def _framed(self, rgba: Pixels, size: Size) -> Pixels:
        """Centre on a black picture of ``size``."""
        height, width = rgba.shape[:2]
        if (width, height) == (size.width, size.height):
            return rgba
        scale = min(size.width / width, size.height / height)
        inner = Size(_even(width * scale, size.width), _even(height * scale, size.height))
        framed = np.zeros((size.height, size.width, 4), np.uint8)
        top, left = (size.height - inner.height) // 2, (size.width - inner.width) // 2
        scaled = converted(self._scaler, rgba, inner, "rgba").to_ndarray()
        framed[top : top + inner.height, left : left + inner.width] = scaled
        return framed


def black(size: Size) -> av.VideoFrame:
    """The black frame shown instead of a protected screen."""
    planes = np.full((size.height * 3 // 2, size.width), 128, np.uint8)
    planes[: size.height] = 16
    return av.VideoFrame.from_ndarray(planes, format="yuv420p")


def _put(frame: av.VideoFrame, part: av.VideoFrame, place: Rect) -> None:
    """Write ``part`` into the planes of ``frame``."""
    for number, (plane, piece) in enumerate(zip(frame.planes, part.planes, strict=True)):
        shift = number > 0
        top, left = place.top >> shift, place.left >> shift
        _rows(plane)[top : top + piece.height, left : left + piece.width] = _rows(piece)[:, : piece.width]


def _rows(plane: av.video.plane.VideoPlane) -> Pixels:
    return np.frombuffer(plane, np.uint8).reshape(plane.height, plane.line_size)


def converted(converter: VideoReformatter, rgba: Pixels, size: Size, form: str) -> av.VideoFrame:
    """Scale RGBA pixels to ``size`` in the pixel format ``form``."""
    source = av.VideoFrame.from_numpy_buffer(rgba, format="rgba")
    # AREA averages when it shrinks; at equal size there is nothing to interpolate.
    return converter.reformat(source, size.width, size.height, form, interpolation="AREA", threads=1)


def _even(length: float, limit: int) -> int:
    return min(max(2, round(length / 2) * 2), limit)
