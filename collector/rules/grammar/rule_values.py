"""Rules and conditions with the values of a task's parameters in the place of their names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import TypeVar

from collector.located_yaml.diagnostics import Place
from collector.model.task_parameter import filled_in

_T = TypeVar("_T")


def with_values(value: _T, values: Mapping[str, str]) -> _T:
    """A rule, or a part of one, with these values; the very same one when it names none of them."""
    if isinstance(value, Place):
        return value
    if is_dataclass(value) and not isinstance(value, type):
        parts = {item.name: getattr(value, item.name) for item in fields(value) if item.init}
        changed = {name: with_values(part, values) for name, part in parts.items() if name != "id"}
        is_same = all(changed[name] is parts[name] for name in changed)
        return value if is_same else replace(value, **changed)
    if isinstance(value, tuple):
        made = tuple(with_values(part, values) for part in value)
        is_same = all(new is old for new, old in zip(made, value, strict=True))
        return value if is_same else made  # type: ignore[return-value]
    if isinstance(value, str | Mapping | list):
        filled = filled_in(value, values)
        return value if filled == value else filled
    return value
