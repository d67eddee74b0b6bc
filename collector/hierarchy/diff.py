"""What changed between two trees, with nodes matched by what they are and not by their number."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass

from collector.model.tree import Node, Tree

_PLACE = frozenset({"index", "drawing-order", "NAF"})
"""Attributes that say where a node stands among its siblings, which shifts without anything changing."""


@dataclass(frozen=True, slots=True, eq=False)
class NodeChange:
    """One node in both trees; ``attributes`` maps a name to its value before and after ("" when absent)."""

    before: Node
    after: Node
    attributes: Mapping[str, tuple[str, str]]


@dataclass(frozen=True, slots=True, eq=False)
class TreeDiff:
    """``matched`` pairs every node found in both trees, changed or not."""

    added: tuple[Node, ...]
    removed: tuple[Node, ...]
    changed: tuple[NodeChange, ...]
    matched: tuple[tuple[Node, Node], ...]

    @property
    def is_empty(self) -> bool:
        return not (self.added or self.removed or self.changed)


def diff_trees(before: Tree, after: Tree) -> TreeDiff:
    """Match the trees from their roots down and tell what was added, removed and changed.

    Siblings are paired by class, id and words, then by class and id, then by class alone, each
    in order, so a row inserted above shifts nothing.
    """
    pairs: list[tuple[Node, Node]] = []
    waiting = [(before.roots, after.roots)]
    while waiting:
        for one, other in _pair(*waiting.pop()):
            pairs.append((one, other))
            if one.children and other.children:
                waiting.append((one.children, other.children))
    pairs.sort(key=lambda pair: pair[1].order)
    kept, met = {one for one, _other in pairs}, {other for _one, other in pairs}
    changes = ((one, other, _changed(one, other)) for one, other in pairs)
    return TreeDiff(
        added=tuple(node for node in after if node not in met),
        removed=tuple(node for node in before if node not in kept),
        changed=tuple(NodeChange(one, other, what) for one, other, what in changes if what),
        matched=tuple(pairs),
    )


def _pair(ones: Iterable[Node], others: Iterable[Node]) -> list[tuple[Node, Node]]:
    left, right = list(ones), list(others)
    pairs: list[tuple[Node, Node]] = []
    for key in _KEYS:
        found = _pair_by(key, left, right)
        pairs += found
        taken_left, taken_right = {one for one, _other in found}, {other for _one, other in found}
        left = [node for node in left if node not in taken_left]
        right = [node for node in right if node not in taken_right]
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
    """The first words a container holds: they tell rows apart that have none of their own."""
    words: list[str] = []
    for looked, below in enumerate(node.descendants()):
        if below.label:
            words.append(below.label)
        if len(words) == 3 or looked == 12:
            break
    return tuple(words)


def _changed(one: Node, other: Node) -> dict[str, tuple[str, str]]:
    if one.attributes == other.attributes:
        return {}
    names = dict.fromkeys((*one.attributes, *other.attributes))
    return {
        name: (one.get(name), other.get(name))
        for name in names
        if name not in _PLACE and one.get(name) != other.get(name)
    }
