"""When-clauses: ``project.open and not recording``, names and the words and, or, not, ( and )."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Mapping

Context = Mapping[str, object]
_WORD = re.compile(r"\s*(\(|\)|[A-Za-z][\w.-]*)")


@functools.cache
def compile_clause(text: str) -> Callable[[Context], bool]:
    """A test on the context; a name that is not in it is false. Raises ValueError for bad grammar."""
    words = _words(text)
    if not words:
        return lambda _context: True
    test, rest = _either(words)
    if rest:
        raise ValueError(f"unexpected {rest[0]!r} in when-clause {text!r}")
    return test


def _words(text: str) -> list[str]:
    words, place = [], 0
    while place < len(text.rstrip()):
        found = _WORD.match(text, place)
        if not found:
            raise ValueError(f"bad when-clause {text!r}")
        words.append(found[1])
        place = found.end()
    return words


Parsed = tuple[Callable[[Context], bool], list[str]]


def _either(words: list[str]) -> Parsed:
    left, rest = _both(words)
    while rest and rest[0] == "or":
        right, rest = _both(rest[1:])
        left = _any(left, right)
    return left, rest


def _both(words: list[str]) -> Parsed:
    left, rest = _one(words)
    while rest and rest[0] == "and":
        right, rest = _one(rest[1:])
        left = _all(left, right)
    return left, rest


def _one(words: list[str]) -> Parsed:
    if not words or words[0] in (")", "and", "or"):
        raise ValueError("a when-clause ends too early")
    if words[0] == "not":
        test, rest = _one(words[1:])
        return (lambda context: not test(context)), rest
    if words[0] == "(":
        test, rest = _either(words[1:])
        if not rest or rest[0] != ")":
            raise ValueError("a bracket of a when-clause is open")
        return test, rest[1:]
    name = words[0]
    return (lambda context: bool(context.get(name))), words[1:]


def _any(left: Callable[[Context], bool], right: Callable[[Context], bool]) -> Callable[[Context], bool]:
    return lambda context: left(context) or right(context)


def _all(left: Callable[[Context], bool], right: Callable[[Context], bool]) -> Callable[[Context], bool]:
    return lambda context: left(context) and right(context)
