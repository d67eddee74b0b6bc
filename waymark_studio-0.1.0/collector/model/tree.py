"""A UI hierarchy: nodes in document order with their attributes as dumped."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from collector.model.geometry import Rect


@dataclass(slots=True, eq=False, repr=False)
class Node:
    """One element of a :class:`Tree`. Built once by a parser and never changed after.

    Nodes compare by identity. ``attributes`` has every attribute of the dump, in its order.
    """

    order: int
    """Place in document order, from 0; ``tree.nodes[node.order] is node``."""
    attributes: Mapping[str, str]
    parent: Node | None = None
    children: tuple[Node, ...] = ()
    depth: int = 0
    bounds: Rect | None = None
    """Pixels of the current rotation; None when the dump gave none that can be read."""
    root_position: int = 0
    """Number of a root among the roots of its tree; 0 for any other node."""

    def __repr__(self) -> str:
        return f"<Node {self.order} {self.short_class} {self.resource_id or self.text!r} {self.bounds}>"

    def get(self, name: str, default: str = "") -> str:
        return self.attributes.get(name, default)

    def flag(self, name: str) -> bool:
        return self.attributes.get(name) == "true"

    @property
    def text(self) -> str:
        return self.attributes.get("text", "")

    @property
    def resource_id(self) -> str:
        return self.attributes.get("resource-id", "")

    @property
    def short_id(self) -> str:
        """``title`` of ``com.example.shop:id/title``."""
        return self.resource_id.rpartition("/")[2]

    @property
    def class_name(self) -> str:
        return self.attributes.get("class", "")

    @property
    def short_class(self) -> str:
        """``TextView`` of ``android.widget.TextView``."""
        return self.class_name.rpartition(".")[2]

    @property
    def package(self) -> str:
        return self.attributes.get("package", "")

    @property
    def content_desc(self) -> str:
        return self.attributes.get("content-desc", "")

    @property
    def label(self) -> str:
        """Its text, or its description if it has no text."""
        return self.text or self.content_desc

    @property
    def clickable(self) -> bool:
        return self.flag("clickable")

    @property
    def password(self) -> bool:
        return self.flag("password")

    def ancestors(self) -> Iterator[Node]:
        """Yield the ancestors, parent first and root last."""
        node = self.parent
        while node is not None:
            yield node
            node = node.parent

    def descendants(self) -> Iterator[Node]:
        """Yield every node below this one, in document order."""
        stack = list(reversed(self.children))
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node.children))

    @property
    def path(self) -> tuple[int, ...]:
        """Child positions from the root down; the root of a tree with one root is ``(0,)``."""
        steps: list[int] = []
        node: Node = self
        while node.parent is not None:
            steps.append(node.parent.children.index(node))
            node = node.parent
        return (node.root_position, *reversed(steps))


@dataclass(frozen=True, slots=True, eq=False)
class Tree:
    """A parsed hierarchy: all nodes in document order, and the repairs of the parser."""

    nodes: tuple[Node, ...]
    rotation: int = 0
    """0 to 3, quarter turns, as the dump says."""
    source: str = "uiautomator"
    """Dialect the dump was written in: uiautomator, uiautomator2, appium, ..."""
    repairs: tuple[str, ...] = ()
    """One sentence for each repair the dump needed."""
    attributes: Mapping[str, str] = field(default_factory=dict)
    """Attributes of the root ``<hierarchy>`` element."""

    def __len__(self) -> int:
        return len(self.nodes)

    def __iter__(self) -> Iterator[Node]:
        return iter(self.nodes)

    @property
    def roots(self) -> tuple[Node, ...]:
        return tuple(node for node in self.nodes if node.parent is None)

    def at_path(self, path: tuple[int, ...]) -> Node | None:
        """Return the node at a :attr:`Node.path`; None when there is none."""
        if not path:
            return None
        level = self.roots
        node: Node | None = None
        for position in path:
            if not 0 <= position < len(level):
                return None
            node = level[position]
            level = node.children
        return node
