"""How many columns of a terminal a text takes."""

from __future__ import annotations

import unicodedata


def text_width(text: str) -> int:
    """Columns of a text: two for wide characters, none for those that combine with the one before."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Me", "Cf")
        else 2 if unicodedata.east_asian_width(character) in "WF" else 1
        for character in text
    )  # fmt: skip
