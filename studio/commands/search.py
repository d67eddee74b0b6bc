"""Search of the palette: rank entries by how their titles match, with positions of the matched letters."""

from __future__ import annotations

import heapq
import re
import string
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

LIMIT = 200
"""Hits that are returned; nobody reads more."""
_EXACT, _TITLE_START, _WORD_STARTS, _INITIALS, _INSIDE, _OTHER_WORDS, _OTHER_INSIDE = range(7, 0, -1)
_WORD = re.compile(r"[^\W_]+")
_TO_SPACES = str.maketrans(dict.fromkeys(string.punctuation, " "))
_MOST_INITIALS = 8


@dataclass(frozen=True)
class PaletteEntry:
    """One thing that the palette finds: a command, a setting, a task, a rule or a trajectory."""

    kind: str
    """``command``, ``setting``, ``task``, ``rule``, ``trajectory``, or a kind of a workspace's own."""
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
    elsewhere: bool = False
    """Whether it belongs to another workspace than the one in front."""
    target: tuple[str, ...] = field(default=(), compare=False)
    """What else is needed to go there."""
    is_on_phone: bool = False
    """Whether it is marked on the phone's screen, which the palette leaves in sight then."""
    same_as: tuple[str, ...] = ()
    """Queries, casefolded, that mean this entry and no other, beside its title: its number, for instance.
    Such entries keep their order among equals."""

    @cached_property
    def folded(self) -> str:
        return self.title.casefold()

    @cached_property
    def title_words(self) -> str:
        """The words of the title, each after a space: `` th`` is in it when a word starts with ``th``."""
        return _spaced(self.folded)

    @cached_property
    def all_words(self) -> str:
        """The words of the title and all other words, each after a space."""
        return self.title_words + _spaced(f"{self.words} {self.detail}".casefold())


class PaletteSource(Protocol):
    """What a workspace adds to the palette while it is in front."""

    def entries(self, query: str) -> Sequence[PaletteEntry]:
        """The entries for a query, of a kind that is no other's."""

    def follow(self, query: str) -> None:
        """The palette now looks for this; for nothing once it is closed."""

    def run(self, entry: PaletteEntry) -> None:
        """Do what an entry says; the palette is closed."""


@dataclass(frozen=True)
class SearchHit:
    """A matching entry, and the matched letters of its title."""

    entry: PaletteEntry
    positions: tuple[int, ...] = ()


def search(entries: Sequence[PaletteEntry], query: str, limit: int = LIMIT) -> tuple[list[SearchHit], int]:
    """Return the best ``limit`` matches, best first, and the number of all; an empty query matches all.

    The exact title goes first, then titles that start with the query, then those whose words do. Among equals
    what can be run goes before what cannot, what works here before what does not, and short before long.
    """
    query = " ".join(query.casefold().split())
    if not query:
        return [SearchHit(entry) for entry in entries[:limit]], len(entries)
    parts = query.split()
    by_kind: dict[int, list[PaletteEntry]] = {}
    for entry in entries:
        kind = _kind_of_match(entry, query, parts)
        if kind:
            by_kind.setdefault(kind, []).append(entry)
    best: list[PaletteEntry] = []
    for kind in sorted(by_kind, reverse=True):
        best += heapq.nsmallest(limit - len(best), by_kind[kind], key=_order)
    return [SearchHit(entry, _positions(entry, query, parts)) for entry in best], sum(
        map(len, by_kind.values())
    )


def _order(entry: PaletteEntry) -> tuple[bool, bool, int]:
    return bool(entry.problem), entry.elsewhere, 0 if entry.same_as else len(entry.title)


def _kind_of_match(entry: PaletteEntry, query: str, parts: list[str]) -> int:
    """How well an entry matches; 0 for not at all. It runs for 10,000 tasks at each key."""
    title = entry.folded
    if query in entry.same_as:
        return _EXACT
    if title.startswith(query):
        return _EXACT if title == query else _TITLE_START
    if all(part in title for part in parts):
        words = entry.title_words
        return _WORD_STARTS if all(f" {part}" in words for part in parts) else _INSIDE
    if len(query) <= _MOST_INITIALS and entry.kind in ("command", "setting") and _initials(title, query):
        return _INITIALS
    words = entry.all_words
    if all(part in words for part in parts):
        return _OTHER_WORDS if all(f" {part}" in words for part in parts) else _OTHER_INSIDE
    return 0


def _positions(entry: PaletteEntry, query: str, parts: list[str]) -> tuple[int, ...]:
    """The matched letters of the title; none when other words matched."""
    title = entry.folded
    if title.startswith(query):
        return tuple(range(len(query)))
    if all(part in title for part in parts):
        starts = [start if (start := _word_start(title, part)) >= 0 else title.find(part) for part in parts]
        spans = zip(starts, parts, strict=True)
        return tuple(sorted({start + at for start, part in spans for at in range(len(part))}))
    return _initials(title, query) if len(query) <= _MOST_INITIALS else ()


def _spaced(text: str) -> str:
    return f" {text.translate(_TO_SPACES)}"


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
