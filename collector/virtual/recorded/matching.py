"""Which recorded transition an input takes: the same kind of action at the same place."""

from __future__ import annotations

import math
from collections.abc import Iterable

from collector.adb.keys import action_key
from collector.model.action import Action, DoubleTap, Drag, Key, LongPress, Pinch, Scroll, Swipe, Tap, Type
from collector.model.geometry import Point, Size
from collector.model.transition_graph import GraphScreen, Transition
from collector.virtual.ui import events

_NEAR = 0.04
"""How far from a recorded point a touch may be where no node is known there, as a share of the diagonal."""
_KINDS: dict[str, tuple[type[Action], ...]] = {
    events.TAP: (Tap,),
    events.DOUBLE_TAP: (DoubleTap,),
    events.LONG_PRESS: (LongPress,),
    events.SWIPE: (Swipe, Scroll),
    events.DRAG: (Drag, Swipe),
}
_OPPOSITE = {"up": "down", "down": "up", "left": "right", "right": "left"}
_ZOOMED = 1.15
"""Fingers that spread, or close, so far have zoomed."""


def by_gesture(
    leaving: Iterable[Transition], screen: GraphScreen, gesture: events.WholeGesture
) -> list[Transition]:
    """The transitions that a gesture takes, the nearest ones first."""
    start, end = _place(gesture.start, screen.size), _place(gesture.end, screen.size)

    def fits(transition: Transition) -> bool:
        action = transition.action
        if not isinstance(action, _KINDS[gesture.kind]) or not _at_place(transition, screen.size, start):
            return False
        if isinstance(action, Drag):
            return end.distance_to(action.end) <= 2 * _reach(screen.size)
        if isinstance(action, (Swipe, Scroll)):
            return finger_direction(action) == direction(start, end)
        return True

    return _nearest(filter(fits, leaving), start)


def by_key(leaving: Iterable[Transition], code: int) -> list[Transition]:
    """The transitions that a key takes."""
    return [transition for transition in leaving if code_of(transition) == code]


def code_of(transition: Transition) -> int | None:
    """The code of the key that a transition takes; None when it takes none."""
    return action_key(transition.action.key)[0] if isinstance(transition.action, Key) else None


def by_text(leaving: Iterable[Transition], text: str) -> list[Transition]:
    """The transitions that a typed text takes. A password was not recorded, so any is complete."""
    return [
        transition
        for transition in leaving
        if isinstance(transition.action, Type) and transition.action.text == text and text
    ]


def hidden_text(leaving: Iterable[Transition]) -> list[Transition]:
    """The transitions of a text that was not recorded, as a password."""
    return [
        transition
        for transition in leaving
        if isinstance(transition.action, Type) and (transition.action.redacted or not transition.action.text)
    ]


def by_zoom(leaving: Iterable[Transition], scale: float) -> list[Transition]:
    """The transitions that two fingers take once they spread, or closed, as far as ``scale``."""

    def fits(action: Action) -> bool:
        if not isinstance(action, Pinch):
            return False
        return scale >= _ZOOMED if action.scale > 1 else scale <= 1 / _ZOOMED

    return [transition for transition in leaving if fits(transition.action)]


def followed(found: list[Transition], trail: tuple[tuple[int, int], ...]) -> Transition | None:
    """Of several transitions for one input that of the recording that is followed, else the usual one."""
    if not found:
        return None

    def rank(transition: Transition) -> tuple[bool, int]:
        is_next = any((moment.recording, moment.step) in trail for moment in transition.moments)
        return is_next, len(transition.moments)

    # Only those that are as near as the nearest one: max() keeps the first of equals.
    return max(found, key=rank)


def direction(start: Point, end: Point) -> str:
    """Where a finger moved: ``up``, ``down``, ``left`` or ``right``."""
    across, down = end.x - start.x, end.y - start.y
    if abs(across) > abs(down):
        return "right" if across > 0 else "left"
    return "down" if down > 0 else "up"


def finger_direction(action: Swipe | Scroll) -> str:
    """Where the finger moves in a recorded swipe; a scroll names where the view moves."""
    if isinstance(action, Scroll):
        return _OPPOSITE[action.direction]
    return direction(action.point, action.end)


def field_at(screen: GraphScreen, gesture: events.WholeGesture) -> int | None:
    """The number of the text field under a tap or long press."""
    if gesture.kind not in (events.TAP, events.LONG_PRESS):
        return None
    point = _place(gesture.start, screen.size)
    return next((number for number, area in enumerate(screen.fields) if area.bounds.contains(point)), None)


def described(gesture: events.WholeGesture, size: Size) -> str:
    """A gesture for the log, in px."""
    start, end = _place(gesture.start, size), _place(gesture.end, size)
    to = f" to {end.x},{end.y}" if gesture.kind in (events.SWIPE, events.DRAG) else ""
    return f"{gesture.kind} at {start.x},{start.y}{to}"


def _place(shares: tuple[float, float], size: Size) -> Point:
    return Point(round(shares[0] * size.width), round(shares[1] * size.height))


def _reach(size: Size) -> float:
    return _NEAR * math.hypot(size.width, size.height)


def _at_place(transition: Transition, size: Size, point: Point) -> bool:
    action, area = transition.action, transition.area
    if area is not None:
        return area.contains(point)
    if isinstance(action, (Swipe, Scroll)):
        return True  # no tree says what scrolls: the whole screen does
    recorded = action.point
    return recorded is not None and recorded.distance_to(point) <= _reach(size)


def _nearest(found: Iterable[Transition], point: Point) -> list[Transition]:
    """Those of the smallest area around the point; without areas, those of the nearest place."""

    def far(transition: Transition) -> tuple[int, float]:
        recorded, area = transition.action.point, transition.area
        if area is not None or recorded is None:
            return (area.area if area is not None else 0), 0.0
        return 0, recorded.distance_to(point)

    ordered = sorted(found, key=far)
    return [transition for transition in ordered if far(transition) == far(ordered[0])]
