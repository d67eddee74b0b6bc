"""Compare two selections of episodes pair by pair: where only one of both succeeds, and how sure that is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from collector.metrics.breakdowns.dimensions import Dimension
from collector.metrics.breakdowns.grouping import group_by
from collector.metrics.episode_columns import EpisodeColumns, Ints, Mask
from collector.metrics.matching import Matching, match, match_baselines
from collector.metrics.pairs import baselines_of, unit_in_words
from collector.metrics.statistics.bootstrap import (
    Interval,
    bootstrap_interval,
    difference_of_ratios,
    ratio,
    sums_by_cluster,
)
from collector.metrics.statistics.mcnemar import exact_mcnemar


class PairBox(StrEnum):
    """What became of a pair."""

    BOTH = "both"
    ONLY_FIRST = "only first"
    ONLY_SECOND = "only second"
    NEITHER = "neither"


@dataclass(frozen=True)
class PairedNumbers:
    """The numbers of some pairs. Rates are 0 to 1; None without a pair."""

    labels: tuple[str, ...]
    """Values of the dimensions of the breakdown; none for all pairs together."""
    pairs: Ints
    """Numbers of these pairs: places in ``PairedComparison.first`` and ``PairedComparison.second``."""
    tasks: int
    boxes: dict[PairBox, int]
    interval: Interval | None
    """Ends of the difference's 95 % interval, from a bootstrap by task; None under two tasks."""
    p_value: float | None
    """Of the exact McNemar test."""

    @property
    def count(self) -> int:
        return len(self.pairs)

    @property
    def first_rate(self) -> float | None:
        return self._share(self.boxes[PairBox.BOTH] + self.boxes[PairBox.ONLY_FIRST])

    @property
    def second_rate(self) -> float | None:
        return self._share(self.boxes[PairBox.BOTH] + self.boxes[PairBox.ONLY_SECOND])

    @property
    def difference(self) -> float | None:
        """The second rate less the first."""
        return self._share(self.boxes[PairBox.ONLY_SECOND] - self.boxes[PairBox.ONLY_FIRST])

    def _share(self, part: int) -> float | None:
        return part / self.count if self.count else None


@dataclass(frozen=True)
class WholeSelections:
    """Success over all counted episodes of both selections, paired or not."""

    first_hits: int
    first_count: int
    second_hits: int
    second_count: int
    interval: Interval | None
    """Of the difference of the two rates, from a bootstrap by task."""

    @property
    def first_rate(self) -> float | None:
        return self.first_hits / self.first_count if self.first_count else None

    @property
    def second_rate(self) -> float | None:
        return self.second_hits / self.second_count if self.second_count else None

    @property
    def difference(self) -> float | None:
        """The second rate less the first; None when either counts no episode."""
        first, second = self.first_rate, self.second_rate
        return None if first is None or second is None else second - first


@dataclass(frozen=True)
class PairedComparison:
    """Two selections, paired."""

    table: EpisodeColumns
    names: tuple[str, str]
    """What a person calls both selections; empty where the episodes say it themselves."""
    is_interruption: bool
    """Whether the first are baselines and the second the same episodes with an anomaly."""
    first: Ints
    """Index of the first episode of each pair."""
    second: Ints
    unit: str
    """What the episodes of a pair have in common, in words: "task and seed"."""
    differing: tuple[str, ...]
    """Facts of which the selections have no value in common: what is compared, and what may confound it."""
    all_pairs: PairedNumbers
    dimensions: tuple[Dimension, ...]
    rows: tuple[PairedNumbers, ...]
    """The breakdown by ``dimensions``, in their order; empty without one."""
    first_alone: Ints
    """Counted episodes of the first selection without a counterpart."""
    second_alone: Ints
    in_both: Ints
    """Counted episodes that both selections have; they are compared with nothing."""
    considered: Mask
    """All episodes of both selections, those that no number counts among them."""
    whole: WholeSelections

    def episodes_in(self, numbers: PairedNumbers, box: PairBox) -> tuple[Ints, Ints]:
        """First and second episodes of the pairs of ``numbers`` that are in a box, pair by pair."""
        first, second = self.first[numbers.pairs], self.second[numbers.pairs]
        chosen = _masks(self.table.is_success, first, second)[box]
        return first[chosen], second[chosen]


