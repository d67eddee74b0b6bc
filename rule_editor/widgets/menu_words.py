"""Words of somebody else's in a menu."""

from __future__ import annotations


def as_written(text: str) -> str:
    """``text`` for a menu, which takes a single ``&`` for the mark of a key."""
    return text.replace("&", "&&")
