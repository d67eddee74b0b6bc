"""Rows of bars: a row for each essential state, a bar for each window that a model was asked about. No Qt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class WindowBar:
    """One question about one row."""

    first: int
    last: int
    """The screens of the window, from 0."""
    verdict: str
    words: str
    """What a tooltip and a screen reader say of it."""
    question: int
    """The number of the question, from 0; several bars may share it."""


@dataclass(frozen=True, slots=True)
class BarRow:
    """The bars of one state, or of the task."""

    name: str
    words: str
    bars: tuple[WindowBar, ...]


def lanes_of(bars: Sequence[WindowBar]) -> list[int]:
    """The lane of each bar, from 0: the first one in which no earlier bar shows one of its screens."""
    ends: list[int] = []
    lanes = []
    for bar in bars:
        lane = next((place for place, end in enumerate(ends) if end < bar.first), len(ends))
        if lane == len(ends):
            ends.append(bar.last)
        ends[lane] = bar.last
        lanes.append(lane)
    return lanes
