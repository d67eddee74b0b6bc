"""Touches on a zoomable widget: two fingers zoom and move it, one finger drags it."""

from __future__ import annotations

import math
from collections.abc import Callable

from collector.model.geometry import Point
from collector.model.phone.touch import TouchAction
from collector.virtual.system.windows.window import Window
from collector.virtual.ui.events import Event, Pinch
from collector.virtual.ui.scene import SceneNode

_MIN_DISTANCE = 8.0
"""Fingers closer than this many px count as this far apart."""


class Pincher:
    """Follow all touches, and send pinch events to the zoomable widget under them."""

    def __init__(self, send: Callable[[Window, Event], None]) -> None:
        self._send = send
        self._fingers: dict[int, Point] = {}
        self._target: tuple[Window, str] | None = None

    @property
    def is_active(self) -> bool:
        """Whether a zoomable widget owns the touches until the last finger is lifted."""
        return self._target is not None

    def touch(self, action: TouchAction, pointer: int, point: Point) -> bool:
        """Process one touch event; False when it does not belong to a zoomable widget."""
        was_active = self.is_active
        if action is TouchAction.DOWN:
            self._fingers[pointer] = point
        elif action is TouchAction.MOVE:
            self._move(pointer, point)
        else:
            self._fingers.pop(pointer, None)
            if not self._fingers:
                self._target = None
        return was_active

    def pinch(self, window: Window | None) -> bool:
        """Grab the zoomable widget of ``window`` under both fingers; False when there is none."""
        if window is None or len(self._fingers) != 2:
            return False
        node = zooming(window, list(self._fingers.values()))
        if node is not None:
            self.hold(window, node)
        return node is not None

    def hold(self, window: Window, node: SceneNode) -> None:
        """Grab ``node`` with the fingers that are down, at their current places."""
        self._target = (window, node.path)

    def _move(self, pointer: int, point: Point) -> None:
        if pointer not in self._fingers:
            return
        before = list(self._fingers.values())[:2]
        self._fingers[pointer] = point
        if self._target is None:
            return
        after = list(self._fingers.values())[:2]
        window, path = self._target
        node = window.scene.by_path(path)
        event = node.widget.on_pinch if node is not None else None
        if node is not None and event is not None and after != before:
            self._send(window, event.with_value(_change(node, before, after)))


def zooming(window: Window, points: list[Point]) -> SceneNode | None:
    """The topmost zoomable widget that contains all points."""
    for node in window.scene.at(points[0]):
        if node.widget.on_pinch is not None and all(node.visible.contains(point) for point in points):
            return node
    return None


def _change(node: SceneNode, before: list[Point], after: list[Point]) -> Pinch:
    (x, y), (to_x, to_y) = _middle(before), _middle(after)
    width, height = max(1, node.rect.width), max(1, node.rect.height)
    return Pinch(
        _spread(after) / _spread(before),
        ((x - node.rect.left) / width, (y - node.rect.top) / height),
        ((to_x - x) / width, (to_y - y) / height),
    )


def _middle(points: list[Point]) -> tuple[float, float]:
    return sum(point.x for point in points) / len(points), sum(point.y for point in points) / len(points)


def _spread(points: list[Point]) -> float:
    if len(points) < 2:
        return 1.0
    return max(_MIN_DISTANCE, math.hypot(points[0].x - points[1].x, points[0].y - points[1].y))
