"""Plain values of YAML nodes, strict comparison of them, and the comments between them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from collector.located_yaml.yaml_node import YamlNode
from collector.located_yaml.yaml_patch import lines


def plain_of(node: YamlNode) -> Any:
    """The dicts, lists and scalars of a node; keys are texts, and the last one of a repeated key counts."""
    if node.kind == "sequence":
        return [plain_of(item) for item in node.items]
    if node.kind == "mapping":
        return {
            key.text if key.kind == "scalar" else repr(key.plain): plain_of(value)
            for key, value in node.pairs
        }
    return node.plain


def at_path(plain: Any, path: tuple[str | int, ...]) -> Any:
    """The part at ``path`` of a plain value."""
    for step in path:
        plain = plain[step]
    return plain


def same(first: Any, second: Any) -> bool:
    """Whether type and value are equal at every level; the order of keys is ignored, nan equals nan."""
    if first is second:
        return True
    if type(first) is not type(second):
        return False
    if isinstance(first, dict):
        return first.keys() == second.keys() and all(same(first[key], second[key]) for key in first)
    if isinstance(first, list):
        return len(first) == len(second) and all(map(same, first, second))
    return bool(first == second or (first != first and second != second))


def has_value(node: YamlNode, value: Any) -> bool:
    """Whether the node already has ``value``, in any notation."""
    if node.kind == "scalar" and node.plain is not None:
        if isinstance(value, str):
            return node.text == value
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            plain = node.plain
            return isinstance(plain, (int, float)) and not isinstance(plain, bool) and plain == value
    return same(plain_of(node), value)


def has_comment(text: str, start: int, end: int, *nodes: YamlNode) -> bool:
    """Whether a comment begins between ``start`` and ``end``; a ``#`` in a scalar of the nodes is none."""
    at = start
    for scalar in sorted(_scalars(*nodes), key=lambda node: node.place):
        if lines.has_comment(text[at : scalar.place.start]):
            return True
        at = max(at, scalar.place.end)
    return lines.has_comment(text[at:end])


def _scalars(*nodes: YamlNode) -> Iterator[YamlNode]:
    waiting = list(nodes)
    while waiting:
        node = waiting.pop()
        if node.kind == "scalar":
            yield node
        waiting += node.items
        waiting += (part for pair in node.pairs for part in pair)
