"""Whether the values of a recorded action are such: a file of a recording may hold anything there."""

from __future__ import annotations

from dataclasses import fields

from collector.model.action import DIRECTIONS, Action, Scroll

_KINDS: dict[str, tuple[type, ...]] = {"int": (int,), "float": (int, float), "str": (str,)}


def is_plain(action: Action) -> bool:
    """Whether its numbers are numbers, its texts are texts and its direction is one."""
    for field in fields(action):
        kind = _KINDS.get(str(field.type))
        value = getattr(action, field.name)
        if kind is not None and (isinstance(value, bool) or not isinstance(value, kind)):
            return False
    return not isinstance(action, Scroll) or action.direction in DIRECTIONS
