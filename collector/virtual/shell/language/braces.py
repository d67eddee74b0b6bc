"""Brace expansion: ``a{b,c}`` becomes ``ab`` and ``ac``."""

from __future__ import annotations

import itertools

from collector.virtual.shell.language.syntax import Literal, Part, Word

_MAX_WORDS = 10_000


def expand_braces(word: Word) -> list[Word]:
    """The words that a word with unquoted braces stands for; itself without any."""
    units: list[Part] = []
    braces = False
    for part in word.parts:
        if isinstance(part, Literal) and not part.quoted:
            braces = braces or "{" in part.text
            units += [Literal(character) for character in part.text]
        else:
            units.append(part)
    if not braces:
        return [word]
    return [Word(_joined(units)) for units in _expanded(units, 0)][:_MAX_WORDS]


def _expanded(units: list[Part], start: int) -> list[list[Part]]:
    for opening in range(start, len(units)):
        if units[opening] != Literal("{"):
            continue
        commas, closing = _list_at(units, opening)
        if closing is None or not commas:
            continue
        edges = [opening, *commas, closing]
        result: list[list[Part]] = []
        for first, last in itertools.pairwise(edges):
            result += _expanded(units[:opening] + units[first + 1 : last] + units[closing + 1 :], opening)
            if len(result) > _MAX_WORDS:
                break
        return result
    return [units]


def _list_at(units: list[Part], opening: int) -> tuple[list[int], int | None]:
    """The commas of the list that opens at a brace, and its end."""
    commas: list[int] = []
    depth = 0
    for place in range(opening, len(units)):
        unit = units[place]
        if unit == Literal("{"):
            depth += 1
        elif unit == Literal("}"):
            depth -= 1
            if not depth:
                return commas, place
        elif unit == Literal(",") and depth == 1:
            commas.append(place)
    return commas, None


def _joined(units: list[Part]) -> tuple[Part, ...]:
    parts: list[Part] = []
    for unit in units:
        last = parts[-1] if parts else None
        if isinstance(unit, Literal) and not unit.quoted and isinstance(last, Literal) and not last.quoted:
            parts[-1] = Literal(last.text + unit.text)
        else:
            parts.append(unit)
    return tuple(parts)
