"""Align trajectories of thousands of steps: divide them at steps that are surely counterparts.

Long runs of equal steps that occur once on each side are anchors (as in patience diff, Cohen 2003); between
anchors the same is tried again. What is left is aligned pair by pair, its similarity computed block by block.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from collector.model.cancellation import check_cancelled
from collector.replay.alignment.pairwise import Pair, align_rows, columns_first

Block = NDArray[np.float32]
_MOST_PAIRS = 640_000
"""Up to so many pairs of steps are compared one by one: 800 steps with 800."""
_RUNS = (16, 8, 4)
"""Lengths of the runs that anchor: a shorter one may be equal by chance."""
_MOST_DIVISIONS = 40
_BLOCK = 512
"""Rows whose similarity is computed at once."""


class LongAlignment:
    """Aligns rows with columns, given what makes two steps equal, and how alike they are.

    ``likeness`` computes the block of rows ``first`` to before ``last`` and of the columns likewise.
    """

    def __init__(
        self,
        rows: Sequence[Hashable],
        columns: Sequence[Hashable],
        similarity: Callable[[slice, slice], Block],
    ) -> None:
        self._rows, self._columns, self._similarity = rows, columns, similarity

    def pairs(self) -> list[Pair]:
        """The alignment, as :func:`~collector.replay.alignment.pairwise.align_rows` gives it."""
        return columns_first(self._aligned(slice(0, len(self._rows)), slice(0, len(self._columns))))

    def _aligned(self, rows: slice, columns: slice, divided: int = 0) -> list[Pair]:
        count, width = rows.stop - rows.start, columns.stop - columns.start
        if count * width <= _MOST_PAIRS or divided == _MOST_DIVISIONS:
            return self._compared(rows, columns)
        for length in _RUNS:
            if anchors := _anchors(self._rows[rows], self._columns[columns], length):
                return self._between(anchors, rows, columns, divided + 1)
        return self._compared(rows, columns)

    def _between(
        self, anchors: Sequence[tuple[int, int]], rows: slice, columns: slice, divided: int
    ) -> list[Pair]:
        """Align the stretches between anchors, which are places within ``rows`` and ``columns``."""
        pairs: list[Pair] = []
        ends = [(-1, -1), *anchors, (rows.stop - rows.start, columns.stop - columns.start)]
        for (row, column), (next_row, next_column) in pairwise(ends):
            if row >= 0:
                pairs.append((rows.start + row, columns.start + column))
            pairs += self._aligned(
                slice(rows.start + row + 1, rows.start + next_row),
                slice(columns.start + column + 1, columns.start + next_column),
                divided,
            )
        return pairs

    def _compared(self, rows: slice, columns: slice) -> list[Pair]:
        def similarity() -> Iterator[Block]:
            for start in range(rows.start, rows.stop, _BLOCK):
                check_cancelled()
                yield from self._similarity(slice(start, min(rows.stop, start + _BLOCK)), columns)

        pairs = align_rows(similarity(), rows.stop - rows.start, columns.stop - columns.start)
        return [
            (
                None if row is None else rows.start + row,
                None if column is None else columns.start + column,
            )
            for row, column in pairs
        ]


def _anchors(rows: Sequence[Hashable], columns: Sequence[Hashable], length: int) -> list[tuple[int, int]]:
    """The places of runs of ``length`` equal steps that are unique on both sides, in order on both."""
    own, other = _unique_runs(rows, length), _unique_runs(columns, length)
    common = [(row, other[run]) for run, row in own.items() if run in other]
    # Of pairs of one row, the columns fall, so that no two of them are taken.
    steps = {(row + at, column + at) for row, column in common for at in range(length)}
    return _rising(sorted(steps, key=lambda pair: (pair[0], -pair[1])))


def _unique_runs(steps: Sequence[Hashable], length: int) -> dict[Hashable, int]:
    """The place of each run that occurs once."""
    runs = list(zip(*(steps[at:] for at in range(length)), strict=False))
    times = Counter(runs)
    return {run: place for place, run in enumerate(runs) if times[run] == 1}


def _rising(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest selection of pairs in which the columns rise."""
    ends: list[int] = []
    """Of each length the lowest column that a selection so long ends with."""
    last: list[int] = []
    before: list[int | None] = []
    for number, (_row, column) in enumerate(pairs):
        place = bisect_left(ends, column)
        before.append(last[place - 1] if place else None)
        ends[place : place + 1] = [column]
        last[place : place + 1] = [number]
    selection: list[tuple[int, int]] = []
    at = last[-1] if last else None
    while at is not None:
        selection.append(pairs[at])
        at = before[at]
    return selection[::-1]
