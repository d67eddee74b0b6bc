"""Place the tags of marked nodes, by arithmetic on whole pixels.

A tag is above the top left edge of its box, or below the box without room above, right-aligned near the right
edge. It never covers another marked box or tag: the later tag moves.
"""

from __future__ import annotations

from collections.abc import Sequence

from collector.model.geometry import Rect, Size


def place_tags(boxes: Sequence[Rect], tags: Sequence[Size], area: Rect) -> list[Rect]:
    """Return one rectangle for each tag, in order, inside ``area``; all in the same pixels."""
    placed: list[Rect] = []
    for order, (box, tag) in enumerate(zip(boxes, tags, strict=True)):
        others = [other for number, other in enumerate(boxes) if number != order and not other.encloses(box)]
        choices = [_inside(place, area) for place in _candidates(box, tag, area)]
        free = (place for place in choices if not _covers(place, others) and not _covers(place, placed))
        apart = (place for place in choices if not _covers(place, placed))
        placed.append(next(free, None) or next(apart, choices[0]))
    return placed


def _candidates(box: Rect, tag: Size, area: Rect) -> list[Rect]:
    """Return positions above, below and within the box, each from the left and from the right."""
    left = box.left
    right = box.right - tag.width
    lefts = (left, right) if left + tag.width <= area.right else (right, left)
    above = [y for y in (box.top - tag.height,) if y >= area.top]
    below = [y for y in (box.bottom,) if y + tag.height <= area.bottom]
    rows = [*above, *below, max(area.top, box.top)]
    return [Rect(x, y, x + tag.width, y + tag.height) for y in rows for x in lefts]


def _inside(place: Rect, area: Rect) -> Rect:
    dx = min(0, area.right - place.right)
    dx = max(dx, area.left - place.left)
    dy = min(0, area.bottom - place.bottom)
    dy = max(dy, area.top - place.top)
    return place.translated(dx, dy)


def _covers(place: Rect, others: Sequence[Rect]) -> bool:
    return any(place.intersection(other) is not None for other in others)
