"""Groups split further: into tasks to count their tries, into variations and runs to see how they spread."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from collector.metrics.breakdowns.grouping import Groups
from collector.metrics.episode_columns import EpisodeColumns, Floats, Ints
from collector.metrics.measure import shares
from collector.metrics.pairs import combined


@dataclass(frozen=True)
class GroupSplits:
    """Parts of groups. Each counted episode of a group is in one part."""

    of: Ints
    """Number of the part of each episode; -1 for one in none."""
    group: Ints
    """Number of the group of each part."""
    episodes: Ints
    """How many episodes each part has."""
    successes: Ints

    @property
    def rates(self) -> Floats:
        """The success rate of each part."""
        return shares(self.successes, self.episodes)


def split_groups(table: EpisodeColumns, groups: Groups, fields: tuple[str, ...]) -> GroupSplits:
    """The parts whose counted episodes are equal in all ``fields`` of EpisodeFacts."""
    counted = np.flatnonzero(table.counted & table.selected & (groups.of >= 0))
    units = table.derived(f"units of {fields}", lambda: combined(table, fields))
    _present, first, inverse = np.unique(
        units[counted] * max(1, len(groups)) + groups.of[counted], return_index=True, return_inverse=True
    )
    of = np.full(len(table), -1, np.int64)
    of[counted] = inverse
    episodes = np.bincount(inverse, minlength=len(first))
    successes = np.bincount(inverse[table.is_success[counted]], minlength=len(first))
    return GroupSplits(of, groups.of[counted][first], episodes, successes)
