"""Paint the lanes of a timeline: only what lies between two x, in one trajectory's grid."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QRect
from PySide6.QtGui import QPainter

from studio.theme import theme
from studio.widgets.thumbnail_cache import ThumbnailCache
from studio.widgets.timeline.film_painter import FilmStripPainter
from studio.widgets.timeline.grid import TimelineGrid
from studio.widgets.timeline.lane_rows import LaneRow
from studio.widgets.timeline.lanes import PLAIN_TONE, FilmLane, LaneTick, SlotKind, TextLane
from studio.widgets.timeline.mark_painter import MarkPainter
from studio.widgets.timeline.sizes import TimelineSizes

_BLOCK = 24
"""Height of a step without its thumbnail."""
_TICK = 3
"""The same where other steps have theirs."""
_FAR = 10
"""Slots that the last mark may reach beyond the end."""
_TONE_ORDER = ("err", "warn", "accent", "info", "ok", PLAIN_TONE)
"""Where several marks share a pixel, the first of these tones wins."""


class LanePainter:
    """Paints one lane at a time."""

    def __init__(self, thumbnails: ThumbnailCache, sizes: TimelineSizes) -> None:
        self.films, self.marks = FilmStripPainter(thumbnails, sizes), MarkPainter(sizes)
        self._sizes = sizes

    def paint(
        self, painter: QPainter, row: LaneRow, grid: TimelineGrid, seen: range, top: int, current: int
    ) -> bool:  # fmt: skip
        """Paint the slots ``seen``; return whether the cursor would cross words."""
        if not seen:
            return False
        lane = row.lane
        if isinstance(lane, FilmLane):
            return self._film(painter, lane, grid, seen, top, current)
        if isinstance(lane, TextLane):
            if grid.is_overview:
                self._ticks(
                    painter, grid, lane.ticks(seen.start, seen.stop), QRect(0, top + 5, 0, row.height - 11)
                )
                return False
            return self._text(painter, lane, grid, seen, top, current)
        return False

    def _film(
        self, painter: QPainter, lane: FilmLane, grid: TimelineGrid, seen: range, top: int, current: int
    ) -> bool:  # fmt: skip
        shown = [number for number in seen if grid.has_thumb(number)]
        others = (number for number in seen if not grid.has_thumb(number))
        bare = [LaneTick(number, 1, tone) for number in others if (tone := lane.tone(number))]
        high = _BLOCK if not shown else _TICK
        middle = top + self._sizes.film // 2
        place = QRect(0, middle - high // 2 if not shown else top + self._sizes.film - high - 1, 0, high)
        self._ticks(painter, grid, bare, place)
        for number in shown:
            if number != current:
                self.films.film(painter, grid, number, lane.slot(number), top, current=False)
        if current not in seen or not (current in shown or (shown and lane.tone(current))):
            return False
        slot = lane.slot(current)
        self.films.film(painter, grid, current, slot, top, current=True)  # above its neighbours
        return slot.kind in (SlotKind.LIVE, SlotKind.PAUSED)

    @staticmethod
    def _ticks(painter: QPainter, grid: TimelineGrid, ticks: Iterable[LaneTick], place: QRect) -> None:
        """Paint marks without words in a strip of a height; of those in one pixel the gravest is visible."""
        boxes: dict[tuple[int, int], str] = {}
        for tick in ticks:
            left, right = grid.x(tick.slot), grid.x(tick.slot + tick.length)
            box = (left, max(1, min(right - left - 1, tick.length * 14)))
            known = boxes.get(box)
            if known is None or _TONE_ORDER.index(tick.tone) < _TONE_ORDER.index(known):
                boxes[box] = tick.tone
        colors = {tone: theme.color(tone) for tone in set(boxes.values())}
        for (left, width), tone in boxes.items():
            painter.fillRect(left, place.top(), width, place.height(), colors[tone])

    def _text(
        self, painter: QPainter, lane: TextLane, grid: TimelineGrid, seen: range, top: int, current: int
    ) -> bool:  # fmt: skip
        cursor, crossed = grid.middle(current), False
        marks = list(lane.marks(seen.start, seen.stop))
        for place, mark in enumerate(marks):
            after = marks[place + 1].slot if place + 1 < len(marks) else grid.count + _FAR
            end = min(mark.slot + mark.span, after) if mark.span else after
            is_current = mark.span == 1 and mark.slot == current
            words = self.marks.mark(painter, grid, mark, top, end, current=is_current)
            crossed |= cursor in words
        return crossed
