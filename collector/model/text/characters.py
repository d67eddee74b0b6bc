"""Characters as a person sees them: what one backspace takes."""

from __future__ import annotations

import unicodedata

_JOINER = "\u200d"
_VARIANTS = ("\ufe00", "\ufe0f")
_SKIN_TONES = ("\U0001f3fb", "\U0001f3ff")
_TAGS = ("\U000e0020", "\U000e007f")
_LETTERS_OF_FLAGS = ("\U0001f1e6", "\U0001f1ff")
_KEYCAP = "\u20e3"


def characters(text: str) -> list[str]:
    """Split a text: an emoji with all its parts, a flag and a letter with its accents are one each."""
    found: list[str] = []
    for char in text:
        if found and (_extends(char) or found[-1].endswith(_JOINER) or _completes_flag(found[-1], char)):
            found[-1] += char
        else:
            found.append(char)
    return found


def _extends(char: str) -> bool:
    """Whether a character belongs to the previous one: accents, joiners, skin tones, variants."""
    if char in (_JOINER, _KEYCAP) or unicodedata.combining(char):
        return True
    return any(first <= char <= last for first, last in (_VARIANTS, _SKIN_TONES, _TAGS))


def _completes_flag(before: str, char: str) -> bool:
    first, last = _LETTERS_OF_FLAGS
    return first <= char <= last and len(before) == 1 and first <= before <= last
