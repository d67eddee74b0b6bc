"""The first finger on the screen, from down to up, and the gesture that it made as a whole."""

from __future__ import annotations

import itertools
import statistics
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field

from collector.model.geometry import Point
from collector.virtual.system.windows.window import Window
from collector.virtual.ui.events import DRAG, LONG_PRESS, SWIPE, TAP, Event, WholeGesture
from collector.virtual.ui.scene import SceneNode

_VELOCITY_WINDOW_NS = 100_000_000
"""The end of a gesture, whose speed counts; a finger that rests for as long throws nothing."""
_PACE_NS = 8_000_000
"""The paces of a finger's events are multiples of this, as a touch panel's are."""


@dataclass(slots=True)
class Finger:
    """The first finger, from down to up."""

    start: Point
    last: Point
    window: Window | None
    target: str = ""
    """Path of the pressed widget; the widget is looked up again on release, as views change."""
    mode: str = "press"
    scroll: str = ""
    horizontal: bool = False
    carries: Event | None = None
    """Event of the widget that it picked up by a long press."""
    rested: bool = False
    """Whether it stayed for a long press before it moved, on a widget that takes whole gestures."""
    timer: int | None = None
    samples: deque[tuple[int, Point]] = field(default_factory=lambda: deque(maxlen=24))


def whole_gesture(finger: Finger, node: SceneNode, end: Point, slop: float) -> WholeGesture:
    """What a finger did that is lifted at ``end``; within ``slop`` px it did not move."""
    moved = finger.start.distance_to(end) > slop
    kinds = (DRAG, SWIPE) if moved else (LONG_PRESS, TAP)
    kind = kinds[0] if finger.rested else kinds[1]
    return WholeGesture(kind, share_of(node, finger.start), share_of(node, end))


def share_of(node: SceneNode, point: Point) -> tuple[float, float]:
    """Where a point is on a node, in shares of its width and height."""
    rect = node.rect
    return (point.x - rect.left) / rect.width, (point.y - rect.top) / rect.height


def speed_at_end(samples: Sequence[tuple[int, Point]], horizontal: bool) -> float:
    """The speed in px a second at which a finger lifts, as it scrolls: up and to the left are positive.

    ``samples`` are times in ns and places, the last one that of the finger's lift. Injected events have the
    time at which they arrive, and from a busy computer they arrive late and then at once. So the pace of the
    whole gesture counts, the median of the paces between any two events, and not each time: the same swipe
    always has the same speed.
    """
    (lifted, last), *_rest = reversed(samples)
    moves = list(samples)[:-1]
    if not moves or lifted - moves[-1][0] > _VELOCITY_WINDOW_NS:
        return 0.0
    if moves[-1][1] != last:
        moves.append((lifted, last))
    if len(moves) == 1:
        return 0.0
    pairs = itertools.combinations(enumerate(at for at, _place in moves), 2)
    between = statistics.median((later - earlier) / (j - i) for (i, earlier), (j, later) in pairs)
    pace = max(1, round(between / _PACE_NS)) * _PACE_NS
    count = min(len(moves) - 1, max(1, _VELOCITY_WINDOW_NS // pace))
    start, end = moves[-1 - count][1], moves[-1][1]
    moved = start.x - end.x if horizontal else start.y - end.y
    return moved / (count * pace / 1e9)
