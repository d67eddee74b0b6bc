"""How the episodes of an experiment ended: success by agent and condition, faults apart."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from collector.model.episode import Outcome
from collector.model.verdicts.judgement import FAILURE, SUCCESS, UNCOMPLETED
from collector.run.experiment.model import Cell

FINISHED, STOPPED, FAILED = "finished", "stopped", "failed"
"""How a run ends."""


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
    outcomes: dict[str, Outcome] = field(default_factory=dict)
    """By ``Cell.id``; none of them was ended by a fault."""
    given_up: dict[str, str] = field(default_factory=dict)
    """Why a cell is not run, by id."""
    faults: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def finish(self, cell: Cell, outcome: Outcome) -> None:
        """A cell has its outcome."""
        with self._lock:
            self.outcomes[cell.id] = outcome

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
                NotRun(cell.id, self.given_up.get(cell.id, ""))
                for cell in self.cells
                if cell.id not in self.outcomes
            )

    def counts(self) -> tuple[OutcomeCounts, ...]:
        """The outcomes by agent and condition, in the order of the matrix."""
        with self._lock:
            return count_outcomes(self.cells, self.outcomes)


def count_outcomes(cells: Iterable[Cell], outcomes: Mapping[str, Outcome]) -> tuple[OutcomeCounts, ...]:
    """Count the outcomes by agent and condition, in the order of ``cells``."""
    groups: dict[tuple[str, str], list[Outcome]] = {}
    for cell in cells:
        group = groups.setdefault((cell.agent, cell.condition), [])
        if cell.id in outcomes:
            group.append(outcomes[cell.id])
    return tuple(_counted(agent, condition, group) for (agent, condition), group in groups.items())


def _counted(agent: str, condition: str, outcomes: Sequence[Outcome]) -> OutcomeCounts:
    by_status = Counter(outcome.status for outcome in outcomes)
    early = sum(outcome.early_stop for outcome in outcomes)
    return OutcomeCounts(
        agent, condition, by_status[SUCCESS], by_status[FAILURE], by_status[UNCOMPLETED], by_status[""], early
    )  # fmt: skip
