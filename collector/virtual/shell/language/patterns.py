"""Shell patterns as regular expressions: ``*``, ``?``, ``[...]`` and mksh's ``?(a|b)``, ``!(a)``."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence

Pieces = Sequence[tuple[str, bool]]
"""Texts, and whether each is quoted: then its characters stand for themselves."""

_CLASSES = {"alpha": "a-zA-Z", "digit": "0-9", "alnum": "a-zA-Z0-9", "upper": "A-Z", "lower": "a-z",
            "space": r"\s", "blank": r" \t", "punct": r"!-/:-@\[-`{-~", "xdigit": "0-9a-fA-F",
            "cntrl": r"\x00-\x1f\x7f", "print": " -~", "graph": "!-~"}  # fmt: skip
_REPEATS = {"?": "?", "*": "*", "+": "+", "@": ""}


def is_pattern(pieces: Pieces) -> bool:
    """Whether unquoted text has a character of a pattern."""
    return any(not quoted and re.search(r"[*?\[]|[+@!]\(", text) for text, quoted in pieces)


def matcher(pieces: Pieces) -> re.Pattern[str]:
    """A regular expression that matches whole texts as the pattern does."""
    return _compiled(tuple(pieces))


@functools.lru_cache(maxsize=512)
def _compiled(pieces: tuple[tuple[str, bool], ...]) -> re.Pattern[str]:
    characters = [(character, quoted) for text, quoted in pieces for character in text]
    source = _Translation(characters).all()
    try:
        return re.compile(rf"(?s:{source})\Z")
    except (re.error, OverflowError, RecursionError):
        return re.compile(re.escape("".join(character for character, _quoted in characters)) + r"\Z")


class _Translation:
    def __init__(self, characters: list[tuple[str, bool]]) -> None:
        self._characters = characters
        self._at = 0

    def all(self) -> str:
        return self._until("")

    def _until(self, ends: str) -> str:
        result = ""
        while self._at < len(self._characters):
            character, quoted = self._characters[self._at]
            if not quoted and character in ends:
                break
            self._at += 1
            result += re.escape(character) if quoted else self._special(character)
        return result

    def _special(self, character: str) -> str:
        following = self._characters[self._at : self._at + 1]
        if character in "?*+@!" and following == [("(", False)] and self._closes():
            return self._group(character)
        if character == "[":
            return self._class()
        return {"*": ".*", "?": "."}.get(character) or re.escape(character)

    def _closes(self) -> bool:
        depth = 0
        for character, quoted in self._characters[self._at :]:
            if not quoted:
                depth += (character == "(") - (character == ")")
                if not depth:
                    return True
        return False

    def _group(self, kind: str) -> str:
        self._at += 1
        choices = [self._until("|)")]
        while self._characters[self._at][0] == "|":
            self._at += 1
            choices.append(self._until("|)"))
        self._at += 1
        inner = "|".join(choices)
        if kind == "!":
            rest = self._until("")
            return rf"(?!(?:{inner}){rest}\Z).*{rest}"
        return f"(?:{inner}){_REPEATS[kind]}"

    def _class(self) -> str:
        end = self._at + (self._characters[self._at : self._at + 1] in ([("!", False)], [("^", False)]))
        negated = end > self._at
        start = end
        members = ""
        while end < len(self._characters):
            character, quoted = self._characters[end]
            if character == "]" and not quoted and end > start:
                self._at = end + 1
                return f"[{'^' if negated else ''}{members}]"
            text = "".join(item for item, _quoted in self._characters[end : end + 12])
            named = re.match(r"\[:(\w+):\]", text)
            if named and named[1] in _CLASSES and not quoted:
                members += _CLASSES[named[1]]
                end += named.end()
                continue
            members += character if character == "-" and not quoted else re.escape(character)
            end += 1
        return r"\["
