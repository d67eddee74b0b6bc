"""What every measure has: an id, a title, a unit, how it is counted in words, and a column of values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from collector.metrics.breakdowns.grouping import Groups
from collector.metrics.episode_columns import EpisodeColumns, Floats, Ints, Mask
from collector.metrics.statistics.intervals import wilson_intervals


class Unit(StrEnum):
    """What a value is, and so how it is shown."""

    PERCENT = "percent"
    """A share; the value is 0 to 1, shown as 0 to 100 with one decimal."""
    RATIO = "ratio"
    """Shown with two decimals."""
    NUMBER = "number"
    """Shown with one decimal."""
    COUNT = "count"
    SECONDS = "seconds"
    MONEY = "money"
    P_VALUE = "p-value"
    """Shown with three decimals, and as < 0.001 below these."""


class Counting(StrEnum):
    """What a denominator counts."""

    EPISODES = "episodes"
    PAIRS = "pairs"
    STATES = "states"
    TASKS = "tasks"
    STEPS = "steps"
    VERDICTS = "verdicts"
    AGENTS = "agents"
    ANOMALIES = "anomalies"
    MOMENTS = "moments"
    VARIATIONS = "variations"
    QUESTIONS = "questions"


@dataclass(frozen=True)
class MeasureColumn:
    """The values of a measure by group. Arrays have one entry a group, masks one entry an episode."""

    values: Floats
    """nan where nothing was counted."""
    counts: Ints
    """The denominators: episodes, pairs, states, as ``counting`` says."""
    behind: Mask
    """The episodes that the denominators count."""
    counting: Counting = Counting.EPISODES
    hits: Ints | None = None
    """The numerators of a rate."""
    positive: Mask | None = None
    """The episodes that the numerators count."""
    low: Floats | None = None
    """Lower end of the 95 % interval."""
    high: Floats | None = None
    note: str = ""
    """A sentence that these values need, such as the unit of pairs."""


@dataclass(frozen=True, slots=True)
class Measure:
    """A number by group. ``how`` says in words how it is counted; ``source`` names the paper."""

    id: str
    title: str
    """For a header, translated when it is shown."""
    unit: Unit
    how: str
    compute: Callable[[EpisodeColumns, Groups], MeasureColumn]
    source: str = ""


def rate(
    table: EpisodeColumns, groups: Groups, behind: Mask, positive: Mask, *, note: str = "",
    counting: Counting = Counting.EPISODES,
) -> MeasureColumn:  # fmt: skip
    """The share of ``positive`` among ``behind`` by group, with Wilson's interval."""
    behind = behind & table.selected
    positive = positive & behind
    counts, hits = groups.count(behind), groups.count(positive)
    low, high = wilson_intervals(hits, counts)
    return MeasureColumn(shares(hits, counts), counts, behind, counting, hits, positive, low, high, note)


def share(
    table: EpisodeColumns, groups: Groups, behind: Mask, parts: Ints, wholes: Ints, *, counting: Counting,
) -> MeasureColumn:  # fmt: skip
    """``parts`` of ``wholes`` summed over the episodes ``behind``, by group, with Wilson's interval."""
    behind = behind & table.selected
    hits = groups.sum(behind, parts).astype(np.int64)
    counts = groups.sum(behind, wholes).astype(np.int64)
    low, high = wilson_intervals(hits, counts)
    positive = behind & (parts > 0)
    return MeasureColumn(shares(hits, counts), counts, behind, counting, hits, positive, low, high)


def mean(
    table: EpisodeColumns, groups: Groups, behind: Mask, amounts: Floats, *, note: str = "",
    counting: Counting = Counting.EPISODES,
) -> MeasureColumn:  # fmt: skip
    """The mean of ``amounts`` over the episodes ``behind``, by group."""
    behind = behind & table.selected & ~np.isnan(amounts)
    counts = groups.count(behind)
    return MeasureColumn(shares(groups.sum(behind, amounts), counts), counts, behind, counting, note=note)


def shares(hits: Ints | Floats, counts: Ints) -> Floats:
    """``hits / counts``, nan where a count is 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(counts > 0, hits / counts, np.nan)
