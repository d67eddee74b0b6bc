"""Input events of the device view, in device pixels, carried by its signals."""

from __future__ import annotations

from dataclasses import dataclass

from collector.model.geometry import Point, Position
from collector.model.phone.touch import TouchAction


@dataclass(frozen=True, slots=True)
class PointerEvent:
    """One pointer pressed, moved, released or cancelled."""

    action: TouchAction
    pointer: int
    position: Position
    time_ns: int
    """``time.monotonic_ns()`` when the event reached the window."""


@dataclass(frozen=True, slots=True)
class ScrollEvent:
    """A turn of the wheel over the screen, in notches; positive is right and up."""

    position: Position
    horizontal: float
    vertical: float
    time_ns: int


def mirrored(position: Position) -> Position:
    """Return the second finger of a pinch: the first, mirrored through the centre of the screen."""
    point, screen = position.point, position.screen
    return Position(Point(screen.width - 1 - point.x, screen.height - 1 - point.y), screen)
