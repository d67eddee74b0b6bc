"""Align trajectories of thousands of steps: divide them on their longest common subsequence.

Stretches of some thousand steps are aligned pair by pair, their similarity computed block by block. Longer
ones, and those of more different steps, are cut at a pair of their longest common subsequence, in the middle
of a run of equal steps. The cuts lie on that subsequence, so that the whole pairs as many steps as it does.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from collector.comparison.alignment.common_subsequence import Places, longest_common_subsequence
from collector.comparison.alignment.pairwise import Pair, align_rows, columns_first
from collector.model.cancellation import check_cancelled

Block = NDArray[np.float32]
_MOST_PAIRS = 16_000_000
"""Up to so many pairs of steps are aligned undivided: 4,000 steps with 4,000. A byte is kept of each."""
_MOST_DIFFERENT = 640_000
"""Up to so many pairs of different steps are compared for it: 800 with 800."""
_BLOCK = 512
"""Rows whose similarity is computed at once."""


@dataclass(frozen=True, slots=True)
class AlignedSteps:
    """What tells of the steps of one side whether two are equal, before they are compared."""

    exact: Sequence[Hashable]
    """Equal for steps of which nothing differs."""
    outlines: Sequence[Hashable]
    """Equal for steps of one kind on screens of one kind, as in two languages."""

    def __len__(self) -> int:
        return len(self.exact)


class LongAlignment:
    """Aligns rows with columns, given what makes two steps equal, and how alike they are.

    ``similarity`` computes the block of some rows and some columns.
    """

    def __init__(
        self,
        rows: AlignedSteps,
        columns: AlignedSteps,
        similarity: Callable[[slice, slice], Block],
    ) -> None:
        self._rows, self._columns, self._similarity = rows, columns, similarity

    def pairs(self) -> list[Pair]:
        """The alignment, as :func:`~collector.comparison.alignment.pairwise.align_rows` gives it."""
        rows, columns = slice(0, len(self._rows)), slice(0, len(self._columns))
        common = [] if self._is_short(rows, columns) else self._common()
        return columns_first(self._aligned(rows, columns, common))

    def _is_short(self, rows: slice, columns: slice) -> bool:
        if (rows.stop - rows.start) * (columns.stop - columns.start) > _MOST_PAIRS:
            return False
        different = [
            len(set(side.exact[part])) for side, part in ((self._rows, rows), (self._columns, columns))
        ]
        return different[0] * different[1] <= _MOST_DIFFERENT

    def _common(self) -> Places:
        """Pairs of equal steps, in order: of steps without any difference, where those are many."""
        exact = longest_common_subsequence(self._rows.exact, self._columns.exact)
        if 2 * len(exact) >= min(len(self._rows), len(self._columns)):
            return exact
        return longest_common_subsequence(self._rows.outlines, self._columns.outlines)

    def _aligned(self, rows: slice, columns: slice, common: Places) -> list[Pair]:
        """Align a stretch in which the steps at ``common`` are equal."""
        if len(common) < 2 or self._is_short(rows, columns):
            return self._compared(rows, columns)
        cut = _cut(common)
        row, column = common[cut]
        before = self._aligned(slice(rows.start, row), slice(columns.start, column), common[:cut])
        return before + self._aligned(slice(row, rows.stop), slice(column, columns.stop), common[cut:])

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


def _cut(common: Places) -> int:
    """Where two or more pairs are divided: in the longest run without a gap of their middle half."""
    first, last = len(common) // 4, max(len(common) // 4 + 1, 3 * len(common) // 4)
    places = np.array(common[first - 1 : last + 1] if first else common[: last + 1])
    goes_on = (np.diff(places, axis=0) == 1).all(axis=1)
    ends = np.flatnonzero(np.concatenate(([True], ~goes_on, [True])))
    run = int(np.diff(ends).argmax())
    middle = int(ends[run] + ends[run + 1]) // 2
    return min(max(1, max(0, first - 1) + middle), len(common) - 1)
