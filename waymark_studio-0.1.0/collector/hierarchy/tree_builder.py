"""Build a tree from start and end tags; expat, the lenient reader and the JSON reader feed it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import islice

from collector.hierarchy.errors import HierarchyError
from collector.model.geometry import Rect
from collector.model.i18n import _, ngettext
from collector.model.tree import Node, Tree

MAX_DEPTH = 1000
"""Deeper nodes become children of the last level, which bounds the depth of every tree."""

MAX_NODES = 20_000
"""A tree of more is refused; the largest real ones have some thousands."""
MAX_ATTRIBUTES = 1000
"""More attributes of a node are left out; real nodes have two or three dozen."""
MAX_VALUE = 100_000
"""Characters of an attribute; the rest of a longer one is left out. Real ones have some thousands at most."""

_BOUNDS = re.compile(r"\s*\[(-?\d{1,9}), ?(-?\d{1,9})\] ?\[(-?\d{1,9}), ?(-?\d{1,9})\]\s*")
_NUMBER = re.compile(r"-?\d{1,9}(?:\.\d{1,9})?")
_NEEDED = ("text", "resource-id", "class", "package", "content-desc", "bounds", "x", "y", "width", "height")
WRAPPERS = frozenset({"hierarchy", "AppiumAUT"})
"""Elements around the nodes, which are no nodes."""


class TreeBuilder:
    """Receive start and end tags in document order. Never recurses."""

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self.root_attributes: Mapping[str, str] = {}
        self.documents = 0
        self.tags: set[str] = set()
        self._open: list[Node | None] = []
        self._parent: Node | None = None
        self._children: dict[int, list[Node]] = {}
        self._roots = 0
        self._too_deep = 0
        self._attributes_left_out = 0
        self._values_cut = 0

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self._open.append(self._parent)
        if tag in WRAPPERS:
            if self.documents == 0 or not self.root_attributes:
                self.root_attributes = attributes
            self.documents += tag == "hierarchy"
            return
        parent = self._parent
        order = len(self.nodes)
        if order >= MAX_NODES:
            raise too_many_nodes()
        if len(attributes) > MAX_ATTRIBUTES:
            self._attributes_left_out += len(attributes) - MAX_ATTRIBUTES
            attributes = _first(attributes)
        if attributes and max(map(len, attributes.values())) > MAX_VALUE:
            self._values_cut += sum(len(value) > MAX_VALUE for value in attributes.values())
            attributes = {name: value[:MAX_VALUE] for name, value in attributes.items()}
        self.tags.add(tag)
        if tag != "node":
            _name_by_tag(tag, attributes)
        node = Node(order, attributes, parent, bounds=_bounds(attributes))
        if parent is None:
            node.root_position = self._roots
            self._roots += 1
        else:
            node.depth = parent.depth + 1
            self._children.setdefault(parent.order, []).append(node)
        self.nodes.append(node)
        if node.depth < MAX_DEPTH:
            self._parent = node
        else:
            self._too_deep += 1

    def end(self, tag: str) -> None:  # noqa: ARG002 - the shape expat calls
        self._parent = self._open.pop()

    @property
    def is_hierarchy(self) -> bool:
        """Whether the tags so far are a UI hierarchy rather than some other XML."""
        return bool(self.documents or "node" in self.tags) or any(node.bounds for node in self.nodes)

    def finish(self, source: str | None, repairs: list[str]) -> Tree:
        """Return the tree of everything received; elements still open are closed."""
        for order, children in self._children.items():
            self.nodes[order].children = tuple(children)
        if self._too_deep:
            repairs.append(
                ngettext(
                    "{count} node lies at the depth limit of {limit}; what was below it hangs beside it",
                    "{count} nodes lie at or below the depth limit of {limit} and hang side by side",
                    self._too_deep,
                    limit=MAX_DEPTH,
                )
            )
        if self._attributes_left_out:
            repairs.append(
                _(
                    "A node has more than {limit} attributes; {count} were left out",
                    limit=MAX_ATTRIBUTES,
                    count=self._attributes_left_out,
                )
            )
        if self._values_cut:
            repairs.append(
                _(
                    "The end of an attribute with more than {limit} characters was left out ({count} times)",
                    limit=f"{MAX_VALUE:,}",
                    count=self._values_cut,
                )
            )
        if self.documents > 1:
            repairs.append(
                _("The file holds {count} trees; their roots are siblings now", count=self.documents)
            )
        return Tree(
            nodes=tuple(self.nodes),
            rotation=rotation_of(self.root_attributes),
            source=source or self._dialect(),
            repairs=tuple(repairs),
            attributes=self.root_attributes,
        )

    def _dialect(self) -> str:
        if self.tags - {"node"}:
            return "xcuitest" if any(tag.startswith("XCUI") for tag in self.tags) else "appium"
        if self.nodes and "visible-to-user" in self.nodes[0].attributes:
            return "uiautomator2"
        return "uiautomator"


def _first(attributes: dict[str, str]) -> dict[str, str]:
    """``MAX_ATTRIBUTES`` of the attributes: those that trees are read for, and the first others."""
    needed = {name: attributes[name] for name in _NEEDED if name in attributes}
    others = (item for item in attributes.items() if item[0] not in needed)
    return needed | dict(islice(others, MAX_ATTRIBUTES - len(needed)))


def too_many_nodes() -> HierarchyError:
    """The error for a dump of more than ``MAX_NODES``."""
    return HierarchyError(
        _("The dump has too many nodes to read"),
        _("It has more than {limit}; a screen has some thousands at most", limit=f"{MAX_NODES:,}"),
        _("Dump the UI tree again, or leave the file out"),
    )


def rotation_of(attributes: Mapping[str, str]) -> int:
    """Return the quarter turns, 0 to 3; 0 when the dump has no usable value."""
    text = attributes.get("rotation", "0")
    return int(text) if text in ("0", "1", "2", "3") else 0


def _name_by_tag(tag: str, attributes: dict[str, str]) -> None:
    """Add the attributes of other dialects to an element whose tag is its class."""
    attributes.setdefault("class", tag)
    if tag.startswith("XCUI"):
        attributes.setdefault("text", attributes.get("label") or attributes.get("value", ""))
        attributes.setdefault("resource-id", attributes.get("name", ""))


def _bounds(attributes: Mapping[str, str]) -> Rect | None:
    text = attributes.get("bounds")
    if text is not None:
        match = _BOUNDS.fullmatch(text)
        if match is None:
            return None
        left, top, right, bottom = match.groups()
        return Rect(int(left), int(top), int(right), int(bottom))
    if "width" not in attributes:
        return None
    parts = [attributes.get(name, "") for name in ("x", "y", "width", "height")]
    if not all(_NUMBER.fullmatch(part) for part in parts):
        return None
    x, y, width, height = (round(float(part)) for part in parts)
    return Rect(x, y, x + width, y + height)
