"""One number of a table, with all that a reader may ask of it."""

from __future__ import annotations

from dataclasses import dataclass, field

from collector.metrics.episode_columns import Ints
from collector.metrics.measure import Counting


@dataclass(frozen=True, slots=True)
class ReportCell:
    """A number and what it counts, as indexes of the table of episodes.

    In a row about judges they are indexes of the subjects of the row.
    """

    value: float | None = None
    """None where nothing was counted."""
    count: int = 0
    """The denominator."""
    hits: int | None = None
    """The numerator of a rate."""
    low: float | None = None
    """Lower end of the 95 % interval."""
    high: float | None = None
    behind: Ints | None = field(default=None, compare=False)
    """What the denominator counts."""
    positive: Ints | None = field(default=None, compare=False)
    """What the numerator counts."""
    note: str = ""
    how: str = ""
    """How it is counted, where cells of a column differ in it."""
    counting: Counting | None = None
