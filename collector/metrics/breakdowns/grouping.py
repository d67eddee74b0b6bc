"""Groups of episodes that have the same values in some dimensions: the rows of a table of numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from collector.metrics.breakdowns.dimensions import Dimension
from collector.metrics.episode_columns import EpisodeColumns, Floats, Ints, Mask, different


@dataclass(frozen=True)
class Groups:
    """Which group each episode belongs to."""

    dimensions: tuple[Dimension, ...]
    of: Ints
    """Number of the group of each episode; -1 for one in none."""
    labels: tuple[tuple[str, ...], ...]
    """The values of each group, one a dimension, in the order of the groups."""

    def __len__(self) -> int:
        return len(self.labels)

    def count(self, mask: Mask) -> Ints:
        """How many episodes of ``mask`` each group has."""
        return np.bincount(self.of[mask & (self.of >= 0)], minlength=len(self))

    def sum(self, mask: Mask, amounts: Ints | Floats) -> Floats:
        """The sum of ``amounts`` over the episodes of ``mask``, by group."""
        chosen = mask & (self.of >= 0)
        return np.bincount(self.of[chosen], amounts[chosen].astype(np.float64), minlength=len(self)).astype(
            np.float64
        )

    def members(self, group: int, mask: Mask) -> Ints:
        """Indexes of the episodes of ``mask`` in a group, in order."""
        order, starts = self._sorted
        episodes = order[starts[group] : starts[group + 1]]
        return episodes[mask[episodes]]

    @cached_property
    def _sorted(self) -> tuple[Ints, Ints]:
        """The episodes ordered by group, and where each group begins: thousands of rows ask for their own."""
        order = np.argsort(self.of, kind="stable")
        return order, np.searchsorted(self.of[order], np.arange(len(self) + 1))


def group_by(table: EpisodeColumns, dimensions: Sequence[Dimension]) -> Groups:
    """Groups by the values of ``dimensions`` among the selected episodes, in the order of these values.

    Without a dimension all selected episodes are one group.
    """
    combined = np.zeros(len(table), np.int64)
    parts: list[tuple[tuple[str, ...], int]] = []
    for dimension in dimensions:
        labels, codes = values_of(table, dimension)
        combined = combined * max(1, len(labels)) + codes
        parts.append((labels, max(1, len(labels))))
    chosen = np.flatnonzero(table.selected)
    present, inverse = different(combined[chosen])
    of = np.full(len(table), -1, np.int64)
    of[chosen] = inverse
    return Groups(tuple(dimensions), of, tuple(_labels(int(code), parts) for code in present))


def values_of(table: EpisodeColumns, dimension: Dimension) -> tuple[tuple[str, ...], Ints]:
    """The values of a dimension, computed once a table: every row and column of it asks for them."""
    return table.derived(f"dimension {dimension.id}", lambda: dimension.values(table))


def _labels(code: int, parts: Sequence[tuple[tuple[str, ...], int]]) -> tuple[str, ...]:
    values = []
    for labels, size in reversed(parts):
        code, place = divmod(code, size)
        values.append(labels[place])
    return tuple(reversed(values))
