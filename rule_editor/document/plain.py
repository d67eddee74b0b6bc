"""YAML nodes as plain values with keys as they are written, compared strictly."""

from __future__ import annotations

from typing import Any

from collector.located_yaml.yaml_node import YamlNode


def plain_of(node: YamlNode) -> Any:
    """Dicts by the text of keys, lists and scalars; of a key that stands twice the last one counts."""
    if node.kind == "sequence":
        return [plain_of(item) for item in node.items]
    if node.kind == "mapping":
        return {
            key.text if key.kind == "scalar" else repr(key.plain): plain_of(one) for key, one in node.pairs
        }
    return node.plain


def at_path(plain: Any, path: tuple[str | int, ...]) -> Any:
    """What stands at ``path`` of a plain value."""
    for step in path:
        plain = plain[step]
    return plain


def same(one: Any, other: Any) -> bool:
    """Equal in type and value all the way down, whatever the order of keys; nan is itself."""
    if one is other:
        return True
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == other or (one != one and other != other))


def as_written(node: YamlNode, value: Any) -> bool:
    """Whether the node reads as ``value`` already, in whatever way it is written."""
    if node.kind == "scalar" and node.plain is not None:
        if isinstance(value, str):
            return node.text == value
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            plain = node.plain
            return isinstance(plain, (int, float)) and not isinstance(plain, bool) and plain == value
    return same(plain_of(node), value)
