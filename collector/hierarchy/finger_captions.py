"""Captions of what several fingers do together."""

from __future__ import annotations

import math

from collector.model.action import FingerPath, Pinch
from collector.model.geometry import Point
from collector.model.i18n import N_
from collector.model.message import _

SCALE_CHANGE = 0.1
"""Of the distance between two fingers: with less they did something else than pinch."""
_TURN_DEGREES = 15
_STILL_SHARE = 0.25
"""Of the distance between the fingers: they stay when they move no farther."""
_SWIPES = {
    "up": N_("Swipe up with {count} fingers"),
    "down": N_("Swipe down with {count} fingers"),
    "left": N_("Swipe left with {count} fingers"),
    "right": N_("Swipe right with {count} fingers"),
}


def fingers_caption(action: Pinch) -> str:
    """What the fingers do: spread, pinch, turn, swipe or tap."""
    count = len(action.fingers)
    if count < 2 or abs(action.scale - 1) >= SCALE_CHANGE:
        if count > 2:
            spread, pinch = N_("Spread {count} fingers"), N_("Pinch {count} fingers")
            return _(spread if action.scale > 1 else pinch, count=count)
        return _("Spread two fingers") if action.scale > 1 else _("Pinch two fingers")
    first, second = action.fingers[:2]
    turn = _turn(first, second)
    if abs(turn) >= _TURN_DEGREES:
        return _("Turn two fingers clockwise") if turn > 0 else _("Turn two fingers anticlockwise")
    start, end = _at(first, 0), _at(first, -1)
    if start.distance_to(end) <= _STILL_SHARE * start.distance_to(_at(second, 0)):
        return _("Tap with {count} fingers", count=count)
    across, down = end.x - start.x, end.y - start.y
    if abs(across) > abs(down):
        direction = "right" if across > 0 else "left"
    else:
        direction = "down" if down > 0 else "up"
    return _(_SWIPES[direction], count=count)


def _at(path: FingerPath, number: int) -> Point:
    _t_ms, x, y = path[number]
    return Point(x, y)


def _turn(first: FingerPath, second: FingerPath) -> float:
    """By how many degrees, -180 to 180, the line between two fingers turned; clockwise is positive."""
    before, after = (
        math.atan2(_at(second, number).y - _at(first, number).y, _at(second, number).x - _at(first, number).x)
        for number in (0, -1)
    )
    return (math.degrees(after - before) + 180) % 360 - 180
