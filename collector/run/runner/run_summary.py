"""How the episodes of an experiment ended: success by agent and condition, faults apart."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from collector.model.episode import Outcome
from collector.model.verdicts.judgement import FAILURE, SUCCESS, UNCOMPLETED
from collector.run.experiment.model import Cell

FINISHED, STOPPED, FAILED = "finished", "stopped", "failed"
"""How a run ends."""
_STATUSES = (SUCCESS, FAILURE, UNCOMPLETED, "")
_ENDS = tuple((status, is_early) for status in _STATUSES for is_early in (False, True))
"""How a cell ends: the status of its outcome, and whether it was stopped early."""


@dataclass(frozen=True, slots=True)
class NotRun:
    """A cell that has no outcome when the run ends."""

    cell: str
    """``Cell.id``."""
    reason: str
    """In a sentence; empty when its turn did not come."""


@dataclass(frozen=True, slots=True)
class OutcomeCounts:
    """The outcomes of one agent under one condition."""

    agent: str
    condition: str
    success: int = 0
    failure: int = 0
    uncompleted: int = 0
    unjudged: int = 0
    """Episodes that no rule can judge."""
    early_stops: int = 0
    """Of the others, those that were stopped after identical actions."""

    @property
    def judged(self) -> int:
        """Episodes that count for rates."""
        return self.success + self.failure + self.uncompleted

    @property
    def rate(self) -> float | None:
        """The share of successes; None without a judged episode."""
        return self.success / self.judged if self.judged else None


@dataclass(frozen=True, slots=True)
class RunSummary:
    """A run that ended."""

    experiment: str
    how: str
    """FINISHED, STOPPED by a person, or FAILED."""
    reason: str
    total: int
    """Cells of the experiment."""
    finished: int
    """Those with an outcome, from earlier runs too."""
    finished_before: int
    not_run: tuple[NotRun, ...]
    counts: tuple[OutcomeCounts, ...]
    faults: int
    """Attempts of this run that a fault of the infrastructure ended. They count for no agent."""
    seconds: float
    judged: int = 0
    """Verdicts of the experiment's judges beside the rules that were stored by this run."""
    judge_problems: tuple[str, ...] = ()
    """A sentence for each of these judges that could not judge episodes."""


@dataclass(slots=True)
class RunResults:
    """The outcomes of a run as they come. Thread-safe."""

    cells: tuple[Cell, ...]
    given_up: dict[str, str] = field(default_factory=dict)
    """Why a cell is not run, by id."""
    faults: int = 0
    _numbers: dict[str, int] = field(init=False)
    """The place of each cell, by ``Cell.id``."""
    _ends: bytearray = field(init=False)
    """How each cell ended: 0 for not yet, else one more than the number of an end. It never grows."""
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self._numbers = {cell.id: number for number, cell in enumerate(self.cells)}
        self._ends = bytearray(len(self.cells))

    @property
    def finished(self) -> int:
        """Cells that have their outcome."""
        with self._lock:
            return len(self._ends) - self._ends.count(0)

    def finish(self, cell: Cell, outcome: Outcome) -> None:
        """A cell has its outcome, which is no fault."""
        status = outcome.status if outcome.status in _STATUSES else ""
        with self._lock:
            self._ends[self._numbers[cell.id]] = 1 + _ENDS.index((status, outcome.early_stop))

    def note_fault(self) -> None:
        """A fault ended an attempt."""
        with self._lock:
            self.faults += 1

    def give_up(self, cell: Cell, reason: str) -> None:
        """A cell is not run."""
        with self._lock:
            self.given_up[cell.id] = reason

    def not_run(self) -> tuple[NotRun, ...]:
        """The cells without an outcome, in the order of the matrix."""
        with self._lock:
            return tuple(
                NotRun(name, self.given_up.get(name, ""))
                for name, number in self._numbers.items()
                if not self._ends[number]
            )

    def counts(self) -> tuple[OutcomeCounts, ...]:
        """The outcomes by agent and condition, in the order of the matrix."""
        with self._lock:
            groups: dict[tuple[str, str], Counter[tuple[str, bool]]] = {}
            for cell, end in zip(self.cells, self._ends, strict=True):
                group = groups.setdefault((cell.agent, cell.condition), Counter())
                if end:
                    group[_ENDS[end - 1]] += 1
        return tuple(_counted(agent, condition, group) for (agent, condition), group in groups.items())


def _counted(agent: str, condition: str, ends: Mapping[tuple[str, bool], int]) -> OutcomeCounts:
    by_status: Counter[str] = Counter()
    early = 0
    for (status, is_early), count in ends.items():
        by_status[status] += count
        early += count if is_early else 0
    return OutcomeCounts(
        agent, condition, by_status[SUCCESS], by_status[FAILURE], by_status[UNCOMPLETED], by_status[""], early
    )  # fmt: skip
