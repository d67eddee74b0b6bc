"""Paint the lanes of a timeline: only what lies between two x, in one trajectory's grid."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field

from PySide6.QtCore import QRect
from PySide6.QtGui import QPainter

from studio.widgets.thumbnail_cache import ThumbnailCache
from studio.widgets.timeline.film_painter import FilmStripPainter
from studio.widgets.timeline.grid import TimelineGrid
from studio.widgets.timeline.lane_rows import LaneRow
from studio.widgets.timeline.lanes import FilmLane, SlotKind, TextLane
from studio.widgets.timeline.mark_painter import MarkPainter
from studio.widgets.timeline.overview import LaneTones, paint_tones
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
