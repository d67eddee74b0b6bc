"""Pair the episodes of two selections: the same task, and the same in all that the selections share."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from collector.metrics.episode_columns import EpisodeColumns, Ints, Mask
from collector.metrics.pairs import UNIT, baselines_of, combined, started_order

MATCHED = (*UNIT, "condition", "buttons")
"""What two episodes of a pair have in common, as far as the selections themselves do not differ in it."""


@dataclass(frozen=True)
class Matching:
    """The pairs of two selections, and the episodes that have no counterpart; indexes of episodes."""

    first: Ints
    second: Ints
    """The counterpart of each of ``first``. A baseline may stand in several pairs."""
    fields: tuple[str, ...]
    """The facts in which both episodes of each pair are equal."""
    differing: tuple[str, ...]
    """The other facts: the selections have no value of them in common."""
    first_alone: Ints
    second_alone: Ints


def match(table: EpisodeColumns, first: Mask, second: Mask) -> Matching:
    """Pair the counted episodes of two masks that share none.

    A fact in which the masks have no value in common, such as the agent when two agents are compared, is
    what they differ in; pairs are equal in all others. Where several episodes are equal in these, those of
    the same experiment are paired first, then by seed and repeat, the newest attempt first.
    """
    first, second = first & table.counted, second & table.counted
    fields = tuple(
        name for name in MATCHED if name == "task" or not _differ(table.column(name), first, second)
    )
    units = combined(table, fields)
    order = _order(table)
    left, right = np.flatnonzero(first), np.flatnonzero(second)
    experiments = table.column("experiment")
    pairs: list[tuple[Ints, Ints]] = []
    for keys in (units * (int(experiments.max(initial=0)) + 1) + experiments, units):
        of_left, of_right = _nth_with_nth(keys, order, left, right)
        pairs.append((left[of_left], right[of_right]))
        left, right = np.delete(left, of_left), np.delete(right, of_right)
    return Matching(
        np.concatenate([pair[0] for pair in pairs]),
        np.concatenate([pair[1] for pair in pairs]),
        fields, tuple(name for name in MATCHED if name not in fields), left, right,
    )  # fmt: skip


def match_baselines(table: EpisodeColumns, interrupted: Mask, baselines: Mask) -> Matching:
    """Pair counted interrupted episodes with their baselines, as RSR does.

    Selected baselines that no pair needs are alone; others are nobody's question.
    """
    second = np.flatnonzero(interrupted & table.counted & table.interrupted)
    first = baselines_of(table)[second]
    has = (first >= 0) & baselines[first]
    unused = baselines & table.counted & table.selected
    unused[first[has]] = False
    return Matching(first[has], second[has], UNIT, (), np.flatnonzero(unused), second[~has])


def _differ(values: Ints, first: Mask, second: Mask) -> bool:
    """Whether the two have no value in common."""
    return not np.isin(values[second], values[first]).any()


def _order(table: EpisodeColumns) -> Ints:
    """The rank of each episode among equal ones: by seed and repeat, the newest first."""
    newest_first = -started_order(table)
    rank = np.empty(len(table), np.int64)
    rank[np.lexsort((newest_first, table.column("repeat"), table.column("seed")))] = np.arange(len(table))
    return rank


def _nth_with_nth(keys: Ints, order: Ints, left: Ints, right: Ints) -> tuple[Ints, Ints]:
    """Places in ``left`` and ``right`` of the pairs: the n-th of a key with the n-th of the same key."""
    sides = []
    for episodes in (left, right):
        places = np.lexsort((order[episodes], keys[episodes]))
        sorted_keys = keys[episodes][places]
        nth = np.arange(len(places)) - np.searchsorted(sorted_keys, sorted_keys)
        sides.append((places, sorted_keys, nth))
    most = max((int(nth.max(initial=0)) for _places, _keys, nth in sides), default=0) + 1
    (left_places, left_keys, left_nth), (right_places, right_keys, right_nth) = sides
    _common, of_left, of_right = np.intersect1d(
        left_keys * most + left_nth, right_keys * most + right_nth, assume_unique=True, return_indices=True
    )
    return left_places[of_left], right_places[of_right]
