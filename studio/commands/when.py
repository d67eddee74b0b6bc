"""Compile when-clauses such as ``project.open and not recording``: names, and, or, not, brackets."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Mapping

Context = Mapping[str, object]
_TOKEN = re.compile(r"\s*(\(|\)|[A-Za-z][\w.-]*)")


@functools.cache
def compile_clause(text: str) -> Callable[[Context], bool]:
    """Compile a clause to a test of a context; a name missing there is false. Raises ValueError."""
    tokens = _tokens(text)
    if not tokens:
        return lambda _context: True
    test, rest = _parse_or(tokens)
    if rest:
        raise ValueError(f"unexpected {rest[0]!r} in when-clause {text!r}")
    return test


def _tokens(text: str) -> list[str]:
    tokens, start = [], 0
    while start < len(text.rstrip()):
        match = _TOKEN.match(text, start)
        if not match:
            raise ValueError(f"bad when-clause {text!r}")
        tokens.append(match[1])
        start = match.end()
    return tokens


# A test, and the tokens after it.
Parsed = tuple[Callable[[Context], bool], list[str]]


def _parse_or(tokens: list[str]) -> Parsed:
    left, rest = _parse_and(tokens)
    while rest and rest[0] == "or":
        right, rest = _parse_and(rest[1:])
        left = _any(left, right)
    return left, rest


def _parse_and(tokens: list[str]) -> Parsed:
    left, rest = _parse_not(tokens)
    while rest and rest[0] == "and":
        right, rest = _parse_not(rest[1:])
        left = _all(left, right)
    return left, rest


def _parse_not(tokens: list[str]) -> Parsed:
    if not tokens or tokens[0] in (")", "and", "or"):
        raise ValueError("a when-clause ends too early")
    if tokens[0] == "not":
        test, rest = _parse_not(tokens[1:])
        return (lambda context: not test(context)), rest
    if tokens[0] == "(":
        test, rest = _parse_or(tokens[1:])
        if not rest or rest[0] != ")":
            raise ValueError("a bracket of a when-clause is open")
        return test, rest[1:]
    name = tokens[0]
    return (lambda context: bool(context.get(name))), tokens[1:]


def _any(left: Callable[[Context], bool], right: Callable[[Context], bool]) -> Callable[[Context], bool]:
    return lambda context: left(context) or right(context)


def _all(left: Callable[[Context], bool], right: Callable[[Context], bool]) -> Callable[[Context], bool]:
    return lambda context: left(context) and right(context)
