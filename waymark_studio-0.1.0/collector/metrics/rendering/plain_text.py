"""Texts of others on one line of plain characters: names of agents, tasks and models may hold anything."""

from __future__ import annotations

import unicodedata

from collector.model.i18n import _


def plain(text: str) -> str:
    """``text`` on one line, without control characters and invisible ones that change how a line is read.

    What is no character at all, such as half a surrogate pair, becomes U+FFFD.
    """
    return "".join(map(_replaced, " ".join(text.split()))).strip()


def label_text(label: str) -> str:
    """A label for people: words instead of an empty one."""
    return plain(label) or _("(none)")


def _replaced(character: str) -> str:
    if character.isascii() and character.isprintable():
        return character
    category = unicodedata.category(character)
    if category in ("Cc", "Cf"):
        return ""
    return "\N{REPLACEMENT CHARACTER}" if category in ("Cs", "Co", "Cn") else character
