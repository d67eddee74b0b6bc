"""A tree as XPath sees it: numbered in document order, so that what lies below a node is a range."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

from collector.model.tree import Node, Tree

ROOT, HIERARCHY = 0, 1
"""The number of the root, which is no element, and of the element around all nodes of the tree."""
FIRST = 2
"""The number of the first node of the tree."""
_AROUND = Node(-1, {})
_NOT_NAME = re.compile(r"[^\w.-]")


class AttributeNode(NamedTuple):
    """An attribute as a node of a path's result. Those of one element are in the order of their names."""

    owner: int
    """The number of its element."""
    name: str
    value: str


Member = int | AttributeNode
"""A node of a node-set; elements are their numbers."""


class Document:
    """The nodes of a tree by number, those around it without attributes. Never changed after it was built."""

    def __init__(self, tree: Tree) -> None:
        self.nodes = (_AROUND, _AROUND, *tree.nodes)
        self.parents = [-1, ROOT]
        self.parents += (HIERARCHY if node.parent is None else node.parent.order + FIRST for node in tree)
        self.ends = list(range(1, len(self.parents) + 1))
        """For each number, the first one after everything below it."""
        for number in range(len(self.parents) - 1, ROOT, -1):
            parent = self.parents[number]
            if self.ends[parent] < self.ends[number]:
                self.ends[parent] = self.ends[number]

    def __len__(self) -> int:
        return len(self.parents)

    def names(self, *, plain: bool) -> Sequence[str]:
        """The name of each element: its class, or ``node`` if ``plain``. The root has none."""
        return self._plain_names if plain else self._class_names

    def attribute_nodes(self, number: int) -> list[AttributeNode]:
        """The attributes of an element."""
        pairs = self.nodes[number].attributes.items()
        return sorted(AttributeNode(number, name, value) for name, value in pairs if ":" not in name)

    def attribute_nodes_named(self, name: str, numbers: Sequence[int]) -> list[AttributeNode]:
        """The attribute of this name of each element that has it."""
        values = ((number, self.nodes[number].attributes.get(name)) for number in numbers)
        return [AttributeNode(number, name, value) for number, value in values if value is not None]

    def node_of(self, member: Member) -> Node | None:
        """The node of an element, or that an attribute belongs to; None for what is around the tree."""
        number = member if isinstance(member, int) else member.owner
        return self.nodes[number] if number >= FIRST else None

    @cached_property
    def _plain_names(self) -> list[str]:
        return ["", "hierarchy", *(["node"] * (len(self.nodes) - FIRST))]

    @cached_property
    def _class_names(self) -> list[str]:
        return ["", "hierarchy", *map(element_name, self.nodes[FIRST:])]


@lru_cache(maxsize=4)
def document_of(tree: Tree) -> Document:
    """The document of ``tree``; those used last are kept."""
    return Document(tree)


def element_name(node: Node) -> str:
    """How XPath names a node by its class: what no name can hold becomes a dot."""
    name = _NOT_NAME.sub(".", node.class_name)
    return name if name and (name[0].isalpha() or name[0] == "_") else "node"
