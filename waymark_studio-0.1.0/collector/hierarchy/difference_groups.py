"""Outline a tree difference: nodes that came, went or moved together are below the topmost of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from collector.hierarchy.diff import NodeMove, TreeDiff
from collector.model.tree import Node

_LAST = ("bounds", "package")
"""Attributes that say less of a change than any other."""
_AFTER, _BEFORE = 0, 1
"""Where a row stands beside the node of the second tree it is put at: in its place, or behind it."""
_Place = tuple[int, int, int]


class NodeDifferenceKind(StrEnum):
    """How a node differs between two trees."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"
    MOVED = "moved"


@dataclass(frozen=True, slots=True, eq=False)
class NodeDifference:
    """A node that differs, and those below it that differ in the same way."""

    kind: NodeDifferenceKind
    before: Node | None
    """The node in the first tree; None for an added one."""
    after: Node | None
    """The node in the second tree; None for a removed one."""
    attributes: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """Of a changed node its attributes as (before, after), those that say most first."""
    move: NodeMove | None = None
    """Of a moved node how far it went, and whether its parent is another."""
    below: tuple[NodeDifference, ...] = ()
    count: int = 1
    """Nodes of this difference: itself and all below it."""

    @property
    def node(self) -> Node:
        """The node, in the second tree where it is there."""
        node = self.after or self.before
        assert node is not None
        return node


def group_differences(diff: TreeDiff) -> tuple[NodeDifference, ...]:
    """The differences in the order of the second tree; removed nodes behind what they stood behind."""
    places = _Places(diff)
    differences = [
        *(_Draft(NodeDifferenceKind.ADDED, None, node) for node in diff.added),
        *(_Draft(NodeDifferenceKind.REMOVED, node, None) for node in diff.removed),
        *(_Draft(NodeDifferenceKind.CHANGED, each.before, each.after, _sorted(each.attributes))
          for each in diff.changed),
        *(_Draft(NodeDifferenceKind.MOVED, each.before, each.after, move=each) for each in diff.moved),
    ]  # fmt: skip
    return tuple(sorted(_folded(differences), key=places.of))


@dataclass(slots=True, eq=False)
class _Draft:
    """A difference whose nodes below are still being collected."""

    kind: NodeDifferenceKind
    before: Node | None
    after: Node | None
    attributes: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    move: NodeMove | None = None
    below: list[NodeDifference] = field(default_factory=list)

    @property
    def node(self) -> Node:
        node = self.after or self.before
        assert node is not None
        return node

    def done(self) -> NodeDifference:
        below = tuple(reversed(self.below))
        return NodeDifference(
            self.kind, self.before, self.after, self.attributes, self.move, below,
            1 + sum(each.count for each in below),
        )  # fmt: skip


class _Places:
    """Where each difference stands among the nodes of the second tree."""

    def __init__(self, diff: TreeDiff) -> None:
        self._behind: dict[Node, int] = {}
        """Of each removed node the order of the node of the second tree that it stood behind."""
        counterparts = dict(diff.matched)
        last = -1
        for node in sorted((*diff.removed, *counterparts), key=lambda node: node.order):
            if node in counterparts:
                last = counterparts[node].order
            else:
                self._behind[node] = last

    def of(self, difference: NodeDifference) -> _Place:
        if difference.after is not None:
            return difference.after.order, _AFTER, 0
        assert difference.before is not None
        return self._behind[difference.before], _BEFORE, difference.before.order


def _folded(drafts: Iterable[_Draft]) -> list[NodeDifference]:
    """Put each difference below that of its parent where both are alike. Never recurses."""
    by_node = {draft.node: draft for draft in drafts}
    top: list[NodeDifference] = []
    # Children stand behind their parents in a tree, so from the end on each is complete when it is reached.
    for draft in sorted(by_node.values(), key=lambda draft: -draft.node.order):
        above = by_node.get(draft.node.parent) if draft.node.parent is not None else None
        if above is not None and _belongs_together(draft, above):
            above.below.append(draft.done())
        else:
            top.append(draft.done())
    return top


def _belongs_together(draft: _Draft, above: _Draft) -> bool:
    if draft.kind is not above.kind or draft.kind is NodeDifferenceKind.CHANGED:
        return False
    if draft.move is None or above.move is None:
        return True
    return not draft.move.has_other_parent and draft.move.by == above.move.by


def _sorted(attributes: Mapping[str, tuple[str, str]]) -> dict[str, tuple[str, str]]:
    return dict(sorted(attributes.items(), key=lambda item: item[0] in _LAST))


def count_by_kind(diff: TreeDiff) -> dict[NodeDifferenceKind, int]:
    """How many nodes were added, removed, changed and moved."""
    return {
        NodeDifferenceKind.ADDED: len(diff.added),
        NodeDifferenceKind.REMOVED: len(diff.removed),
        NodeDifferenceKind.CHANGED: len(diff.changed),
        NodeDifferenceKind.MOVED: len(diff.moved),
    }


def texts_below(difference: NodeDifference, most: int = 3) -> tuple[str, ...]:
    """The first texts of a difference and of the nodes below it; passwords are left out."""
    texts: dict[str, None] = {}
    waiting = [difference]
    while waiting and len(texts) < most:
        each = waiting.pop()
        label = " ".join(each.node.label.split())
        if label and not each.node.password:
            texts[label] = None
        waiting += reversed(each.below)
    return tuple(texts)
