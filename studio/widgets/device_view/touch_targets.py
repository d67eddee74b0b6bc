"""What can be touched on a screen, by number and by its words, and which of it lies where."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from collector.agents.screen_elements import screen_elements
from collector.model.geometry import Point, Position, Rect, Size
from collector.model.tree import Node, Tree
from studio.widgets.captions.node_text import short_kind

_TAPPED = ("clickable", "long-clickable", "checkable")
_SWIPE_SHARE = 0.4
"""Length of a swipe, as a share of the screen in its direction."""
_EDGE_SHARE = 0.06
"""Width of the strip at each side that swipes leave to the gestures of the system."""
_ASIDE, _CONE = 2, 3
"""For the next target in a direction: how much more a way aside counts than the way ahead, and how much
longer it may be."""


class Direction(Enum):
    """Where the finger or the cursor goes; the value is the step across and down."""

    LEFT = (-1, 0)
    RIGHT = (1, 0)
    UP = (0, -1)
    DOWN = (0, 1)


@dataclass(frozen=True, slots=True, eq=False)
class TouchTarget:
    """A node that can be touched, scrolled or typed into."""

    number: int
    """From 1, in the order of the tree."""
    node: Node
    bounds: Rect
    """On the screen, in device pixels."""
    label: str
    """What it says, or else what it is; never a password."""

    @property
    def only_scrolls(self) -> bool:
        """Whether a tap does nothing to the node itself, as with a list around its rows."""
        return self.node.flag("scrollable") and not any(map(self.node.flag, _TAPPED))


def touch_targets(tree: Tree | None, screen: Size) -> tuple[TouchTarget, ...]:
    """Number what can be touched on a screen."""
    if tree is None:
        return ()
    shown = [element for element in screen_elements(tree, screen) if element.is_interactive]
    return tuple(
        TouchTarget(number, each.node, each.bounds, each.label or short_kind(each.node))
        for number, each in enumerate(shown, 1)
    )


def next_target(targets: Sequence[TouchTarget], here: Point, direction: Direction) -> TouchTarget | None:
    """Return the nearest target to tap whose middle lies in a direction; None when there is none."""
    across, down = direction.value
    best: tuple[tuple[bool, int], TouchTarget] | None = None
    for target in targets:
        if target.only_scrolls:
            continue
        box, middle = target.bounds, target.bounds.center
        ahead = (middle.x - here.x) * across + (middle.y - here.y) * down
        aside = _gap(here.y, box.top, box.bottom) if across else _gap(here.x, box.left, box.right)
        if ahead <= 0 or ahead * _CONE < aside:
            continue
        # Beside each other comes before nearer, as Android moves its own focus.
        cost = (bool(across and aside), ahead + _ASIDE * aside)
        if best is None or cost < best[0]:
            best = (cost, target)
    return best[1] if best is not None else None


def _gap(here: int, first: int, end: int) -> int:
    """How far a place is from a span; 0 within."""
    return max(first - here, here - end, 0)


def swipe_between(here: Point, screen: Size, direction: Direction) -> tuple[Position, Position]:
    """Return start and end of a swipe from a place; it begins earlier where the screen would end too soon."""
    across, down = direction.value
    x, y = across * screen.width * _SWIPE_SHARE, down * screen.height * _SWIPE_SHARE
    start = _inside(here.x, here.y, screen)
    end = _inside(start.x + x, start.y + y, screen)
    start = _inside(end.x - x, end.y - y, screen)
    return Position(start, screen), Position(end, screen)


def _inside(x: float, y: float, screen: Size) -> Point:
    edge_x, edge_y = screen.width * _EDGE_SHARE, screen.height * _EDGE_SHARE
    return Point(
        round(min(max(x, edge_x), screen.width - 1 - edge_x)),
        round(min(max(y, edge_y), screen.height - 1 - edge_y)),
    )
