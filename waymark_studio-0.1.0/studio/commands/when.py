"""Compile when-clauses such as ``project.open and not recording``: names, and, or, not, brackets."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

Context = Mapping[str, object]
Unmet = tuple[str, bool]
"""A name of the context, and whether the clause wants it to be true."""
_TOKEN = re.compile(r"\s*(\(|\)|[A-Za-z][\w.-]*)")


class Clause:
    """A test of a context; a name missing there is false."""

    def __call__(self, context: Context, /) -> bool:
        raise NotImplementedError

    def unmet(self, context: Context, /, *, wanted: bool = True) -> Unmet:
        """The first name that keeps the clause from being ``wanted``; only for a clause that is not."""
        raise NotImplementedError

    def names(self, *, wanted: bool = True) -> Iterator[Unmet]:
        """Every name, with what is wanted of it."""
        raise NotImplementedError


@dataclass(frozen=True)
class Always(Clause):
    """The empty clause."""

    def __call__(self, _context: Context, /) -> bool:
        return True

    def names(self, *, wanted: bool = True) -> Iterator[Unmet]:  # noqa: ARG002 - it has no names
        return iter(())


@dataclass(frozen=True)
class Name(Clause):
    """A name of the context."""

    name: str

    def __call__(self, context: Context, /) -> bool:
        return bool(context.get(self.name))

    def unmet(self, _context: Context, /, *, wanted: bool = True) -> Unmet:
        return self.name, wanted

    def names(self, *, wanted: bool = True) -> Iterator[Unmet]:
        yield self.name, wanted


@dataclass(frozen=True)
class Not(Clause):
    """The opposite of a clause."""

    part: Clause

    def __call__(self, context: Context, /) -> bool:
        return not self.part(context)

    def unmet(self, context: Context, /, *, wanted: bool = True) -> Unmet:
        return self.part.unmet(context, wanted=not wanted)

    def names(self, *, wanted: bool = True) -> Iterator[Unmet]:
        return self.part.names(wanted=not wanted)


@dataclass(frozen=True)
class Both(Clause):
    """Two clauses joined by ``and``, or by ``or`` when ``one_is_enough``."""

    left: Clause
    right: Clause
    one_is_enough: bool = False

    def __call__(self, context: Context, /) -> bool:
        if self.one_is_enough:
            return self.left(context) or self.right(context)
        return self.left(context) and self.right(context)

    def unmet(self, context: Context, /, *, wanted: bool = True) -> Unmet:
        if self.left(context) is wanted:
            return self.right.unmet(context, wanted=wanted)
        unmet = self.left.unmet(context, wanted=wanted)
        if unmet[0].startswith("workspace.") and self.right(context) is not wanted:
            return self.right.unmet(context, wanted=wanted)  # says more than that this is another workspace
        return unmet

    def names(self, *, wanted: bool = True) -> Iterator[Unmet]:
        yield from self.left.names(wanted=wanted)
        yield from self.right.names(wanted=wanted)


@functools.cache
def compile_clause(text: str) -> Clause:
    """Compile a clause to a test of a context. Raises ValueError."""
    tokens = _tokens(text)
    if not tokens:
        return Always()
    clause, rest = _parse_or(tokens)
    if rest:
        raise ValueError(f"unexpected {rest[0]!r} in when-clause {text!r}")
    return clause


def _tokens(text: str) -> list[str]:
    tokens, start = [], 0
    while start < len(text.rstrip()):
        match = _TOKEN.match(text, start)
        if not match:
            raise ValueError(f"bad when-clause {text!r}")
        tokens.append(match[1])
        start = match.end()
    return tokens


# A clause, and the tokens after it.
Parsed = tuple[Clause, list[str]]


def _parse_or(tokens: list[str]) -> Parsed:
    left, rest = _parse_and(tokens)
    while rest and rest[0] == "or":
        right, rest = _parse_and(rest[1:])
        left = Both(left, right, one_is_enough=True)
    return left, rest


def _parse_and(tokens: list[str]) -> Parsed:
    left, rest = _parse_not(tokens)
    while rest and rest[0] == "and":
        right, rest = _parse_not(rest[1:])
        left = Both(left, right)
    return left, rest


def _parse_not(tokens: list[str]) -> Parsed:
    if not tokens or tokens[0] in (")", "and", "or"):
        raise ValueError("a when-clause ends too early")
    if tokens[0] == "not":
        clause, rest = _parse_not(tokens[1:])
        return Not(clause), rest
    if tokens[0] == "(":
        clause, rest = _parse_or(tokens[1:])
        if not rest or rest[0] != ")":
            raise ValueError("a bracket of a when-clause is open")
        return clause, rest[1:]
    return Name(tokens[0]), tokens[1:]
