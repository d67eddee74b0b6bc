"""The actions of an agent before they are executed: which can be, and why others cannot."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

from collector.model.action import (
    ACTIONS,
    DIRECTIONS,
    HALLUCINATED,
    MALFORMED,
    Action,
    Invalid,
    Scroll,
)
from collector.model.geometry import Point, Size
from collector.model.i18n import _

ANY_SCREEN = Size(0, 0)
"""A screen on which no place is missing."""
LONGEST_MS = 60_000
"""The longest time that one action takes; an agent that asks for more gets this."""
_PLACES = ("x", "y", "x1", "y1", "x2", "y2")


def executable(action: object, screen: Size) -> Action:
    """The action as it can be executed on ``screen``, or an Invalid that says why it cannot.

    Times are cut to LONGEST_MS, and parts of pixels rounded.
    """
    if not isinstance(action, Action) or ACTIONS.get(action.kind) is not type(action):
        return Invalid(repr(action)[:500], MALFORMED, _("The agent answered no action"))
    try:
        return _checked(action, screen)
    except (TypeError, ValueError, OverflowError) as error:
        return Invalid(repr(action)[:500], MALFORMED, str(error))


def _checked(action: Action, screen: Size) -> Action:
    values = {item.name: getattr(action, item.name) for item in dataclasses.fields(action)}
    changes: dict[str, Any] = {}
    for item in dataclasses.fields(action):
        value = values[item.name]
        if item.name in _PLACES:
            changes[item.name] = _whole(value)
        elif item.name == "duration_ms":
            changes[item.name] = min(max(0, _whole(value)), LONGEST_MS)
        elif item.name == "scale":
            if not isinstance(value, (int, float)) or not math.isfinite(value) or value <= 0:
                raise ValueError(_("{value} is no scale of a pinch", value=repr(value)))
        elif item.name == "path":
            changes[item.name] = _path(value)
        elif item.type == "str" and not isinstance(value, str):
            raise ValueError(_("{value} is no text", value=repr(value)))
    action = dataclasses.replace(action, **{key: new for key, new in changes.items() if new != values[key]})
    if isinstance(action, Scroll) and action.direction not in DIRECTIONS:
        raise ValueError(_("There is no direction {name}", name=action.direction))
    outside = next((place for place in _places(action) if not _is_on(place, screen)), None)
    if outside is not None:
        why = _("The place {x}, {y} is not on the screen of {size}", x=outside.x, y=outside.y, size=screen)
        return Invalid(repr(action)[:500], HALLUCINATED, why)
    return action


def _whole(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise ValueError(_("{value} is no number of pixels or milliseconds", value=repr(value)))
    return round(value)


def _path(value: object) -> tuple[tuple[int, int, int], ...]:
    if not isinstance(value, (tuple, list)):
        raise ValueError(_("{value} is no path of a finger", value=repr(value)))
    path = []
    for sample in value:
        t_ms, x, y = sample
        path.append((min(max(0, _whole(t_ms)), LONGEST_MS), _whole(x), _whole(y)))
    return tuple(path)


def _places(action: Action) -> list[Point]:
    places = [place for place in (action.point, getattr(action, "end", None)) if place is not None]
    return [*places, *(Point(x, y) for _ms, x, y in getattr(action, "path", ()))]


def _is_on(place: Point, screen: Size) -> bool:
    return screen.is_empty or (0 <= place.x < screen.width and 0 <= place.y < screen.height)
