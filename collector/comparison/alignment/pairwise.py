"""Align two sequences with gaps, by dynamic programming over the similarity of every pair.

Needleman and Wunsch 1970 with gaps that cost when they open (Gotoh 1982), row by row in numpy.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

LEAST = 0.5
"""Two steps are counterparts only when they are more alike than this."""
_OPEN = 0.04
"""Cost of a gap, however long it is: one long detour is likelier than several short ones."""
_MATCH, _SKIP_FIRST, _SKIP_SECOND = 0, 1, 2
_BITS = 2
"""Bits of a way; those of the three ways to a place are in one byte."""
Pair = tuple[int | None, int | None]
Scores = NDArray[np.float64]
Ways = NDArray[np.uint8]
"""Of each place, for each way to reach it, the way to the place before."""


def align_rows(similarity: Iterable[NDArray[np.float32]], rows: int, columns: int) -> list[Pair]:
    """Align rows with columns, in order. ``likeness`` yields a row of numbers from 0 to 1 at a time.

    Each entry names a row and a column, or only one of them: a gap. Of equal alignments the one with the
    earliest counterparts is taken, so that a loop is a detour behind the first time. Where both sides have
    steps without a counterpart, those of the columns come first: what a run did, then what it left out.
    Only a byte is kept of each pair.
    """
    ways = np.zeros((rows + 1, columns + 1), np.uint8)
    best = np.full((3, columns + 1), -np.inf)
    best[_MATCH, 0] = 0.0
    came = np.zeros((3, columns + 1), np.uint8)
    _skip_columns(best, came)
    ways[0] = _packed(came)
    for row, gains in enumerate(similarity, start=1):
        came = np.zeros((3, columns + 1), np.uint8)
        best = _next_row(best, gains.astype(np.float64) - LEAST, came)
        ways[row] = _packed(came)
    return columns_first(_traced(ways, 2 - int(best[::-1, columns].argmax())))


def columns_first(pairs: Sequence[Pair]) -> list[Pair]:
    """Order the gaps of each stretch without counterparts: first those of the columns."""
    ordered: list[Pair] = []
    for is_gap, group in groupby(pairs, key=lambda pair: None in pair):
        stretch = list(group)
        ordered += sorted(stretch, key=lambda pair: pair[1] is None) if is_gap else stretch
    return ordered


def _packed(came: Ways) -> Ways:
    packed: Ways = came[0] | came[1] << _BITS | came[2] << 2 * _BITS
    return packed


def _next_row(above: Scores, gains: Scores, came: Ways) -> Scores:
    """The best scores of a row by the way it was reached; notes in ``came`` where each came from."""
    best = np.full_like(above, -np.inf)
    # Of equal ways the one by a gap, so that counterparts are early.
    came[_MATCH, 1:] = 2 - above[::-1, :-1].argmax(axis=0)
    # A pair that is not alike enough is no counterpart, whatever stands around it.
    best[_MATCH, 1:] = above[:, :-1].max(axis=0) + np.where(gains > 0, gains, -np.inf)
    opened, longer = above[_MATCH] - _OPEN, above[_SKIP_FIRST]
    came[_SKIP_FIRST] = np.where(longer >= opened, _SKIP_FIRST, _MATCH)
    best[_SKIP_FIRST] = np.maximum(opened, longer)
    _skip_columns(best, came)
    return best


def _skip_columns(best: Scores, came: Ways) -> None:
    """Gaps in the rows: the best place left of each column to open one is a running maximum."""
    ended = np.maximum(best[_MATCH], best[_SKIP_FIRST]) - _OPEN
    running = np.maximum.accumulate(ended)
    best[_SKIP_SECOND, 1:] = running[:-1]
    opened_here = ended[:-1] > np.concatenate(([-np.inf], running[:-2]))
    before = np.where(best[_MATCH, :-1] >= best[_SKIP_FIRST, :-1], _MATCH, _SKIP_FIRST)
    came[_SKIP_SECOND, 1:] = np.where(opened_here, before, _SKIP_SECOND)


def _traced(ways: Ways, way: int) -> list[Pair]:
    row, column = ways.shape[0] - 1, ways.shape[1] - 1
    pairs: list[Pair] = []
    while row or column:
        before = int(ways[row, column]) >> _BITS * way & (1 << _BITS) - 1
        if way == _MATCH:
            row, column = row - 1, column - 1
            pairs.append((row, column))
        elif way == _SKIP_FIRST:
            row -= 1
            pairs.append((row, None))
        else:
            column -= 1
            pairs.append((None, column))
        way = before
    return pairs[::-1]
