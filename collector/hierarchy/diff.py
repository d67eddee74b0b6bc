"""Compare two trees: which nodes were added, removed or changed. Nodes are matched by content."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass

from collector.model.tree import Node, Tree

_PLACE = frozenset({"index", "drawing-order", "NAF"})
"""Attributes of the position among siblings; they shift without a visible change."""


@dataclass(frozen=True, slots=True, eq=False)
class NodeChange:
    """A node whose attributes differ; ``attributes`` maps a name to (before, after), "" when absent."""

    before: Node
    after: Node
    attributes: Mapping[str, tuple[str, str]]


@dataclass(frozen=True, slots=True, eq=False)
class TreeDiff:
    """``matched`` pairs all nodes that are in both trees, changed or not."""

    added: tuple[Node, ...]
    removed: tuple[Node, ...]
    changed: tuple[NodeChange, ...]
    matched: tuple[tuple[Node, Node], ...]

    @property
    def is_empty(self) -> bool:
        return not (self.added or self.removed or self.changed)


def diff_trees(before: Tree, after: Tree) -> TreeDiff:
    """Match the trees from their roots down; return what was added, removed and changed.

    Siblings are paired by class, id and words, then by class and id, then by class alone, each
    in order, so a row inserted above shifts nothing.
    """
    pairs: list[tuple[Node, Node]] = []
    waiting = [(before.roots, after.roots)]
    while waiting:
        for old, new in _pair(*waiting.pop()):
            pairs.append((old, new))
            if old.children and new.children:
                waiting.append((old.children, new.children))
    pairs.sort(key=lambda pair: pair[1].order)
    matched_old, matched_new = {old for old, _new in pairs}, {new for _old, new in pairs}
    changes = ((old, new, _changed(old, new)) for old, new in pairs)
    return TreeDiff(
        added=tuple(node for node in after if node not in matched_new),
        removed=tuple(node for node in before if node not in matched_old),
        changed=tuple(NodeChange(old, new, attributes) for old, new, attributes in changes if attributes),
        matched=tuple(pairs),
    )


def _pair(before: Iterable[Node], after: Iterable[Node]) -> list[tuple[Node, Node]]:
    left, right = list(before), list(after)
    pairs: list[tuple[Node, Node]] = []
    for key in _KEYS:
        matches = _pair_by(key, left, right)
        pairs += matches
        matched_left, matched_right = {old for old, _new in matches}, {new for _old, new in matches}
        left = [node for node in left if node not in matched_left]
        right = [node for node in right if node not in matched_right]
        if not left or not right:
            break
    return pairs


def _pair_by(key: Callable[[Node], Hashable], left: list[Node], right: list[Node]) -> list[tuple[Node, Node]]:
    waiting: dict[Hashable, deque[Node]] = {}
    for node in right:
        waiting.setdefault(key(node), deque()).append(node)
    pairs = []
    for node in left:
        queue = waiting.get(key(node))
        if queue:
            pairs.append((node, queue.popleft()))
    return pairs


_KEYS: tuple[Callable[[Node], Hashable], ...] = (
    lambda node: (node.class_name, node.resource_id, node.text, node.content_desc, _words_below(node)),
    lambda node: (node.class_name, node.resource_id, node.text, node.content_desc),
    lambda node: (node.class_name, node.resource_id),
    lambda node: node.class_name,
)


def _words_below(node: Node) -> tuple[str, ...]:
    """Return the first labels below a node, which distinguish rows without words of their own."""
    words: list[str] = []
    for looked, below in enumerate(node.descendants()):
        if below.label:
            words.append(below.label)
        if len(words) == 3 or looked == 12:
            break
    return tuple(words)


def _changed(old: Node, new: Node) -> dict[str, tuple[str, str]]:
    if old.attributes == new.attributes:
        return {}
    names = dict.fromkeys((*old.attributes, *new.attributes))
    return {
        name: (old.get(name), new.get(name))
        for name in names
        if name not in _PLACE and old.get(name) != new.get(name)
    }
