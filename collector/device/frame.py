"""A frame of the screen, converted on demand."""

from __future__ import annotations

import io
import threading
from typing import Any

import cv2
import numpy as np
from PIL import Image

from collector.device.errors import UnreadableScreenshot
from collector.model.geometry import Size
from collector.model.i18n import _
from collector.pictures.bgra_pixels import bgra_pixels
from collector.pictures.decoding import Pixels, rgb_pixels
from collector.pictures.errors import PictureError
from collector.pictures.formats import read_picture_file

_NEARLY_BLACK = 2
_PNG_END = b"IEND\xaeB`\x82"
_MOST_PACKED = 30
"""Pixels a byte above which a PNG may be all black; black ones have over 200."""
_STRIP = 32
"""Rows of a picture that are compared at once."""
_scalers = threading.local()


class Frame:
    """A frame of the mirror: planar video from the decoder, or RGB pixels.

    The conversion to the last requested size is cached: the decode thread prepares the size on screen, and
    the painter reuses it. Thread-safe and immutable.
    """

    def __init__(self, pixels: Any, *, sequence: int, received_ns: int, pts_us: int | None = None) -> None:
        """``pixels`` is an ``av.VideoFrame`` (yuv420p or yuvj420p) or uint8 RGB of shape (h, w, 3)."""
        self._pixels = pixels
        self._lock = threading.Lock()
        self._scaled: Pixels | None = None
        self._changed: tuple[Size, range] | None = None
        self.sequence = sequence
        self.received_ns = received_ns
        """``time.monotonic_ns()`` when the last byte of its packet was read."""
        self.pts_us = pts_us
        """Timestamp of the device in microseconds; None when the source has none."""
        self.size = self._size()

    def _size(self) -> Size:
        if isinstance(self._pixels, np.ndarray):
            height, width = self._pixels.shape[:2]
        else:
            height, width = self._pixels.height, self._pixels.width
        return Size(int(width), int(height))

    def __repr__(self) -> str:
        return f"<Frame {self.sequence} {self.size}>"

    def rgb(self) -> Pixels:
        """Return the pixels at full size, uint8, shape (h, w, 3). Not cached: a recorder asks once."""
        if isinstance(self._pixels, np.ndarray):
            return self._pixels
        # The frame keeps the converter that it made first: two threads in it end the process.
        with self._lock:
            return np.asarray(self._pixels.to_ndarray(format="rgb24"))

    def scaled_bgra(self, size: Size) -> Pixels:
        """Scale to exactly ``size``: uint8, shape (h, w, 4), as QImage.Format_RGB32 needs it.

        The pixels of a row are contiguous; between two rows there may be a gap, ``strides[0]`` has it.
        """
        with self._lock:
            scaled = self._scaled
            if scaled is None or scaled.shape[:2] != (size.height, size.width):
                scaled = self._scaled = self._scale(size)
            return scaled

    def compare_scaled(self, before: Pixels, size: Size) -> None:
        """Note which rows differ from the frame before, whose picture of this size is ``before``."""
        self._changed = (size, _changed_rows(before, self.scaled_bgra(size)))

    def changed_rows(self, size: Size) -> range | None:
        """Rows of the picture of this size outside which it is the frame before; None when unknown."""
        return self._changed[1] if self._changed is not None and self._changed[0] == size else None

    def _scale(self, size: Size) -> Pixels:
        shown = (size.width, size.height)
        if isinstance(self._pixels, np.ndarray):
            pixels = self._pixels
            if size != self.size:
                pixels = np.asarray(cv2.resize(pixels, shown, interpolation=_filter(self.size, size)))
            return np.asarray(cv2.cvtColor(pixels, cv2.COLOR_RGB2BGRA), dtype=np.uint8)
        return _scaled_planes(self._pixels, size)

    def luma(self, size: Size) -> Pixels:
        """Average the brightness down to ``size``: uint8, shape (h, w). Cheap enough for every frame."""
        shown = (size.width, size.height)
        if isinstance(self._pixels, np.ndarray):
            small = cv2.resize(self._pixels, shown, interpolation=cv2.INTER_AREA)
            return np.asarray(cv2.cvtColor(small, cv2.COLOR_RGB2GRAY), dtype=np.uint8)
        plane = _plane(self._pixels, 0, self.size)
        return np.asarray(cv2.resize(plane, shown, interpolation=cv2.INTER_AREA), dtype=np.uint8)

    def grid(self) -> Pixels:
        """Sample the brightness of every fourth pixel of every eighth row, uint8, to detect changes."""
        if isinstance(self._pixels, np.ndarray):
            return np.ascontiguousarray(self._pixels[::8, ::4, 1])
        return np.ascontiguousarray(_plane(self._pixels, 0, self.size)[::8, ::4])

    @property
    def encoded(self) -> bytes:
        """The PNG file that the phone sent; empty for a frame that came otherwise."""
        return b""

    def png(self) -> bytes:
        """Encode the frame as an RGB PNG at full size."""
        out = io.BytesIO()
        Image.fromarray(self.rgb()).save(out, "PNG", compress_level=1)
        return out.getvalue()

    @property
    def looks_black(self) -> bool:
        """Whether a coarse grid of points is all black, as in a protected window."""
        if isinstance(self._pixels, np.ndarray):
            return bool(self._pixels[::16, ::16].max(initial=0) <= _NEARLY_BLACK)
        luma = _plane(self._pixels, 0, self.size)[::16, ::16]
        return bool(luma.max(initial=0) <= 16 + _NEARLY_BLACK)


