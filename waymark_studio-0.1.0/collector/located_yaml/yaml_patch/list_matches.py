"""Which items of a list are the same in its new value: equal ones, or those with the same key values."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import SequenceMatcher
from typing import Any

from collector.located_yaml.yaml_node import YamlNode
from collector.located_yaml.yaml_patch.plain_values import has_value, plain_of


class ListMatches:
    """How the items of a list become those of its new value.

    ``opcodes`` are those of SequenceMatcher, from old to new items; ``moved`` gives the old index of each new
    item that stands elsewhere.
    """

    def __init__(self, node: YamlNode, value: list[Any], keys: tuple[str, ...]) -> None:
        self._old_names = (
            [_name(plain_of(item), keys) for item in node.items] if keys else [""] * len(node.items)
        )
        self._new_names = [_name(item, keys) for item in value]
        free = list(range(len(node.items)))
        self._matches: list[int | None] = []
        for at, item in enumerate(value):
            match = next((old for old in free if self._is_same(node, old, at, item)), None)
            if match is not None:
                free.remove(match)
            self._matches.append(match)
        old = list(range(len(node.items)))
        new = [-1 - at if match is None else match for at, match in enumerate(self._matches)]
        self.opcodes = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
        stay = {at for tag, _i1, _i2, j1, j2 in self.opcodes if tag == "equal" for at in range(j1, j2)}
        self.moved = {
            at: match for at, match in enumerate(self._matches) if match is not None and at not in stay
        }

    def rewritten(self, i1: int, i2: int, j1: int, j2: int) -> int:
        """How many of the first items of a replaced part are the same item with another value."""
        moved = set(self.moved.values())
        count = 0
        for old, new in zip(range(i1, i2), range(j1, j2), strict=False):
            if old in moved or new in self.moved or (self._old_names[old] and self._new_names[new]):
                break
            count += 1
        return count

    def _is_same(self, node: YamlNode, old: int, new: int, item: Any) -> bool:
        if self._old_names[old] or self._new_names[new]:
            return self._old_names[old] == self._new_names[new]
        return has_value(node.items[old], item)


def _name(item: object, keys: tuple[str, ...]) -> str:
    """The values of ``keys`` as one text; empty when it has none of them."""
    if not isinstance(item, Mapping) or not any(key in item for key in keys):
        return ""
    return repr([str(item.get(key, "")) for key in keys])
