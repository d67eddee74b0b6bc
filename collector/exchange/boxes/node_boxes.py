"""The boxes of nodes: what can be seen of each, without what lies off the screen or under another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from collector.hierarchy.spatial_index import SpatialIndex
from collector.model.geometry import Rect, Size
from collector.model.tree import Node, Tree

_SMALLEST = 2
"""Pixels of the shorter side of the smallest box."""
_SOLID = ("clickable", "long-clickable", "checkable", "scrollable")


@dataclass(frozen=True, slots=True, eq=False)
class NodeBox:
    """A node and its box."""

    node: Node
    box: Rect
    """In pixels of the screen."""


@dataclass(frozen=True, slots=True)
class BoxChoice:
    """Which nodes become boxes."""

    visible: bool = True
    """Only those that can be seen, cut to what is seen of them; else all with bounds on the screen."""
    clickable: bool = False
    """Only those that can be clicked."""
    leaf: bool = False
    """Only those without children."""


def node_boxes(tree: Tree, screen: Size, choice: BoxChoice) -> Iterator[NodeBox]:
    """The boxes of a screen, in document order."""
    whole = Rect(0, 0, screen.width, screen.height)
    index = SpatialIndex(tree) if choice.visible else None
    covers = _covers(tree, index) if index is not None else []
    for node in tree:
        if (choice.clickable and not node.clickable) or (choice.leaf and node.children):
            continue
        bounds = index.visible_box(node) if index is not None else node.bounds
        box = bounds.intersection(whole) if bounds is not None else None
        if box is not None and index is not None:
            box = _uncovered(node, box, covers, index)
        if box is not None and min(box.width, box.height) >= _SMALLEST:
            yield NodeBox(node, box)


def _covers(tree: Tree, index: SpatialIndex) -> list[tuple[int, Node, Rect]]:
    """What nothing is seen through: roots of windows, what can be touched, and words; in drawing order."""
    found = []
    for node in tree:
        is_solid = node.parent is None or any(map(node.flag, _SOLID)) or (node.label and not node.children)
        box = index.visible_box(node) if is_solid else None
        if box is not None and not box.is_empty:
            found.append((index.rank(node), node, box))
    return sorted(found, key=lambda cover: cover[0])


def _uncovered(
    node: Node, box: Rect, covers: Sequence[tuple[int, Node, Rect]], index: SpatialIndex
) -> Rect | None:
    """What is left of a box under what is drawn over it; None when nothing is."""
    rank = index.rank(node)
    for above, cover, area in reversed(covers):
        if above <= rank:
            break
        if box.intersection(area) is None or _are_related(node, cover):
            continue
        left = without(box, area)
        if left is None:
            return None
        box = left
    return box


def without(box: Rect, area: Rect) -> Rect | None:
    """The box without a side that ``area`` covers from edge to edge; a corner or a hole leaves it whole."""
    if area.encloses(box):
        return None
    left, top, right, bottom = box.left, box.top, box.right, box.bottom
    if area.left <= left and area.right >= right:
        if area.top <= top:
            top = max(top, area.bottom)
        elif area.bottom >= bottom:
            bottom = min(bottom, area.top)
    elif area.top <= top and area.bottom >= bottom:
        if area.left <= left:
            left = max(left, area.right)
        elif area.right >= right:
            right = min(right, area.left)
    rest = Rect(left, top, right, bottom)
    return None if rest.is_empty else rest


def _are_related(node: Node, other: Node) -> bool:
    """Whether one lies inside the other in the tree."""
    return any(each is other for each in node.ancestors()) or any(each is node for each in other.ancestors())
