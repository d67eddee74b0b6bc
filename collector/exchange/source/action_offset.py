"""Measure whether each action belongs to its state: some recorders store it with the next one.

A tap is far likelier to land on something small that can be touched in the state it was
made in than in the state it led to; over a trajectory that shows clearly.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from collector.hierarchy.spatial_index import SpatialIndex
from collector.model.geometry import Point
from collector.model.tree import Node, Tree

MIN_TAPS = 3
_TOUCHABLE = ("clickable", "long-clickable", "checkable")
_LARGEST_SHARE = 0.5


@dataclass(frozen=True, slots=True)
class ActionOffset:
    """How many of ``taps`` hit something touchable in their own state, and in the state before."""

    taps: int
    here: int
    before: int
    score_here: float
    score_before: float

    @property
    def is_late(self) -> bool:
        """Whether the actions seem to be stored one state late."""
        return (
            self.taps >= MIN_TAPS
            and self.before > self.here
            and self.score_before > self.score_here + 0.15 * self.taps
        )


def measure(points: Sequence[Point | None], trees: Sequence[Tree | None]) -> ActionOffset:
    """Compare both interpretations: ``points[i]`` belongs to ``trees[i]``, or to ``trees[i - 1]``."""
    indexes = [SpatialIndex(tree) if tree else None for tree in trees]
    pairs = [
        (_fit(indexes[i], trees[i], point), _fit(indexes[i - 1], trees[i - 1], point))
        for i, point in enumerate(points)
        if point is not None and 0 < i < len(trees) and trees[i] and trees[i - 1]
    ]
    return ActionOffset(
        len(pairs),
        sum(here > 0 for here, _ in pairs),
        sum(before > 0 for _, before in pairs),
        sum(here for here, _ in pairs),
        sum(before for _, before in pairs),
    )


def _fit(index: SpatialIndex | None, tree: Tree | None, point: Point) -> float:
    """1 for a tap on a tiny button, towards 0 for a large area, 0 for nothing touchable."""
    if index is None or tree is None:
        return 0.0
    node = next((hit for hit in index.stack(point) if any(hit.flag(flag) for flag in _TOUCHABLE)), None)
    share = _share(node, tree) if node else 1.0
    return 1.0 - share if share <= _LARGEST_SHARE else 0.0


def _share(node: Node, tree: Tree) -> float:
    whole = max((_area(root) for root in tree.roots), default=0)
    return _area(node) / whole if whole else 1.0


def _area(node: Node) -> int:
    return (
        (node.bounds.right - node.bounds.left) * (node.bounds.bottom - node.bounds.top) if node.bounds else 0
    )
