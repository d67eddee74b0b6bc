"""AITW's actions, which AITZ keeps: numbered kinds, and touches as shares of the screen, y first."""

from __future__ import annotations

import math
from typing import Any

from collector.model.action import Action, Complete, Impossible, Key, Swipe, Tap, Type
from collector.model.geometry import Size

_TYPE, _TOUCH = 3, 4
_PLAIN: dict[int, Action] = {
    5: Key("back"),
    6: Key("home"),
    7: Key("enter"),
    10: Complete(),
    11: Impossible(),
}
_TAP_WITHIN = 0.04
"""A finger lifted no farther than this share of the screen from where it touched made a tap."""
_SLACK = 0.05
"""How far outside the screen a finger that left it may be noted; farther is no place at all, as -1 is."""


def action_from(kind: Any, text: Any, touch: Any, lift: Any, *, screen: Size | None) -> Action:
    """The action of one step in pixels of ``screen``. Raises ValueError when it is unknown or incomplete."""
    if type(kind) is not int:
        raise ValueError(f"action type {kind!r}")
    if kind == _TYPE:
        typed = str(text or "")
        return Type(typed, len(typed))
    if kind == _TOUCH:
        return _touch(touch, lift, screen)
    if kind not in _PLAIN:
        raise ValueError(f"action type {kind}")
    return _PLAIN[kind]


def _touch(touch: Any, lift: Any, screen: Size | None) -> Action:
    if screen is None or screen.is_empty:
        raise ValueError("a touch on a screen of unknown size")
    start, end = _share(touch), _share(lift)
    x, y = _pixels(start, screen)
    if math.dist(start, end) <= _TAP_WITHIN:
        return Tap(x, y)
    return Swipe(x, y, *_pixels(end, screen))


def _share(yx: Any) -> tuple[float, float]:
    try:
        y, x = (float(share) for share in yx)
    except (TypeError, ValueError, OverflowError):
        raise ValueError("a touch without a place") from None
    if not all(-_SLACK <= share <= 1 + _SLACK for share in (y, x)):
        raise ValueError("a touch without a place")
    return y, x


def _pixels(yx: tuple[float, float], screen: Size) -> tuple[int, int]:
    y, x = (min(max(share, 0.0), 1.0) for share in yx)
    return min(int(x * screen.width), screen.width - 1), min(int(y * screen.height), screen.height - 1)
