"""Words of somebody else's in a menu."""

from __future__ import annotations


def menu_text(text: str) -> str:
    """``text`` for a menu, which takes a single ``&`` for the mark of a key."""
    return text.replace("&", "&&")
