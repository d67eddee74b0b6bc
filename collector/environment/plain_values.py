"""Numbers and arrays of numpy, as policies give them, as the plain values that JSON has, too."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

import numpy as np

from collector.model.action import Action


def plain_action(action: Any) -> Any:
    """An action whose values are no numpy ones; anything else without them."""
    if not isinstance(action, Action):
        return plain_value(action)
    values = ((item.name, getattr(action, item.name)) for item in dataclasses.fields(action))
    return dataclasses.replace(action, **{name: plain_value(value) for name, value in values})


def plain_value(value: Any) -> Any:
    """The value with Python's own numbers, lists and mappings in place of numpy's and of other mappings."""
    if isinstance(value, (np.generic, np.ndarray)):
        return value.tolist()
    if isinstance(value, Mapping):
        return {name: plain_value(part) for name, part in value.items()}
    if isinstance(value, (list, tuple)):
        parts = [plain_value(part) for part in value]
        return parts if isinstance(value, list) else tuple(parts)
    return value
