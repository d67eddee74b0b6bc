"""What was touched, as the tree of its screen says: the words of the node, and its place among its like."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from collector.hierarchy.clocks import TIME_OF_DAY
from collector.hierarchy.flat_reader import FlatNodes
from collector.model.trajectory import Target

_MOST_WORDS = 8
"""Labels that are read inside of a node."""
_Kind = tuple[str, str]
"""Class and id of a node."""
_Attributes = dict[str, str]


@dataclass(frozen=True, slots=True)
class TouchedNode:
    """A touched node. Its label is empty when it has no words, neither of its own nor inside."""

    label: str
    is_inside: bool
    """Whether the label is of the nodes inside: a row or a tile without a text of its own."""
    is_shared: bool
    """Whether others of its class and id have the same label, as a button that each row has."""
    counted_from: _Kind
    """Class and id of the nearest node that has an id, itself or above it; of the root when none has."""
    place: tuple[int, ...]
    """Which of its like it is: the number of that node among those of its class and id on the screen, then
    downwards the number of each node among its siblings of its class and id."""


def touched_node(nodes: FlatNodes, target: Target) -> TouchedNode | None:
    """The node of a target; None when the tree has no node of these bounds at its path."""
    screen = _Screen(nodes)
    node = screen.at_path(target.path)
    if node is None or target.bounds is None or screen.attributes(node).get("bounds") != str(target.bounds):
        return None
    label, is_inside = screen.label(node)
    like = screen.of_kind(screen.kind(node))
    is_shared = bool(label) and sum(screen.label(other)[0] == label for other in like) > 1
    return TouchedNode(label, is_inside, is_shared, *screen.place(node))


class _Screen:
    """The nodes of a dump by their place in document order."""

    def __init__(self, nodes: FlatNodes) -> None:
        self._nodes = nodes
        self._children: dict[int, list[int]] = {}
        for node, parent in enumerate(nodes.parents):
            self._children.setdefault(parent, []).append(node)
        self._attributes: dict[int, _Attributes] = {}

    def attributes(self, node: int) -> _Attributes:
        if node not in self._attributes:
            row = self._nodes.rows[node]
            self._attributes[node] = dict(zip(row[::2], row[1::2], strict=True))
        return self._attributes[node]

    def at_path(self, path: Sequence[int]) -> int | None:
        node = -1
        for place in path:
            below = self._children_of(node)
            if not 0 <= place < len(below):
                return None
            node = below[place]
        return node if path else None

    def kind(self, node: int) -> _Kind:
        get = self.attributes(node).get
        return get("class", ""), get("resource-id", "").rpartition("/")[2]

    def of_kind(self, kind: _Kind) -> list[int]:
        return [node for node in range(len(self._nodes.rows)) if self.kind(node) == kind]

    def label(self, node: int) -> tuple[str, bool]:
        """The words of a node, and whether they are inside. What is inside counts when it is clicked too."""
        attributes = self.attributes(node)
        own = _words(attributes)
        if own or attributes.get("clickable") != "true":
            return own, False
        inside: list[str] = []
        opened = self._children_of(node)[::-1]
        while opened and len(inside) < _MOST_WORDS:
            below = opened.pop()
            opened += self._children_of(below)[::-1]
            if words := _words(self.attributes(below)):
                inside.append(words)
        return " ".join(inside), bool(inside)

    def place(self, node: int) -> tuple[_Kind, tuple[int, ...]]:
        """From where a node is counted, and its numbers from there downwards."""
        below: list[int] = []
        while not self.kind(node)[1] and (parent := self._nodes.parents[node]) >= 0:
            like = [each for each in self._children_of(parent) if self.kind(each) == self.kind(node)]
            below.append(like.index(node))
            node = parent
        kind = self.kind(node)
        return kind, (self.of_kind(kind).index(node), *reversed(below))

    def _children_of(self, node: int) -> list[int]:
        return self._children.get(node, [])


def _words(attributes: _Attributes) -> str:
    """The label of a node in one line; none of a password and of a clock."""
    label = " ".join((attributes.get("text") or attributes.get("content-desc", "")).split()).casefold()
    return "" if attributes.get("password") == "true" or TIME_OF_DAY.fullmatch(label) else label
