"""Search a regular expression on all its ways at once, so that no pattern takes for ever."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from collector.rules.grammar.regex_syntax import Atom, Branch, Part, Parts, Repeat

_MOST_STATES = 600
"""With so many a long text takes less than a second."""


class NoAutomatonError(Exception):
    """The pattern refers to what it matched, looks around, or is too large."""


@dataclass(slots=True)
class _AutomatonState:
    """``pattern`` must match here: one character when ``eats``, else a place, as ``\\b`` does."""

    pattern: re.Pattern[str] | None = None
    eats: bool = False
    following: list[int] = field(default_factory=list)
    known: dict[str, bool] = field(default_factory=dict)
    """Cache: whether a character matches."""


class RegexAutomaton:
    """All ways through a pattern at once: time grows with the text times the pattern, never more."""

    def __init__(self, parts: Parts) -> None:
        """Raises NoAutomatonError."""
        self._states: list[_AutomatonState] = []
        self._end = self._add(_AutomatonState())
        self._begin = self._sequence(parts, self._end)

    def found_in(self, text: str) -> bool:
        """Whether the pattern matches somewhere in ``text``."""
        active: set[int] = set()
        for at in range(len(text) + 1):
            reached = self._closure({*active, self._begin}, text, at)
            if self._end in reached:
                return True
            if at == len(text):
                break
            active = self._eaten(reached, text[at])
        return False

    def _closure(self, states: Iterable[int], text: str, at: int) -> set[int]:
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

    def _add(self, state: _AutomatonState) -> int:
        if len(self._states) >= _MOST_STATES:
            raise NoAutomatonError
        self._states.append(state)
        return len(self._states) - 1

    def _sequence(self, parts: Parts, then: int) -> int:
        """The state at which ``parts`` begin when ``then`` follows them."""
        for part in reversed(parts):
            then = self._part(part, then)
        return then

    def _part(self, part: Part, then: int) -> int:
        if isinstance(part, Atom):
            return self._add(_AutomatonState(re.compile(part.source, part.flags), part.eats, [then]))
        if isinstance(part, Branch):
            ways = [self._sequence(alternative, then) for alternative in part.alternatives]
            return self._add(_AutomatonState(following=ways))
        if isinstance(part, Repeat) and not part.possessive:
            return self._repeat(part, then)
        raise NoAutomatonError

    def _repeat(self, repeat: Repeat, then: int) -> int:
        if repeat.most is None:
            loop = self._add(_AutomatonState())
            self._states[loop].following = [self._sequence(repeat.body, loop), then]
            then = loop
        else:
            end = then
            for _time in range(repeat.most - repeat.least):
                then = self._add(_AutomatonState(following=[self._sequence(repeat.body, then), end]))
        for _time in range(repeat.least):
            then = self._sequence(repeat.body, then)
        return then
