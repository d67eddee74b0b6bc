"""Find elements of the window in front by the selectors that clients send."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Literal

from collector.hierarchy.parse import parse_tree
from collector.model.geometry import Rect
from collector.model.tree import Node, Tree

Selector = Mapping[str, Any]
Relation = Literal["child", "sibling"]

_TEXTS = {"text": "text", "description": "content-desc", "className": "class"}
_TEXTS |= {"packageName": "package", "resourceId": "resource-id"}
_FLAGS = {
    name: name
    for name in (
        "checkable",
        "checked",
        "clickable",
        "scrollable",
        "enabled",
        "focusable",
        "focused",
        "selected",
    )
} | {"longClickable": "long-clickable"}
_COMPARISONS: dict[str, Callable[[str, str], bool]] = {
    "": lambda value, expected: value == expected,
    "Contains": lambda value, expected: expected.casefold() in value.casefold(),
    "StartsWith": lambda value, expected: value.casefold().startswith(expected.casefold()),
    "Matches": lambda value, expected: re.fullmatch(expected, value, re.DOTALL) is not None,
}
_TESTS = {
    f"{field}{suffix}": (attribute, compare)
    for field, attribute in _TEXTS.items()
    for suffix, compare in _COMPARISONS.items()
}


def read_window(xml: bytes) -> Tree | None:
    """Parse the tree that selectors search; None when the phone returns no tree."""
    return parse_tree(xml) if xml else None


def find(tree: Tree, selector: Selector) -> list[Node]:
    """Find all matching elements in document order; only one when the selector names an instance."""
    nodes = _chosen([node for node in tree if _fits(node, selector)], selector)
    relations = zip(
        selector.get("childOrSibling", ()), selector.get("childOrSiblingSelector", ()), strict=False
    )
    for relation, inner in relations:
        nodes = find_near(nodes, relation, inner)
    return nodes


def find_near(nodes: list[Node], relation: Relation, selector: Selector) -> list[Node]:
    """Find matching elements below the first node, as UiSelector does, or below its parent."""
    near = list(_near(nodes[0], relation)) if nodes else []
    return _chosen([node for node in near if _fits(node, selector)], selector)


def _chosen(nodes: list[Node], selector: Selector) -> list[Node]:
    instance = selector.get("instance")
    return nodes if instance is None else nodes[instance : instance + 1]


def _near(node: Node, relation: Relation) -> Iterator[Node]:
    if relation == "child":
        yield from node.descendants()
    elif node.parent is not None:
        yield from node.parent.descendants()


def _fits(node: Node, selector: Selector) -> bool:
    return all(_passes(node, name, expected) for name, expected in selector.items())


def _passes(node: Node, name: str, expected: Any) -> bool:
    if name in _TESTS:
        attribute, compare = _TESTS[name]
        return compare(node.get(attribute), str(expected))
    if name in _FLAGS:
        return node.flag(_FLAGS[name]) is bool(expected)
    return name != "index" or node.get("index") == str(expected)


def describe(selector: Selector) -> str:
    """Print a selector as UiSelector does."""
    left = ("mask", "childOrSibling", "childOrSiblingSelector")
    words = (f"{name.upper()}={value}" for name, value in selector.items() if name not in left)
    return f"UiSelector[{', '.join(words)}]"


def place(node: Node) -> Rect:
    """The element's rectangle in pixels of the rotated screen."""
    return node.bounds or Rect(0, 0, 0, 0)


def information(node: Node) -> dict[str, object]:
    """The ``objInfo`` of an element."""
    rect = place(node)
    bounds = {"bottom": rect.bottom, "left": rect.left, "right": rect.right, "top": rect.top}
    attributes: dict[str, object] = {
        "bounds": bounds,
        "childCount": len(node.children),
        "className": node.class_name,
        "contentDescription": node.content_desc or None,
        "packageName": node.package,
        "resourceName": node.resource_id or None,
        "text": node.text,
        "visibleBounds": bounds,
    }
    return attributes | {name: node.flag(attribute) for name, attribute in _FLAGS.items()}
