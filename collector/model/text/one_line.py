"""Texts of others for a terminal, a log or a label: without control characters, on one line, not too long.

A phone, a server or a file may name itself with anything: with escapes that control a terminal, with marks
that turn the direction of reading, or with a megabyte.
"""

from __future__ import annotations

import unicodedata

_LONGEST = 60


def one_line(value: object, longest: int = _LONGEST) -> str:
    """``value`` on one line without control characters, cut with an ellipsis."""
    text = without_controls(" ".join(str(value)[: 8 * longest].split()))
    return text if len(text) <= longest else text[: longest - 1] + "…"


def without_controls(text: str) -> str:
    """``text`` without control characters, but with its line ends."""
    if text.isprintable():
        return text
    return "".join(character for character in text if character == "\n" or not is_control(character))


def is_control(character: str) -> bool:
    """Whether a character is a control character; half a surrogate pair stands for a byte and is not."""
    category = unicodedata.category(character)
    return category[0] == "C" and category != "Cs"
