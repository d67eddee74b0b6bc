"""Palette search: letters in order, starts of words first, with the places that matched."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from studio.commands.command import Command


@dataclass(frozen=True)
class Hit:
    """A command found, how well (higher is better), and which letters of its label matched."""

    command: Command
    score: int
    places: tuple[int, ...]


def search(commands: Iterable[Command], query: str) -> list[Hit]:
    """Best first; an empty query returns all in their order."""
    wanted = query.strip().casefold()
    if not wanted:
        return [Hit(command, 0, ()) for command in commands]
    hits = (_match(command, wanted) for command in commands)
    return sorted((hit for hit in hits if hit), key=lambda hit: -hit.score)


def _match(command: Command, wanted: str) -> Hit | None:
    label = command.label.casefold()
    at = label.find(wanted)
    if at >= 0:
        starts = at == 0 or not label[at - 1].isalnum()
        score = 1000 + (500 if at == 0 else 250 if starts else 0) - len(label)
        return Hit(command, score, tuple(range(at, at + len(wanted))))
    places = _subsequence(label, wanted.replace(" ", ""))
    if places:
        gaps = places[-1] - places[0] - len(places)
        return Hit(command, 400 - gaps * 5 - len(label), places)
    # The English title and the scope help those who know the tool in another language.
    if wanted in command.title.casefold() or wanted in command.scope_label.casefold():
        return Hit(command, 100, ())
    return None


def _subsequence(label: str, wanted: str) -> tuple[int, ...]:
    """Places of the letters of ``wanted``; the first must start a word."""
    places: list[int] = []
    at = 0
    for letter in wanted:
        while True:
            at = label.find(letter, at)
            if at < 0:
                return ()
            if places or at == 0 or not label[at - 1].isalnum():
                break
            at += 1
        places.append(at)
        at += 1
    return tuple(places)