def compare(
    table: EpisodeColumns, first: Mask, second: Mask, *, names: tuple[str, str] = ("", ""),
    by: Sequence[Dimension] = (),
) -> PairedComparison:  # fmt: skip
    """Compare the selected episodes of two masks, in all and broken down.

    Where the first mask has only baselines and the second only interrupted episodes, each interrupted one is
    paired with its baseline, whether that is selected or not: a filter must not take it away.
    """
    in_both = first & second & table.selected
    first, second = first & ~in_both, second & table.selected & ~in_both
    is_interruption = _is_interruption(table, first, second)
    if is_interruption:
        matching = match_baselines(table, second, first)
        first = first & table.selected
        first[matching.first] = True
    else:
        first = first & table.selected
        matching = match(table, first, second)
    pairs = _Pairs(table, matching)
    return PairedComparison(
        table, names, is_interruption, matching.first, matching.second,
        unit_in_words(table, matching.fields, np.concatenate((matching.first, matching.second))),
        matching.differing,
        pairs.numbers((), np.arange(len(matching.first))),
        tuple(by),
        tuple(pairs.numbers(labels, chosen) for labels, chosen in pairs.by(by)),
        matching.first_alone, matching.second_alone, np.flatnonzero(in_both & table.counted), first | second,
        _whole(table, first, second),
    )  # fmt: skip


def _is_interruption(table: EpisodeColumns, first: Mask, second: Mask) -> bool:
    """Whether the second are interrupted episodes some of whose baselines are the first."""
    if np.any(first & table.interrupted) or np.any(second & table.baselines):
        return False
    baselines = baselines_of(table)[second]
    return bool(np.any(first[baselines[baselines >= 0]]))


@dataclass(frozen=True)
class _Pairs:
    """Counts pairs, in all and by group."""

    table: EpisodeColumns
    matching: Matching

    def by(self, dimensions: Sequence[Dimension]) -> list[tuple[tuple[str, ...], Ints]]:
        """Labels and numbers of the pairs of each group; a pair belongs where its second episode does."""
        if not dimensions:
            return []
        second = np.zeros(len(self.table), bool)
        second[self.matching.second] = True
        groups = group_by(self.table.where(second), dimensions)
        of = groups.of[self.matching.second]
        order = np.argsort(of, kind="stable")
        ends = np.searchsorted(of[order], np.arange(len(groups) + 1))
        return [(labels, order[ends[row] : ends[row + 1]]) for row, labels in enumerate(groups.labels)]

    def numbers(self, labels: tuple[str, ...], pairs: Ints) -> PairedNumbers:
        first, second = self.matching.first[pairs], self.matching.second[pairs]
        succeeds = self.table.is_success
        boxes = {box: int(np.count_nonzero(mask)) for box, mask in _masks(succeeds, first, second).items()}
        change = succeeds[second].astype(np.int64) - succeeds[first]
        sums = sums_by_cluster(self.table.column("task")[first], change, np.ones(len(pairs), np.int64))
        return PairedNumbers(
            labels, pairs, len(sums), boxes,
            bootstrap_interval(sums, ratio),
            exact_mcnemar(boxes[PairBox.ONLY_FIRST], boxes[PairBox.ONLY_SECOND]) if len(pairs) else None,
        )  # fmt: skip


def _masks(succeeds: Mask, first: Ints, second: Ints) -> dict[PairBox, Mask]:
    """Which pairs are in each box."""
    a, b = succeeds[first], succeeds[second]
    return {
        PairBox.BOTH: a & b,
        PairBox.ONLY_FIRST: a & ~b,
        PairBox.ONLY_SECOND: b & ~a,
        PairBox.NEITHER: ~a & ~b,
    }


def _whole(table: EpisodeColumns, first: Mask, second: Mask) -> WholeSelections:
    first, second = first & table.counted, second & table.counted
    either = np.flatnonzero(first | second)
    masks = (first & table.is_success, first, second & table.is_success, second)
    sums = sums_by_cluster(table.column("task")[either], *(mask[either].astype(np.int64) for mask in masks))
    interval = bootstrap_interval(sums, difference_of_ratios)
    hits_and_counts = [int(np.count_nonzero(mask)) for mask in masks]
    first_hits, first_count, second_hits, second_count = hits_and_counts
    return WholeSelections(first_hits, first_count, second_hits, second_count, interval)
