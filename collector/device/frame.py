"""One picture of the screen, converted only when and as somebody asks."""

from __future__ import annotations

import io
import threading
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from collector.model.geometry import Size

Pixels = NDArray[np.uint8]
_NEARLY_BLACK = 2
_scalers = threading.local()


class Frame:
    """A frame of the mirror: planar video straight from the decoder, or RGB pixels.

    Conversions are cached for the last size asked for, so the decode thread may prepare
    the size on screen and the painter gets it for nothing. Thread-safe and immutable.
    """

    def __init__(self, pixels: Any, *, sequence: int, received_ns: int, pts_us: int | None = None) -> None:
        """``pixels`` is an ``av.VideoFrame`` (yuv420p or yuvj420p) or uint8 RGB of shape (h, w, 3)."""
        self._pixels = pixels
        self._lock = threading.Lock()
        self._scaled: Pixels | None = None
        self.sequence = sequence
        self.received_ns = received_ns
        """``time.monotonic_ns()`` when the last byte of its packet was read."""
        self.pts_us = pts_us
        """The device's own time of the picture in microseconds; None when the source has none."""
        if isinstance(pixels, np.ndarray):
            height, width = pixels.shape[:2]
        else:
            height, width = pixels.height, pixels.width
        self.size = Size(int(width), int(height))

    def __repr__(self) -> str:
        return f"<Frame {self.sequence} {self.size}>"

    def rgb(self) -> Pixels:
        """Full size, uint8, shape (h, w, 3). Not cached: a record of a moment asks once."""
        if isinstance(self._pixels, np.ndarray):
            return self._pixels
        return np.asarray(self._pixels.to_ndarray(format="rgb24"))

    def scaled_bgra(self, size: Size) -> Pixels:
        """Exactly ``size``, uint8, shape (h, w, 4), contiguous: what QImage.Format_RGB32 wants."""
        with self._lock:
            done = self._scaled
            if done is None or done.shape[:2] != (size.height, size.width):
                done = self._scaled = self._scale(size)
            return done

    def _scale(self, size: Size) -> Pixels:
        shown = (size.width, size.height)
        if isinstance(self._pixels, np.ndarray):
            pixels = self._pixels
            if size != self.size:
                pixels = np.asarray(cv2.resize(pixels, shown, interpolation=_filter(self.size, size)))
            return np.asarray(cv2.cvtColor(pixels, cv2.COLOR_RGB2BGRA), dtype=np.uint8)
        return _scaled_planes(self._pixels, size)

    def luma(self, size: Size) -> Pixels:
        """Brightness averaged down to ``size``, uint8, shape (h, w): cheap enough for every frame."""
        shown = (size.width, size.height)
        if isinstance(self._pixels, np.ndarray):
            small = cv2.resize(self._pixels, shown, interpolation=cv2.INTER_AREA)
            return np.asarray(cv2.cvtColor(small, cv2.COLOR_RGB2GRAY), dtype=np.uint8)
        plane = _plane(self._pixels, 0, self.size)
        return np.asarray(cv2.resize(plane, shown, interpolation=cv2.INTER_AREA), dtype=np.uint8)

    def grid(self) -> Pixels:
        """Brightness at every fourth pixel of every eighth row, uint8: to see whether anything changed."""
        if isinstance(self._pixels, np.ndarray):
            return np.ascontiguousarray(self._pixels[::8, ::4, 1])
        return np.ascontiguousarray(_plane(self._pixels, 0, self.size)[::8, ::4])

    def png(self) -> bytes:
        """The full picture, losslessly, as RGB."""
        out = io.BytesIO()
        Image.fromarray(self.rgb()).save(out, "PNG", compress_level=1)
        return out.getvalue()

    @property
    def looks_black(self) -> bool:
        """True when all is black, as a protected window is; looks at a coarse grid of points."""
        if isinstance(self._pixels, np.ndarray):
            return bool(self._pixels[::16, ::16].max(initial=0) <= _NEARLY_BLACK)
        luma = _plane(self._pixels, 0, self.size)[::16, ::16]
        return bool(luma.max(initial=0) <= 16 + _NEARLY_BLACK)


def _filter(source: Size, target: Size) -> int:
    """Averaging keeps text readable when shrinking a lot; it costs too much when it hardly shrinks."""
    return cv2.INTER_AREA if source.width >= 2 * target.width else cv2.INTER_LINEAR


def _plane(frame: Any, index: int, size: Size) -> Pixels:
    plane = frame.planes[index]
    rows = np.frombuffer(plane, np.uint8).reshape(-1, plane.line_size)
    return rows[: size.height, : size.width]


def _scaled_planes(frame: Any, target: Size) -> Pixels:
    """Average the planes down, then convert what is left: half the work of converting while scaling.

    The scalers keep tables for the sizes they saw last; they are kept per thread, being not thread-safe.
    Each runs on this thread alone: splitting so little work costs more than it gains.
    """
    # Here and not above: who only lists phones need not wait for the decoder's libraries.
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
    converted = _scalers.convert.reformat(
        frame, width=target.width, height=target.height, format="bgra", threads=1
    )
    plane = converted.planes[0]
    rows = np.frombuffer(plane, np.uint8).reshape(-1, plane.line_size)
    shown = rows[: target.height, : target.width * 4]
    return np.ascontiguousarray(shown).reshape(target.height, target.width, 4)
