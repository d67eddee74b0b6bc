"""Read the extras of an intent as Android does: a value of the wrong type counts as missing."""

from __future__ import annotations

from collections.abc import Mapping


def string(extras: Mapping[str, object], key: str, default: str) -> str:
    """The value of ``--es key``."""
    value = extras.get(key)
    return value if isinstance(value, str) else default


def integer(extras: Mapping[str, object], key: str, default: int = 0) -> int:
    """The value of ``--ei key``."""
    value = extras.get(key)
    return value if isinstance(value, int) and not isinstance(value, bool) else default
