"""A perceptual hash of a screenshot: near pictures have near hashes.

A difference hash (Krawetz 2013) of how strong edges are, whichever side is brighter: the same screen in
a dark theme has nearly the same hash.
"""

from __future__ import annotations

import cv2
import numpy as np

from collector.pictures.decoding import exactly, grey_pixels
from collector.pictures.errors import PictureError

SIDE = 16
BITS = SIDE * SIDE
_REDUCTION = exactly(4)
"""Before edges are looked for."""
_FLAT = 2
"""Grey values that differ by no more are no edge."""
_STATUS_BAR = 0.04
"""Share of the height that the status bar takes: its clock changes every minute."""


def picture_hash(png: bytes) -> int | None:
    """The hash of a screenshot as an integer of :data:`BITS` bits; None when it cannot be read."""
    try:
        picture = grey_pixels(png, _REDUCTION)
    except PictureError:
        return None
    if min(picture.shape) < SIDE:
        return None
    below = picture[int(picture.shape[0] * _STATUS_BAR) :]
    small = cv2.resize(below, (SIDE + 1, SIDE + 1), interpolation=cv2.INTER_AREA).astype(np.int16)
    edges = np.abs(small[:-1, 1:] - small[:-1, :-1]) + np.abs(small[1:, :-1] - small[:-1, :-1])
    return int.from_bytes(np.packbits(edges > max(_FLAT, float(np.median(edges)))).tobytes())
