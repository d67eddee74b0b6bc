"""The rows of a back-test, one a trajectory, made when somebody looks at them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import overload

from collector.rules.backtest.misfires import Misfires
from collector.rules.columns.corpus import TrajectoryRef
from collector.rules.columns.verdict_columns import FIRES, NEAR, OUTCOMES
from collector.rules.evaluation.proof import ProofOutcome

_NO_MISFIRES = Misfires()


@dataclass(frozen=True, slots=True)
class BackTestRow:
    """One trajectory of a back-test."""

    trajectory: TrajectoryRef
    first: int
    """Position of its first state."""
    outcomes: bytes
    """``SILENT``, ``NEAR`` or ``FIRES`` of ``verdict_columns``, a byte a state."""
    wrong: Mapping[int, str] = field(default_factory=dict)
    """Index of a state on which the rule fires and should not -> why."""
    missed: Mapping[int, str] = field(default_factory=dict)
    """Index of a state on which it should fire and does not -> why."""

    def outcome(self, index: int) -> ProofOutcome:
        return OUTCOMES[self.outcomes[index]]

    @property
    def fires(self) -> int:
        return self.outcomes.count(FIRES)

    @property
    def near(self) -> int:
        return self.outcomes.count(NEAR)

    @property
    def first_fire(self) -> int | None:
        """Index of the first state it fires on, from 0."""
        index = self.outcomes.find(FIRES)
        return index if index >= 0 else None


@dataclass(frozen=True, slots=True)
class BackTestRows(Sequence[BackTestRow]):
    """The rows in the order of the corpus. A result of many trajectories is one text of bytes in memory."""

    trajectories: Sequence[TrajectoryRef]
    starts: Sequence[int]
    """The position of the first state of each trajectory, and the number of all states at the end."""
    outcomes: bytes
    """As in a row, of all states."""
    misfires: Mapping[int, Misfires]
    """Number of each trajectory in which something is wrong or missed -> what."""

    def __len__(self) -> int:
        return len(self.trajectories)

    @overload
    def __getitem__(self, index: int) -> BackTestRow: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[BackTestRow]: ...
    def __getitem__(self, index: int | slice) -> BackTestRow | Sequence[BackTestRow]:
        if isinstance(index, slice):
            return [self._row(number) for number in range(len(self))[index]]
        return self._row(range(len(self))[index])

    def __iter__(self) -> Iterator[BackTestRow]:
        return map(self._row, range(len(self)))

    def at(self, position: int) -> BackTestRow | None:
        """The row that a position of the corpus lies in; None for a position outside."""
        if not 0 <= position < len(self.outcomes):
            return None
        return self._row(bisect_right(self.starts, position) - 1)

    def firing(self) -> Iterable[BackTestRow]:
        """The rows in which the rule fires, in order."""
        at = self.outcomes.find(FIRES)
        while at >= 0:
            number = bisect_right(self.starts, at) - 1
            yield self._row(number)
            at = self.outcomes.find(FIRES, self.starts[number + 1])

    def misfiring(self) -> Iterable[BackTestRow]:
        """The rows in which something is wrong or missed, in order."""
        return map(self._row, self.misfires)

    def _row(self, number: int) -> BackTestRow:
        misfires = self.misfires.get(number, _NO_MISFIRES)
        start, end = self.starts[number], self.starts[number + 1]
        own = self.outcomes[start:end]
        return BackTestRow(self.trajectories[number], start, own, misfires.wrong, misfires.missed)
