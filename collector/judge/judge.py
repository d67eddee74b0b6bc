"""The protocol of judges: a trajectory in, judgements with their cost out; and windows of its states."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from collector.judge.judged_trajectory import JudgedTrajectory
from collector.model.judgement import Judgement


@dataclass(frozen=True, slots=True)
class Window:
    """States of a trajectory that a judge sees together, counted from 0, both ends included."""

    first: int
    last: int


class Judge(Protocol):
    """Says which essential states a trajectory reaches, and whether its task is done."""

    @property
    def name(self) -> str:
        """Names the file of its judgements."""
        ...

    @property
    def kind(self) -> str:
        """rule, model or person."""
        ...

    def judge(self, trajectory: JudgedTrajectory) -> Iterator[Judgement]:
        """The verdicts on a trajectory; each carries what it cost. Raises UserError when a judge fails."""
        ...


def sliding_windows(states: int, size: int, stride: int) -> list[Window]:
    """Windows of ``size`` states, ``stride`` apart, over all states of a trajectory (A3, section 3.2).

    The last window ends at the last state, so that none is left out. A3 uses 4 and 2 for commercial models,
    2 and 1 for its own. Raises ValueError for a size or stride under 1.
    """
    if size < 1 or stride < 1:
        raise ValueError(f"no windows of {size} states, {stride} apart")
    if states <= 0:
        return []
    last = max(0, states - size)
    firsts = sorted({*range(0, last + 1, min(stride, size)), last})
    return [Window(first, min(first + size, states) - 1) for first in firsts]
