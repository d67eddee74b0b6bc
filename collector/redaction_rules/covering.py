"""Cover places of a picture: with one colour, or with a blur that cannot show what was there."""

from __future__ import annotations

import io
import math
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from collector.model.geometry import Rect, Size
from collector.pictures.decoding import rgb_pixels
from collector.pictures.errors import PictureError
from collector.redaction_rules.hidden_screen import HiddenRegion
from collector.redaction_rules.redaction_rule import BLUR

_COARSEST = 6
"""Cells of the shorter side of a blurred place: fewer than the letters of most words."""


def covered(rgb: NDArray[np.uint8], regions: Iterable[HiddenRegion], screen: Size) -> NDArray[np.uint8]:
    """A copy of uint8 RGB pixels of shape (h, w, 3) with ``regions`` covered; ``screen`` is their scale."""
    pixels = rgb.copy()
    filled = [region for region in regions if region.style != BLUR]
    for region in (item for item in regions if item.style == BLUR):
        top, bottom, left, right = in_picture(region.bounds, screen, pixels.shape[0], pixels.shape[1])
        if bottom > top and right > left:
            pixels[top:bottom, left:right] = _blurred(pixels[top:bottom, left:right])
    for region in filled:
        top, bottom, left, right = in_picture(region.bounds, screen, pixels.shape[0], pixels.shape[1])
        pixels[top:bottom, left:right] = 0  # as black as hidden passwords are
    return pixels


def covered_picture(data: bytes, regions: Sequence[HiddenRegion], screen: Size) -> bytes | None:
    """A screenshot as PNG with ``regions`` covered; None when it cannot be decoded."""
    from PIL import Image  # loads a dozen modules

    try:
        rgb = rgb_pixels(data)
    except PictureError:
        return None
    png = io.BytesIO()
    scale = Size(rgb.shape[1], rgb.shape[0]) if screen.is_empty else screen
    Image.fromarray(covered(rgb, regions, scale)).save(png, "PNG")
    return png.getvalue()


def is_covered(rgb: NDArray[np.uint8], bounds: Rect, screen: Size) -> bool:
    """Whether a place has the colour of filled ones all over; ``rgb`` has the shape (h, w, 3)."""
    top, bottom, left, right = in_picture(bounds, screen, rgb.shape[0], rgb.shape[1])
    return not rgb[top:bottom, left:right].any()


def in_picture(bounds: Rect, screen: Size, height: int, width: int) -> tuple[int, int, int, int]:
    """Top, bottom, left and right of a place in a picture, in its pixels; ``screen`` is the place's scale."""
    x_scale = width / screen.width if screen.width else 1.0
    y_scale = height / screen.height if screen.height else 1.0
    top, bottom = math.floor(bounds.top * y_scale), math.ceil(bounds.bottom * y_scale)
    left, right = math.floor(bounds.left * x_scale), math.ceil(bounds.right * x_scale)
    return (
        min(height, max(0, top)),
        min(height, max(0, bottom)),
        min(width, max(0, left)),
        min(width, max(0, right)),
    )


def _blurred(part: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The means of a few large cells, smoothly joined."""
    import cv2

    height, width = part.shape[:2]
    shorter = min(height, width)
    cells = max(1, min(_COARSEST, shorter // 4))
    small = (max(1, width * cells // shorter), max(1, height * cells // shorter))
    means = cv2.resize(part, small, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.resize(means, (width, height), interpolation=cv2.INTER_LINEAR), dtype=np.uint8)
