"""A node of a YAML document: scalar, sequence or mapping, with its place in the text."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from collector.located_yaml.diagnostics import Place


@dataclass(slots=True, eq=False)
class YamlNode:
    """A scalar, a sequence (``items``) or a mapping (``pairs``, in the order of the text).

    ``plain`` is the value that PyYAML's safe loader makes of the node.
    """

    kind: str
    """``scalar``, ``sequence`` or ``mapping``."""
    place: Place
    plain: Any = None
    text: str = ""
    """The text of a scalar, without its quotes."""
    items: list[YamlNode] = field(default_factory=list)
    pairs: list[tuple[YamlNode, YamlNode]] = field(default_factory=list)

    @property
    def is_null(self) -> bool:
        """Whether the node is an empty value, ``~`` or ``null``."""
        return self.kind == "scalar" and self.plain is None

    def get(self, name: str) -> YamlNode | None:
        """The value of a mapping's key ``name``; the last value when the key is repeated."""
        for key, value in reversed(self.pairs):
            if key.kind == "scalar" and key.text == name:
                return value
        return None

    def key(self, name: str) -> YamlNode | None:
        """The key ``name`` of a mapping; the last one when it is repeated."""
        for key, _value in reversed(self.pairs):
            if key.kind == "scalar" and key.text == name:
                return key
        return None


def plain_mapping(pairs: list[tuple[YamlNode, YamlNode]]) -> dict[Any, Any]:
    """The plain value of a mapping with ``pairs``."""
    plain: dict[Any, Any] = {}
    for key, value in pairs:
        try:
            plain[key.plain] = value.plain
        except TypeError:  # a mapping or a list as a key; no file format of ours has one
            plain[key.text] = value.plain
    return plain
