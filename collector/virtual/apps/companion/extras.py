"""Read our own parameters: numbers also come as text, and what cannot be read counts as none."""

from __future__ import annotations

import re
from collections.abc import Mapping

from collector.model.companion.chain import ChainLink, read_chain
from collector.virtual.ui.extras import string

_COLOUR = re.compile(r"#[0-9A-Fa-f]{6}")
_TRUE, _FALSE = ("true", "1"), ("false", "0")


def number(extras: Mapping[str, object], key: str) -> float | None:
    """A number; None when there is none."""
    value = extras.get(key)
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return None
    try:
        return float(value)
    except ValueError:
        return None


def whole(extras: Mapping[str, object], key: str, usual: int, low: int, high: int) -> int:
    """A whole number within limits."""
    value = number(extras, key)
    return usual if value is None else min(max(int(value), low), high)


def flag(extras: Mapping[str, object], key: str, usual: bool) -> bool:
    """Yes or no."""
    value = extras.get(key)
    if isinstance(value, bool):
        return value
    word = str(value).lower()
    return True if word in _TRUE else False if word in _FALSE else usual


def colour(extras: Mapping[str, object], key: str) -> str:
    """A colour as ``#RRGGBB``; empty when there is none."""
    text = string(extras, key, "")
    return text if _COLOUR.fullmatch(text) else ""


def links(extras: Mapping[str, object]) -> tuple[ChainLink, ...]:
    """The next dialogs of a chain."""
    return read_chain(string(extras, "param_chain", "")) or ()
