"""Paint the lanes of a timeline: only what lies between two x, in one trajectory's grid."""

from __future__ import annotations

from collections.abc import Collection, Hashable
from dataclasses import dataclass, field

from PySide6.QtCore import QRect
from PySide6.QtGui import QPainter

from studio.theme import theme
from studio.widgets.thumbnail_cache import ThumbnailCache
from studio.widgets.timeline.film_painter import FilmStripPainter
from studio.widgets.timeline.grid import TimelineGrid
from studio.widgets.timeline.lane_rows import LaneRow
from studio.widgets.timeline.lanes import PLAIN_TONE, SLOW_TONE, FilmLane, SlotKind, TextLane
from studio.widgets.timeline.mark_painter import MarkPainter
from studio.widgets.timeline.sizes import TimelineSizes

_BLOCK = 24
"""Height of a step without its thumbnail."""
_TICK = 3
"""Height of a step without its thumbnail, among steps that have theirs."""
_FAR = 10
"""Slots that the last mark may reach beyond the end."""


@dataclass
class PaintedLane:
    """What came of painting a lane."""

    is_crossed: bool = False
    """Whether the cursor would cross words."""
    missing: list[tuple[Hashable, QRect]] = field(default_factory=list)
    """Keys and places of thumbnails that are not loaded yet."""


class LanePainter:
    """Paints one lane at a time."""

    def __init__(self, thumbnails: ThumbnailCache, sizes: TimelineSizes) -> None:
        self.films, self.marks = FilmStripPainter(thumbnails, sizes), MarkPainter(sizes)
        self.tones = LaneTones()
        self._sizes = sizes

    def paint(
        self, painter: QPainter, row: LaneRow, grid: TimelineGrid, seen: range, top: int, current: int = -1
    ) -> PaintedLane:
        """Paint the slots ``seen``; ``current`` stands out."""
        painted = PaintedLane()
        if not seen:
            return painted
        if row.film is not None:
            self._film(painter, row.film, grid, seen, top, current, painted)
        elif row.text is not None and grid.is_overview:
            tones = self.tones.of(row.text, grid.count)
            paint_tones(painter, grid, tones, seen, QRect(0, top + 5, 0, row.height - 11))
        elif row.text is not None:
            painted.is_crossed = self._text(painter, row.text, grid, seen, top, current)
        return painted

    def _film(
        self, painter: QPainter, lane: FilmLane, grid: TimelineGrid, seen: range, top: int, current: int,
        painted: PaintedLane,
    ) -> None:  # fmt: skip
        shown = [number for number in seen if grid.has_thumb(number)]
        if not shown:
            block = QRect(0, top + (self._sizes.film - _BLOCK) // 2, 0, _BLOCK)
            paint_tones(painter, grid, self.tones.of(lane, grid.count), seen, block)
        elif len(shown) < len(seen):
            tick = QRect(0, top + self._sizes.film - _TICK - 1, 0, _TICK)
            paint_tones(painter, grid, self.tones.of(lane, grid.count), seen, tick, skip=frozenset(shown))
        for number in shown:
            if number != current:
                self._slot(painter, lane, grid, number, top, False, painted)
        is_step = current in seen and not grid.is_overview and bool(lane.tone(current))
        if current in shown or is_step:  # above its neighbours
            slot = self._slot(painter, lane, grid, current, top, True, painted)
            painted.is_crossed = slot in (SlotKind.LIVE, SlotKind.PAUSED)

    def _slot(
        self, painter: QPainter, lane: FilmLane, grid: TimelineGrid, number: int, top: int, current: bool,
        painted: PaintedLane,
    ) -> SlotKind:  # fmt: skip
        slot = lane.slot(number)
        missing = self.films.film(painter, grid, number, slot, top, current=current)
        if missing is not None and slot.thumb is not None:
            painted.missing.append((slot.thumb, missing))
        return slot.kind

    def _text(
        self, painter: QPainter, lane: TextLane, grid: TimelineGrid, seen: range, top: int, current: int
    ) -> bool:
        cursor, crossed = grid.middle(current) if current >= 0 else -1, False
        marks = list(lane.marks(seen.start, seen.stop))
        for place, mark in enumerate(marks):
            if mark.slot >= seen.stop:
                break  # it says only how far the mark before it may reach
            after = marks[place + 1].slot if place + 1 < len(marks) else grid.count + _FAR
            end = min(mark.slot + mark.span, after) if mark.span else after
            is_current = mark.span == 1 and mark.slot == current
            words = self.marks.mark(painter, grid, mark, top, end, current=is_current)
            crossed |= cursor in words
        return crossed


TONES = ("", PLAIN_TONE, SLOW_TONE, "ok", "info", "accent", "warn", "err")
"""From nothing to the gravest: where several slots share a pixel the gravest is visible."""
_HEIGHTS = (0.0, 0.4, 0.4, 0.5, 0.5, 0.6, 0.75, 1.0)
"""Of each tone: the graver, the higher is its block, for those who do not see its colour."""
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
        height = max(1, round(place.height() * _HEIGHTS[code]))
        painter.fillRect(left, place.bottom() + 1 - height, max(1, width), height, colors[code])
