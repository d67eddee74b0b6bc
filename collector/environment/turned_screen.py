"""A rotated screen as the upright phone shows it, and places on it."""

from __future__ import annotations

import numpy as np

from collector.environment.screen_copy import RgbImage
from collector.model.geometry import Point, Size


def turned_picture(picture: RgbImage, rotation: int) -> RgbImage:
    """The picture of a screen with so many quarter turns, in the shape of the upright one; no copy."""
    return np.rot90(picture, rotation)


def turned_place(shares: tuple[float, float], upright: Size, rotation: int) -> Point:
    """The pixel of the rotated screen at a place of :func:`turned_picture`.

    ``shares`` are those of the picture's width and height, 0 to 1; ``upright`` is the size of the phone
    before it was turned.
    """
    across, down = shares
    turns = rotation % 4
    size = upright.transposed if turns % 2 else upright
    # np.rot90 turns against the clock: what was right is at the top after one turn.
    back = ((across, down), (1 - down, across), (1 - across, 1 - down), (down, 1 - across))[turns]
    return Point(
        min(int(back[0] * size.width), size.width - 1), min(int(back[1] * size.height), size.height - 1)
    )
