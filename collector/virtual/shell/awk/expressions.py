"""POSIX extended regular expressions of awk as Python's."""

from __future__ import annotations

import functools
import re

from collector.virtual.shell.awk.lexer import AwkError

_CLASSES = {
    "alpha": "a-zA-Z",
    "digit": "0-9",
    "alnum": "a-zA-Z0-9",
    "upper": "A-Z",
    "lower": "a-z",
    "space": r"\s",
    "blank": r" \t",
    "punct": r"!-/:-@\[-`{-~",
    "xdigit": "0-9a-fA-F",
    "cntrl": r"\x00-\x1f",
    "print": " -~",
    "graph": "!-~",
}


@functools.lru_cache(maxsize=256)
def compiled(source: str) -> re.Pattern[str]:
    """The expression; AwkError when it is none."""
    result, at = "", 0
    while at < len(source):
        if source[at] == "\\" and at + 1 < len(source):
            result += _escaped(source[at + 1])
            at += 2
        elif source[at] == "[":
            members, at = _bracket(source, at)
            result += members
        else:
            result += {"$": r"\Z", "^": r"\A"}.get(source[at], source[at])
            at += 1
    try:
        return re.compile(result, re.DOTALL)
    except (re.error, OverflowError, RecursionError):
        raise AwkError(f"syntax error in regular expression {source}") from None


def _escaped(character: str) -> str:
    return {"n": "\n", "t": "\t", "r": "\r", "f": "\f", "v": "\v", "a": "\a"}.get(character) or re.escape(
        character
    )


def _bracket(source: str, start: int) -> tuple[str, int]:
    at = start + 1
    result = "["
    if source.startswith("^", at):
        result, at = "[^", at + 1
    first = at
    while at < len(source) and (source[at] != "]" or at == first):
        if named := re.compile(r"\[:(\w+):\]").match(source, at):
            result += _CLASSES.get(named[1], "")
            at = named.end()
        elif source[at] == "\\" and at + 1 < len(source):
            result += _escaped(source[at + 1])
            at += 2
        else:
            result += source[at] if source[at] == "-" else re.escape(source[at])
            at += 1
    if at >= len(source):
        raise AwkError(f"nonterminated character class {source[start:]}")
    return result + "]", at + 1
