"""Regular expressions that always come to an end: ``re`` where it is quick, an automaton where it may not be.

``re`` tries one way after another, and some patterns have more ways than there are seconds. A pattern
whose repeats lie inside one another, or follow one another over a long text, is therefore run on all
ways at once. Only whether it is found matters here, so both say the same.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from collector.model.i18n import _

# The pattern as ``re`` itself reads it; there is no public way to it.
_parser: Any = importlib.import_module("re._parser")
_compiler: Any = importlib.import_module("re._compiler")
_ops: Any = importlib.import_module("re._constants")

LONGEST = 4000
"""Characters of a text that are searched."""
_QUICK = (LONGEST, LONGEST, 270, 65, 30)
"""By the number of open repeats one after another: how long a text ``re`` searches in a few milliseconds."""
_MANY = 12
"""Repeats of at most this many are as good as written out."""
_MOST_STATES = 2000


class PatternError(re.error):
    """The pattern cannot be read, or cannot be searched for in bounded time."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """A compiled pattern; ``automaton`` is None when ``re`` alone can do it."""

    compiled: re.Pattern[str]
    longest: int
    """Characters up to which ``re`` is used."""
    automaton: _Automaton | None = None

    def found_in(self, text: str) -> bool:
        """Whether it matches somewhere in the first :data:`LONGEST` characters."""
        text = text[:LONGEST]
        if len(text) <= self.longest or self.automaton is None:
            return self.compiled.search(text[: max(1, self.longest)]) is not None
        return self.automaton.found_in(text)


@lru_cache(maxsize=1024)
def compile_pattern(text: str) -> Pattern:
    """Once for each text. Raises re.error, also for what could take for ever and has no automaton."""
    try:
        compiled, parsed = re.compile(text), _parser.parse(text)
    except (RecursionError, OverflowError):
        raise PatternError(_("it is too large")) from None
    nested, in_a_row = _repeats(parsed)
    if not nested and in_a_row < 2:
        return Pattern(compiled, LONGEST)
    longest = 0 if nested else _QUICK[min(in_a_row, len(_QUICK) - 1)]
    try:
        return Pattern(compiled, longest, _Automaton.of(parsed))
    except _NoAutomatonError:
        if not nested:
            return Pattern(compiled, longest)
        raise PatternError(_("its repeats lie inside one another, and it could take for ever")) from None


def _repeats(parsed: Any) -> tuple[bool, int]:
    """Whether an open repeat has choices inside it, and how many open repeats follow one another."""
    nested, in_a_row = False, 0
    for operation, argument in parsed:
        inner = [_repeats(part) for part in _parts(operation, argument)]
        nested = nested or any(one for one, _count in inner)
        below = max((count for _nested, count in inner), default=0)
        if operation in _ops_of("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
            least, most, body = argument
            open_ = most - least > _MANY if most != _ops.MAXREPEAT else True
            nested = nested or (most > 1 and below > 0) or (most > _MANY and _has_choice(body))
            below = max(below, int(open_))
        in_a_row += below
    return nested, in_a_row


def _has_choice(parsed: Any) -> bool:
    """Whether there are several ways to match the same characters, as far as one can tell at once."""
    for operation, argument in parsed:
        if operation is _ops.BRANCH:
            return True
        if operation in _ops_of("MAX_REPEAT", "MIN_REPEAT") and argument[0] != argument[1]:
            return True
        if any(_has_choice(part) for part in _parts(operation, argument)):
            return True
    return False


def _ops_of(*names: str) -> tuple[Any, ...]:
    return tuple(getattr(_ops, name) for name in names)


def _parts(operation: Any, argument: Any) -> list[Any]:
    """The patterns directly inside one operation."""
    if operation is _ops.SUBPATTERN:
        return [argument[3]]
    if operation is _ops.BRANCH:
        return list(argument[1])
    if operation in _ops_of("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
        return [argument[2]]
    if operation in _ops_of("ASSERT", "ASSERT_NOT"):
        return [argument[1]]
    if operation is _ops.ATOMIC_GROUP:
        return [argument]
    if operation is _ops.GROUPREF_EXISTS:
        return [part for part in argument[1:] if part is not None]
    return []


class _NoAutomatonError(Exception):
    """The pattern looks back at what it matched, looks ahead, or is too large."""


@dataclass(slots=True)
class _State:
    """``pattern`` is what must match here: one character when ``eats``, else nothing, as ``\\b`` does."""

    pattern: re.Pattern[str] | None = None
    eats: bool = False
    following: list[int] = field(default_factory=list)
    known: dict[str, bool] = field(default_factory=dict)


class _Automaton:
    """All ways through a pattern at once: time grows with the text times the pattern, never more."""

    def __init__(self) -> None:
        self._states: list[_State] = []

    @classmethod
    def of(cls, parsed: Any) -> _Automaton:
        made = cls()
        end = made._add(_State())
        made._begin = made._sequence(parsed, parsed.state, parsed.state.flags, end)
        made._end = end
        return made

    _begin: int
    _end: int

    def found_in(self, text: str) -> bool:
        active: set[int] = set()
        for at in range(len(text) + 1):
            reached = self._closed({*active, self._begin}, text, at)
            if self._end in reached:
                return True
            if at == len(text):
                break
            active = self._eaten(reached, text[at])
        return False

    def _closed(self, states: Iterable[int], text: str, at: int) -> set[int]:
        """``states`` and all that follow them without a character."""
        reached: set[int] = set()
        stack = list(states)
        while stack:
            number = stack.pop()
            if number in reached:
                continue
            reached.add(number)
            state = self._states[number]
            if not state.eats and (state.pattern is None or state.pattern.match(text, at)):
                stack += state.following
        return reached

    def _eaten(self, states: set[int], character: str) -> set[int]:
        following: set[int] = set()
        for number in states:
            state = self._states[number]
            if state.eats and state.pattern is not None:
                fits = state.known.get(character)
                if fits is None:
                    fits = state.known[character] = state.pattern.match(character) is not None
                if fits:
                    following.update(state.following)
        return following

    def _add(self, state: _State) -> int:
        if len(self._states) >= _MOST_STATES:
            raise _NoAutomatonError
        self._states.append(state)
        return len(self._states) - 1

    def _sequence(self, parsed: Any, whole: Any, flags: int, then: int) -> int:
        """The state at which ``parsed`` begins when ``then`` follows it."""
        for operation, argument in reversed(list(parsed)):
            then = self._one(operation, argument, whole, flags, then)
        return then

    def _one(self, operation: Any, argument: Any, whole: Any, flags: int, then: int) -> int:
        if operation in _ops_of("LITERAL", "NOT_LITERAL", "ANY", "IN", "AT"):
            atom = _parser.SubPattern(whole, [(operation, argument)])
            compiled = _compiler.compile(atom, flags)
            return self._add(_State(compiled, operation is not _ops.AT, [then]))
        if operation is _ops.SUBPATTERN:
            _group, added, removed, body = argument
            return self._sequence(body, whole, (flags | added) & ~removed, then)
        if operation is _ops.BRANCH:
            ways = [self._sequence(body, whole, flags, then) for body in argument[1]]
            return self._add(_State(following=ways))
        if operation in _ops_of("MAX_REPEAT", "MIN_REPEAT"):
            return self._repeat(argument, whole, flags, then)
        raise _NoAutomatonError

    def _repeat(self, argument: Any, whole: Any, flags: int, then: int) -> int:
        least, most, body = argument
        if most == _ops.MAXREPEAT:
            loop = self._add(_State())
            self._states[loop].following = [self._sequence(body, whole, flags, loop), then]
            then = loop
        else:
            end = then
            for _time in range(most - least):
                then = self._add(_State(following=[self._sequence(body, whole, flags, then), end]))
        for _time in range(least):
            then = self._sequence(body, whole, flags, then)
        return then
