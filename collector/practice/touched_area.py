"""Where on a recorded screen an action belongs: the bounds of what was touched, or of what scrolls there."""

from __future__ import annotations

from collector.hierarchy.spatial_index import SpatialIndex
from collector.model.action import Action, Drag, Pinch, Scroll, Swipe
from collector.model.geometry import Point, Rect
from collector.model.trajectory import Target
from collector.model.tree import Node, Tree

_FLAGS = ("clickable", "long-clickable", "checkable")


def touched_area(tree: Tree | None, action: Action, target: Target | None) -> Rect | None:
    """The bounds of the node that a recorded action touched; None when no tree tells.

    For a swipe these are the bounds of the view that scrolls under the finger: it scrolls wherever in that
    view the finger goes.
    """
    point = action.point
    if point is None:
        return None
    nodes = SpatialIndex(tree).stack(point) if tree is not None else []
    if isinstance(action, (Swipe, Scroll, Pinch)):
        return _bounds(next((node for node in nodes if node.flag("scrollable")), None))
    if target is not None and target.bounds is not None and target.bounds.contains(point):
        return _clickable_around(nodes, target.bounds) or target.bounds
    if isinstance(action, Drag):
        return None
    return _bounds(next((node for node in nodes if _takes_touches(node)), None)) or _leaf(nodes, point)


def _clickable_around(nodes: list[Node], bounds: Rect) -> Rect | None:
    """The smallest node that takes touches around a label that was touched."""
    around = (node for node in nodes if node.bounds is not None and node.bounds.encloses(bounds))
    return _bounds(next((node for node in around if _takes_touches(node)), None))


def _takes_touches(node: Node) -> bool:
    return any(node.flag(flag) for flag in _FLAGS)


def _leaf(nodes: list[Node], point: Point) -> Rect | None:
    found = next((node for node in nodes if not node.children), None)
    return _bounds(found) if found is not None and found.bounds and found.bounds.contains(point) else None


def _bounds(node: Node | None) -> Rect | None:
    return node.bounds if node is not None else None
