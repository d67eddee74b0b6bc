"""Values of app states as keys: equal for states that are the same, also where a state has mappings."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

_names: dict[type[Any], tuple[str, ...]] = {}


def field_names(kind: type[Any]) -> tuple[str, ...]:
    """The names of the fields of a dataclass."""
    names = _names.get(kind)
    if names is None:
        names = _names[kind] = tuple(item.name for item in fields(kind))
    return names


def frozen(value: Any) -> Hashable:
    """A value that can be hashed, equal for equal values of the same type."""
    if is_dataclass(value) and not isinstance(value, type):
        kind = type(value)
        return (kind, *(frozen(getattr(value, name)) for name in field_names(kind)))
    if isinstance(value, Mapping):
        return tuple((key, frozen(item)) for key, item in value.items())
    if isinstance(value, list | tuple):
        try:
            hash(value)
        except TypeError:
            return tuple(map(frozen, value))
        return value if isinstance(value, tuple) else tuple(value)
    return value if isinstance(value, Hashable) else repr(value)
