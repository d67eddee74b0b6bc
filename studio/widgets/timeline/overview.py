"""Lanes without thumbnails and words: the tone of each slot, and of each pixel where slots are narrower."""

from __future__ import annotations

from collections.abc import Collection

from PySide6.QtCore import QRect
from PySide6.QtGui import QPainter

from studio.theme import theme
from studio.widgets.timeline.grid import TimelineGrid
from studio.widgets.timeline.lanes import PLAIN_TONE, SLOW_TONE, FilmLane, TextLane

TONES = ("", PLAIN_TONE, SLOW_TONE, "ok", "info", "accent", "warn", "err")
"""From nothing to the gravest: where several slots share a pixel the gravest is visible."""
_CODES = {tone: code for code, tone in enumerate(TONES)}
_MOST_BLOCK = 14
"""Widest block: by the clock a step may last long."""


class LaneTones:
    """The tones of whole lanes, one byte a slot: the place in :data:`TONES`. Computed once for each lane."""

    def __init__(self) -> None:
        self._codes: dict[int, bytes] = {}

    def forget(self) -> None:
        """Forget all lanes, as those of another track are shown."""
        self._codes.clear()

    def of(self, lane: FilmLane | TextLane, count: int) -> bytes:
        """The codes of the first ``count`` slots of a lane."""
        codes = self._codes.get(id(lane))
        if codes is None:
            codes = self._codes[id(lane)] = (
                _film(lane, count) if isinstance(lane, FilmLane) else _text(lane, count)
            )
        return codes


def _film(lane: FilmLane, count: int) -> bytes:
    return bytes(_CODES[lane.tone(slot)] for slot in range(count))


def _text(lane: TextLane, count: int) -> bytes:
    codes = bytearray(count)
    for slot, length, tone in lane.ticks(0, count - 1):
        code = _CODES.get(tone, 1)
        for place in range(slot, min(slot + length, count)):
            codes[place] = max(codes[place], code)
    return bytes(codes)


def paint_tones(
    painter: QPainter, grid: TimelineGrid, codes: bytes, seen: range, place: QRect,
    skip: Collection[int] = (),
) -> None:  # fmt: skip
    """Paint the slots ``seen`` but ``skip`` as blocks of the top and the height of ``place``."""
    colors = [theme.color(tone or PLAIN_TONE) for tone in TONES]
    pixel, gravest = -1, 0
    for slot in seen:
        code = codes[slot]
        if not code or slot in skip:
            continue
        left = grid.x(slot)
        if left == pixel and code <= gravest:
            continue
        pixel, gravest = left, code
        width = min(grid.x(slot + 1) - left - 1, _MOST_BLOCK)
        painter.fillRect(left, place.top(), max(1, width), place.height(), colors[code])
