"""The size of a video of a screen, as each generation of scrcpy rounds it."""

from __future__ import annotations

from collections.abc import Callable

from collector.adb.scrcpy.version import ScrcpyVersion
from collector.model.geometry import Size

Sizing = Callable[[Size], Size]
"""The size of the video of a screen, or of a part of it."""
_ENCODER_ALIGNMENT = 2
"""Sides of the encoder's frames are multiples of this many pixels."""


def video_sizing(version: ScrcpyVersion, max_size: int = 0, alignment: int = 1) -> Sizing:
    """The rule of a release: no side longer than ``max_size`` (0: no limit).

    Sides are multiples of 8 before 4.0, and of ``alignment`` or the encoder's own since.
    """
    if version.since(4):
        return lambda screen: _aligned(screen, max_size, max(alignment, _ENCODER_ALIGNMENT))
    limit = max_size & ~7
    if version.since(3):
        return lambda screen: _rounded_after(screen, limit)
    return lambda screen: video_size(screen, limit)


def video_size(screen: Size, max_size: int = 0) -> Size:
    """The rule before 3.0: both sides are rounded down to multiples of 8, then scaled."""
    width, height = screen.width & ~7, screen.height & ~7
    longer, shorter = max(width, height), min(width, height)
    if max_size and longer > max_size:
        limit = max_size & ~7
        longer, shorter = limit, (shorter * limit // longer + 4) & ~7
    longer, shorter = max(8, longer), max(8, shorter)
    return Size(shorter, longer) if height >= width else Size(longer, shorter)


def _rounded_after(screen: Size, limit: int) -> Size:
    """The rule of 3.x: scaled first; the longer side is rounded down, the shorter one to the nearest."""
    portrait = screen.height > screen.width
    longer, shorter = max(screen.width, screen.height), min(screen.width, screen.height)
    if limit and longer > limit:
        longer, shorter = limit, limit * shorter // longer
    longer = max(8, longer & ~7)
    shorter = min(max(8, (shorter + 4) & ~7), longer)
    return Size(shorter, longer) if portrait else Size(longer, shorter)


def _aligned(screen: Size, limit: int, alignment: int) -> Size:
    """The rule since 4.0: sides are rounded to the nearest multiple of ``alignment``."""
    width, height = screen.width, screen.height
    if limit and max(width, height) > limit:
        top = limit // alignment * alignment
        if width > height:
            width, height = top, height * top // width
        else:
            width, height = width * top // height, top
    return Size(
        *(max(alignment, (side + alignment // 2) // alignment * alignment) for side in (width, height))
    )
