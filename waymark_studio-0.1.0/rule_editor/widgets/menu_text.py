"""Texts of other sources, such as ids and file names, in menus."""

from __future__ import annotations


def menu_text(text: str) -> str:
    """``text`` with ``&`` escaped, which a menu reads as the mark of a mnemonic."""
    return text.replace("&", "&&")
