"""Move the coordinates of a recorded action to the screen as it is now."""

from __future__ import annotations

from dataclasses import replace

from collector.model.action import Action, DoubleTap, Drag, FingerPath, LongPress, Pinch, Scroll, Swipe, Tap
from collector.model.geometry import Point, Position, Rect, Size


def on_node(action: Action, recorded: Rect | None, box: Rect, then: Size, now: Size) -> Action:
    """Start ``action`` in the same part of ``box`` as it had in ``recorded``; scale its end."""
    point = action.point
    if point is None:
        return action
    return _moved(action, inside(point, recorded, box), then, now)


def in_place(action: Action, then: Size, now: Size) -> Action:
    """Keep ``action`` in its place, scaled from a screen of size ``then`` to one of size ``now``."""
    point = action.point
    return action if point is None else _moved(action, Position(point, then).on(now), then, now)


def inside(point: Point, recorded: Rect | None, box: Rect) -> Point:
    """The point of ``box`` that lies as ``point`` lies in ``recorded``; its middle when that is unknown."""
    if recorded is None or recorded.is_empty or not recorded.contains(point):
        return box.center
    # In whole numbers: in a box of the same size it is the same pixel.
    x = box.left + (point.x - recorded.left) * box.width // recorded.width
    y = box.top + (point.y - recorded.top) * box.height // recorded.height
    return Point(min(x, box.right - 1), min(y, box.bottom - 1))


def _moved(action: Action, start: Point, then: Size, now: Size) -> Action:
    match action:
        case Tap() | DoubleTap() | LongPress() | Scroll():
            return replace(action, x=start.x, y=start.y)
        case Pinch():
            fingers = tuple(_shifted(path, action.point, start, then, now) for path in action.fingers)
            return replace(action, x=start.x, y=start.y, fingers=fingers)
        case Swipe() | Drag():
            return _redrawn(action, start, then, now)
        case _:
            return action


def _shifted(path: FingerPath, point: Point, start: Point, then: Size, now: Size) -> FingerPath:
    """A finger's path, scaled, and moved as far as ``point`` moves to ``start``."""
    plain = Position(point, then).on(now)
    scaled = ((t_ms, Position(Point(x, y), then).on(now)) for t_ms, x, y in path)
    return tuple((t_ms, at.x + start.x - plain.x, at.y + start.y - plain.y) for t_ms, at in scaled)


def _redrawn(action: Swipe | Drag, start: Point, then: Size, now: Size) -> Swipe | Drag:
    """From ``start`` to the scaled end; the way between bends from one to the other."""
    end = Position(action.end, then).on(now)
    plain = Position(Point(action.x1, action.y1), then).on(now)
    dx, dy = start.x - plain.x, start.y - plain.y
    count = max(1, len(action.path) - 1)
    path = []
    for number, (t_ms, x, y) in enumerate(action.path):
        here, rest = Position(Point(x, y), then).on(now), 1 - number / count
        path.append((t_ms, here.x + round(dx * rest), here.y + round(dy * rest)))
    return replace(action, x1=start.x, y1=start.y, x2=end.x, y2=end.y, path=tuple(path))
