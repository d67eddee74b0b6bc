"""Texts in LaTeX: every character either stands for itself or is a command, and the engines that have it."""

from __future__ import annotations

import re
import unicodedata

from collector.metrics.rendering.plain_text import plain

_COMMANDS = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "_": r"\_",
    "%": r"\%", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}",
    ">": r"\textgreater{}", "|": r"\textbar{}", '"': r"\symbol{34}", "`": r"\symbol{96}",
    "[": "{[}", "]": "{]}", "*": "{*}", "∞": r"\ensuremath{\infty}",
}  # fmt: skip
"""Braces keep the end of a row from taking ``[`` or ``*`` for its option."""
_LIGATURES = re.compile(r"([-',])(?=\1)")
_ACCENTS = frozenset("\u0300\u0301\u0302\u0303\u0308\u030a\u030c\u0327")
_LETTERS = frozenset("–—‘’“”…ßæøÆØœŒ")
_CJK = ("CJK", "IDEOGRAPHIC", "HIRAGANA", "KATAKANA", "HANGUL", "BOPOMOFO", "FULLWIDTH")


def latex_escaped(text: str) -> str:
    """``text`` on one line, so that no character of it is taken for a command."""
    commands = "".join(_COMMANDS.get(character, character) for character in plain(text))
    return _LIGATURES.sub(r"\1{}", commands)


def needs_unicode_engine(text: str) -> bool:
    """Whether pdfLaTeX lacks some character of ``text``; XeLaTeX and LuaLaTeX have all."""
    return not all(character.isascii() or _has_pdflatex(character) for character in set(text))


def has_cjk(text: str) -> bool:
    """Whether ``text`` has Chinese, Japanese or Korean characters, which need a font of their own."""
    return any(unicodedata.name(character, "").startswith(_CJK) for character in set(text))


def _has_pdflatex(character: str) -> bool:
    parts = unicodedata.normalize("NFD", character)
    is_latin = character < "\u0180" and parts[0].isascii() and parts[0].isalpha()
    return character in _LETTERS or (is_latin and _ACCENTS.issuperset(parts[1:]))