class ScreenshotFrame(Frame):
    """A PNG file as the phone sent it, decoded when its pixels are first asked for."""

    def __init__(self, encoded: bytes, *, sequence: int, received_ns: int) -> None:
        """Raises UnreadableScreenshot when ``encoded`` is no whole PNG, or over the limit of pictures."""
        try:
            file = read_picture_file(encoded)
        except PictureError as error:
            raise UnreadableScreenshot.because(error) from error
        if file.format != "PNG" or not encoded.endswith(_PNG_END):
            raise UnreadableScreenshot(_("It is no whole PNG"))
        self._encoded, self._encoded_size = encoded, file.size
        self._decoding = threading.Lock()
        self._decoded: Pixels | None = None
        super().__init__(None, sequence=sequence, received_ns=received_ns)

    @property
    def encoded(self) -> bytes:
        return self._encoded

    @property
    def _pixels(self) -> Pixels:
        """Raises UnreadableScreenshot when the pixels of a PNG that looked whole cannot be decoded."""
        with self._decoding:
            if self._decoded is None:
                try:
                    self._decoded = rgb_pixels(self._encoded)
                except PictureError as error:
                    raise UnreadableScreenshot.because(error) from error
            return self._decoded

    @_pixels.setter
    def _pixels(self, _pixels: None) -> None:
        """The pixels come with the file."""

    def _size(self) -> Size:
        return self._encoded_size

    def png(self) -> bytes:
        return self._encoded

    @property
    def looks_black(self) -> bool:
        # A black screen packs so well that most pictures need not be decoded to know that they are none.
        if len(self._encoded) * _MOST_PACKED > self.size.width * self.size.height:
            return False
        return super().looks_black


def _filter(source: Size, target: Size) -> int:
    """Choose averaging for strong shrinking, which keeps text readable; otherwise the cheaper filter."""
    return cv2.INTER_AREA if source.width >= 2 * target.width else cv2.INTER_LINEAR


def _changed_rows(before: Pixels, after: Pixels) -> range:
    """Compare strips from the top and from the bottom, so that a page that scrolls costs two comparisons."""
    top, bottom = 0, len(before)
    while top < bottom and _are_equal(before, after, slice(top, top + _STRIP)):
        top += _STRIP
    while bottom > top:
        strip = slice(max(top, bottom - _STRIP), bottom)
        if not _are_equal(before, after, strip):
            break
        bottom = strip.start
    return range(min(top, bottom), bottom)


def _are_equal(before: Pixels, after: Pixels, rows: slice) -> bool:
    """OpenCV's maximum of all differences takes half the time of NumPy, which keeps each comparison."""
    return cv2.norm(before[rows], after[rows], cv2.NORM_INF) == 0


def _plane(frame: Any, index: int, size: Size) -> Pixels:
    plane = frame.planes[index]
    rows = np.frombuffer(plane, np.uint8).reshape(-1, plane.line_size)
    return rows[: size.height, : size.width]


def _scaled_planes(frame: Any, target: Size) -> Pixels:
    """Average the planes down, then convert the rest: half the work of converting while scaling.

    The scalers cache tables for the last sizes and are not thread-safe: each thread has its own. They use
    one thread each, because splitting so little work costs more than it gains.
    """
    # Imported here because loading the decoder is slow, and listing phones does not need it.
    from av.video.reformatter import Interpolation, VideoReformatter

    if not hasattr(_scalers, "shrink"):
        _scalers.shrink, _scalers.convert = VideoReformatter(), VideoReformatter()
    if target.width < frame.width and target.height < frame.height:
        frame = _scalers.shrink.reformat(
            frame,
            width=target.width,
            height=target.height,
            format=frame.format.name,
            interpolation=Interpolation.AREA,
            threads=1,
        )
    return bgra_pixels(_scalers.convert, frame, target)
