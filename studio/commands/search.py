"""Search of the command palette: fuzzy match of the titles, with the positions of the matched letters."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from studio.commands.command import Command


@dataclass(frozen=True)
class SearchHit:
    """A matching command, its score (higher is better) and the matched letters of its label."""

    command: Command
    score: int
    positions: tuple[int, ...]


def search(commands: Iterable[Command], query: str) -> list[SearchHit]:
    """Return the matches, best first; an empty query matches all commands in their order."""
    query = query.strip().casefold()
    if not query:
        return [SearchHit(command, 0, ()) for command in commands]
    hits = (_match(command, query) for command in commands)
    return sorted((hit for hit in hits if hit), key=lambda hit: -hit.score)


def _match(command: Command, query: str) -> SearchHit | None:
    label = command.label.casefold()
    at = label.find(query)
    if at >= 0:
        starts = at == 0 or not label[at - 1].isalnum()
        score = 1000 + (500 if at == 0 else 250 if starts else 0) - len(label)
        return SearchHit(command, score, tuple(range(at, at + len(query))))
    positions = _subsequence(label, query.replace(" ", ""))
    if positions:
        gaps = positions[-1] - positions[0] - len(positions)
        return SearchHit(command, 400 - gaps * 5 - len(label), positions)
    # The English title and the scope help those who know the tool in another language.
    if query in command.title.casefold() or query in command.scope_label.casefold():
        return SearchHit(command, 100, ())
    return None


def _subsequence(label: str, query: str) -> tuple[int, ...]:
    """Positions of the letters of ``query`` in order; the first letter must start a word."""
    positions: list[int] = []
    at = 0
    for letter in query:
        while True:
            at = label.find(letter, at)
            if at < 0:
                return ()
            if positions or at == 0 or not label[at - 1].isalnum():
                break
            at += 1
        positions.append(at)
        at += 1
    return tuple(positions)
