"""Places of gestures as shares of the screen, so that a phone of another size is touched alike."""

from __future__ import annotations

from collector.model.action import Scroll, Swipe
from collector.model.geometry import Point, Size

_DIGITS = 4
_HALF = {"down": (0, -1), "up": (0, 1), "right": (-1, 0), "left": (1, 0)}
"""Where the finger goes for the view of the content to move in a direction."""


def shares(point: Point, screen: Size) -> tuple[float, float]:
    """A place as shares of the width and height, from 0 to below 1."""
    across = min(point.x / max(screen.width, 1), 0.9999)
    down = min(point.y / max(screen.height, 1), 0.9999)
    return round(across, _DIGITS), round(down, _DIGITS)


def scroll_ends(scroll: Scroll, screen: Size) -> Swipe:
    """A scroll of half a screen as a swipe that stays on the screen."""
    across, down = _HALF[scroll.direction]
    x = min(max(scroll.x + across * screen.width // 4, 1), screen.width - 1)
    y = min(max(scroll.y + down * screen.height // 4, 1), screen.height - 1)
    begin_x = min(max(scroll.x - across * screen.width // 4, 1), screen.width - 1)
    begin_y = min(max(scroll.y - down * screen.height // 4, 1), screen.height - 1)
    return Swipe(begin_x, begin_y, x, y)
