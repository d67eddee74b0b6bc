"""The way of a finger in few points: for a phone that takes each of them by a command of its own."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass

from collector.model.geometry import Point

MOST_POINTS = 40
"""Each takes some 40 ms."""
_TOLERANCE_PX = 12.0
_HOLD_MS = 400
"""A finger that stays so long picks up what is under it."""


@dataclass(frozen=True, slots=True)
class WayPoint:
    """Where a finger was ``ms`` after touch-down."""

    ms: float
    point: Point


def few_points(way: Sequence[WayPoint]) -> list[WayPoint]:
    """The points that keep the shape of a way, to some pixels or to the number that is allowed.

    Those farthest from the lines between the others come first. Where it was held it moves off in time.
    """
    last = len(way) - 1
    kept, spans = {0, last, _still(way)}, [_farthest(way, 0, last)]
    while spans and len(kept) < MOST_POINTS:
        off, far, first, end = heapq.heappop(spans)
        if -off <= _TOLERANCE_PX:
            break
        kept.add(far)
        for span in ((first, far), (far, end)):
            heapq.heappush(spans, _farthest(way, *span))
    return [way[at] for at in sorted(kept)]


def is_straight(way: Sequence[WayPoint]) -> bool:
    """Whether two points say it all: it has no bend, and moves at once."""
    return -_farthest(way, 0, len(way) - 1)[0] <= _TOLERANCE_PX and not _still(way)


def _still(way: Sequence[WayPoint]) -> int:
    """The last point of a finger that was held before it moved; 0 for one that moved at once."""
    moved = next((at for at, it in enumerate(way) if _apart(it, way[0]) > _TOLERANCE_PX), len(way))
    return moved - 1 if way[moved - 1].ms >= _HOLD_MS else 0


def _farthest(way: Sequence[WayPoint], first: int, last: int) -> tuple[float, int, int, int]:
    """How far the point farthest from a line lies from it, negative for the heap; which one; and the line."""
    between = range(first + 1, last)
    far = max(between, key=lambda at: _off(way, at, first, last), default=first)
    return -_off(way, far, first, last), far, first, last


def _apart(one: WayPoint, other: WayPoint) -> float:
    return one.point.distance_to(other.point)


def _off(way: Sequence[WayPoint], at: int, first: int, last: int) -> float:
    """How far a point is from the line between two others."""
    point, start, end = way[at].point, way[first].point, way[last].point
    across, down = end.x - start.x, end.y - start.y
    length = across * across + down * down
    share = ((point.x - start.x) * across + (point.y - start.y) * down) / length if length else 0.0
    share = min(1.0, max(0.0, share))
    return point.distance_to(Point(round(start.x + share * across), round(start.y + share * down)))
