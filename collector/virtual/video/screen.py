"""What a video needs of a phone's screen, and the size of the video made of it."""

from __future__ import annotations

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


def planes(picture: Picture, size: Size) -> Pixels:
    """The picture at ``size`` as I420, uint8, shape (h * 3 / 2, w); black when it is secure."""
    if picture.secure:
        black = np.full((size.height * 3 // 2, size.width), 128, np.uint8)
        black[: size.height] = 16
        return black
    rgba = picture.rgba
    if picture.size != size:
        rgba = np.asarray(
            cv2.resize(rgba, (size.width, size.height), interpolation=cv2.INTER_AREA), dtype=np.uint8
        )
    return np.asarray(cv2.cvtColor(rgba, cv2.COLOR_RGBA2YUV_I420), dtype=np.uint8)
