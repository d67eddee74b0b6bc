"""Merge plain data as variations of apps do: a key with ``+`` is merged onto what is there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

PLUS = "+"


def merged(base: Mapping[str, Any], patch: Mapping[str, Any]) -> dict[str, Any]:
    """``base`` with the keys of ``patch``: a key replaces the value, one that begins with ``+`` is merged."""
    result = dict(base)
    for key, value in patch.items():
        name = key.removeprefix(PLUS)
        result[name] = _added(result.get(name), value) if key.startswith(PLUS) else plain(value)
    return result


def _added(base: Any, more: Any) -> Any:
    """Mappings are merged key by key, lists item by item; anything else is replaced."""
    if isinstance(more, Mapping):
        return merged(base if isinstance(base, Mapping) else {}, more)
    if isinstance(more, Sequence) and not isinstance(more, str):
        return _extended(base if isinstance(base, list) else [], more)
    return more


def _extended(base: Sequence[Any], more: Sequence[Any]) -> list[Any]:
    """An item whose ``id`` is in the list is merged onto that item; the others come to the end."""
    items = list(base)
    places = {item["id"]: i for i, item in enumerate(items) if isinstance(item, Mapping) and "id" in item}
    for item in more:
        place = places.get(item.get("id")) if isinstance(item, Mapping) else None
        if place is None:
            items.append(plain(item))
        else:
            items[place] = merged(items[place], item)
    return items


def plain(value: Any) -> Any:
    """A value without ``+`` in its keys."""
    if isinstance(value, Mapping):
        return merged({}, value)
    if isinstance(value, list):
        return [plain(item) for item in value]
    return value
