"""The first finger on the screen, from down to up, and the gesture that it made as a whole."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from collector.model.geometry import Point
from collector.virtual.system.windows.window import Window
from collector.virtual.ui.events import DRAG, LONG_PRESS, SWIPE, TAP, Event, WholeGesture
from collector.virtual.ui.scene import SceneNode


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
