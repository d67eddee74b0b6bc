"""Search of the palette: rank entries by how their titles match, with positions of the matched letters."""

from __future__ import annotations

import heapq
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

LIMIT = 200
"""Hits that are returned; nobody reads more."""
_EXACT, _TITLE_START, _WORD_STARTS, _INITIALS, _INSIDE, _OTHER_WORDS, _OTHER_INSIDE = range(7, 0, -1)
_WORD = re.compile(r"[^\W_]+")
_MOST_INITIALS = 8


@dataclass(frozen=True)
class PaletteEntry:
    """One thing that the palette finds: a command, a setting, a task, a rule or a trajectory."""

    kind: str
    """``command``, ``setting``, ``task``, ``rule`` or ``trajectory``."""
    id: str
    title: str
    detail: str = ""
    """Where it belongs: a workspace, a group, an app."""
    words: str = ""
    """Other words that find it: the English title, the id, the description."""
    icon: str = ""
    keys: str = ""
    problem: str = ""
    """Why it cannot be run now; empty when it can."""
    help: str = ""
    target: tuple[str, ...] = field(default=(), compare=False)
    """What else is needed to go there."""

    @cached_property
    def folded(self) -> str:
        return self.title.casefold()

    @cached_property
    def folded_words(self) -> str:
        return f"{self.words} {self.detail}".casefold()


@dataclass(frozen=True)
class SearchHit:
    """A matching entry, its rank (higher is better) and the matched letters of its title."""

    entry: PaletteEntry
    rank: tuple[int, ...]
    positions: tuple[int, ...] = ()


def search(entries: Sequence[PaletteEntry], query: str, limit: int = LIMIT) -> tuple[list[SearchHit], int]:
    """Return the best ``limit`` matches, best first, and the number of all; an empty query matches all.

    The exact title goes first, then titles that start with the query, then those whose words do. Among equals
    what can be run goes before what cannot, and a short title before a long one.
    """
    query = " ".join(query.casefold().split())
    if not query:
        return [SearchHit(entry, ()) for entry in entries[:limit]], len(entries)
    hits = [hit for number, entry in enumerate(entries) if (hit := _match(entry, query, number)) is not None]
    return heapq.nlargest(limit, hits, key=lambda hit: hit.rank), len(hits)


def _match(entry: PaletteEntry, query: str, number: int) -> SearchHit | None:
    kind, positions = _kind_of_match(entry, query)
    if not kind:
        return None
    return SearchHit(entry, (kind, not entry.problem, -len(entry.title), -number), positions)


def _kind_of_match(entry: PaletteEntry, query: str) -> tuple[int, tuple[int, ...]]:
    title = entry.folded
    if title.startswith(query):
        return (_EXACT if title == query else _TITLE_START), tuple(range(len(query)))
    parts = query.split()
    if all(part in title for part in parts):
        starts = [_word_start(title, part) for part in parts]
        if min(starts) >= 0:
            return _WORD_STARTS, _letters(starts, parts)
        return _INSIDE, _letters([title.find(part) for part in parts], parts)
    if len(query) <= _MOST_INITIALS and entry.kind in ("command", "setting"):
        initials = _initials(title, query)
        if initials:
            return _INITIALS, initials
    both = f"{title} {entry.folded_words}"
    if all(part in both for part in parts):
        in_words = all(_word_start(both, part) >= 0 for part in parts)
        return (_OTHER_WORDS if in_words else _OTHER_INSIDE), ()
    return 0, ()


def _letters(starts: Iterable[int], parts: Iterable[str]) -> tuple[int, ...]:
    """The positions of each part, which begins at its start."""
    return tuple(
        sorted({start + at for start, part in zip(starts, parts, strict=True) for at in range(len(part))})
    )


def _word_start(text: str, part: str) -> int:
    """Where a word of ``text`` starts with ``part``; -1 for nowhere."""
    at = text.find(part)
    while at > 0 and text[at - 1].isalnum():
        at = text.find(part, at + 1)
    return at


def _initials(title: str, query: str) -> tuple[int, ...]:
    """Positions of the query as beginnings of words in order, as ``osp`` in Open the Sample Project."""
    words = [(match.start(), match[0]) for match in _WORD.finditer(title)]

    def place(rest: str, first: int) -> tuple[int, ...] | None:
        if not rest:
            return ()
        for number in range(first, len(words)):
            start, word = words[number]
            for length in range(min(len(rest), len(word)), 0, -1):
                if word.startswith(rest[:length]):
                    after = place(rest[length:], number + 1)
                    if after is not None:
                        return (*range(start, start + length), *after)
        return None

    return place(query, 0) or ()
