"""Places of actions in pixels of the picture that shows them, as data sets give them."""

from __future__ import annotations

from collector.model.action import Action, action_from_dict, action_to_dict
from collector.model.geometry import Size

_PLACES = ("x", "y", "x1", "y1", "x2", "y2")


def in_picture(action: Action, screen: Size, picture: Size) -> Action:
    """An action in pixels of the picture: mirrors send smaller ones than the screen."""
    if action.point is None or screen.is_empty or picture == screen:
        return action
    across, down = picture.width / screen.width, picture.height / screen.height
    values = action_to_dict(action)
    for name, factor in zip(_PLACES, (across, down) * 3, strict=True):
        if name in values:
            values[name] = round(values[name] * factor)
    return action_from_dict(values)


def on_picture(action: Action, picture: Size) -> Action:
    """An action whose places are on the picture: those beside it are moved to its edge."""
    values = action_to_dict(action)
    for name, side in zip(_PLACES, (picture.width, picture.height) * 3, strict=True):
        if name in values:
            values[name] = min(max(values[name], 0), side - 1)
    return action_from_dict(values)
