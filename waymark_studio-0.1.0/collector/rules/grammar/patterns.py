"""Search texts by regular expressions in bounded time: with ``re`` where it is quick, else with an automaton.

``re`` tries one way after another, and some patterns have more ways than there are seconds. A pattern
whose repeats are nested, or follow one another over a long text, is therefore searched on all ways at
once. Only whether it is found matters here, so both give the same answer.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from functools import lru_cache

from collector.model.i18n import _
from collector.rules.grammar.regex_automaton import NoAutomatonError, RegexAutomaton
from collector.rules.grammar.regex_syntax import Branch, Opaque, Part, Parts, Repeat, parse_regex

LONGEST = 4000
"""Characters of a text that are searched."""
MAX_LENGTH = 2000
"""Characters of a pattern."""
_QUICK = (LONGEST, LONGEST, 270, 65, 30)
"""By the number of open repeats one after another: how long a text ``re`` searches in a few milliseconds."""
_MANY = 12
"""Repeats of at most this many are as good as written out."""


class PatternError(re.error):
    """The pattern cannot be read, or cannot be searched for in bounded time."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """A compiled pattern; ``automaton`` is None when ``re`` alone can do it."""

    compiled: re.Pattern[str]
    longest: int
    """Characters up to which ``re`` is used."""
    automaton: RegexAutomaton | None = None

    def found_in(self, text: str) -> bool:
        """Whether it matches somewhere in the first :data:`LONGEST` characters."""
        text = text[:LONGEST]
        if len(text) <= self.longest or self.automaton is None:
            return self.compiled.search(text[: max(1, self.longest)]) is not None
        return self.automaton.found_in(text)


@lru_cache(maxsize=1024)
def compile_pattern(text: str) -> Pattern:
    """Compile once for each text. Raises re.error, also for what may take for ever and has no automaton."""
    if len(text) > MAX_LENGTH:
        raise PatternError(_("it has more than {limit} characters", limit=MAX_LENGTH))
    try:
        compiled = re.compile(text)
        parts = parse_regex(compiled)
        nested, in_a_row = _repeats(parts)
    except (RecursionError, OverflowError):
        raise PatternError(_("it is too large")) from None
    if not nested and in_a_row < 2:
        return Pattern(compiled, LONGEST)
    longest = 0 if nested else _QUICK[min(in_a_row, len(_QUICK) - 1)]
    try:
        return Pattern(compiled, longest, RegexAutomaton(parts))
    except NoAutomatonError:
        if not nested:
            return Pattern(compiled, longest)
        raise PatternError(_("its repeats are nested, and it could take for ever")) from None


def _repeats(parts: Parts) -> tuple[bool, int]:
    """Whether an open repeat has choices inside it, and how many open repeats follow one another."""
    nested, in_a_row = False, 0
    for part in parts:
        inner = [_repeats(body) for body in _bodies(part)]
        nested = nested or any(inside for inside, _count in inner)
        below = max((count for _nested, count in inner), default=0)
        if isinstance(part, Repeat):
            most = math.inf if part.most is None else part.most
            nested = nested or (most > 1 and below > 0) or (most > _MANY and _has_choice(part.body))
            below = max(below, int(most - part.least > _MANY))
        in_a_row += below
    return nested, in_a_row


def _has_choice(parts: Parts) -> bool:
    """Whether there may be several ways to match the same characters."""
    for part in parts:
        if isinstance(part, Branch):
            return True
        if isinstance(part, Repeat) and not part.possessive and part.least != part.most:
            return True
        if any(_has_choice(body) for body in _bodies(part)):
            return True
    return False


def _bodies(part: Part) -> tuple[Parts, ...]:
    """The patterns directly inside a part."""
    if isinstance(part, (Repeat, Opaque)):
        return (part.body,)
    return part.alternatives if isinstance(part, Branch) else ()
