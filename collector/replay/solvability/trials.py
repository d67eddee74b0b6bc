"""The trials of a solvability check and their results; imports little, for the window that shows them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from collector.replay.outcomes import RecoveryMove


class TrialResult(StrEnum):
    """The result of a task under an anomaly."""

    SOLVABLE = "solvable"
    RECOVERED = "recovered"
    """Solvable with recovery moves, which an agent has too."""
    STOPS = "stops"
    NOT_MET = "not-met"
    """The anomaly was not injected: its rule never held, or this phone cannot have it."""
    BROKEN = "broken"
    """The golden trajectory cannot be replayed even without the anomaly."""


SOLVED = (TrialResult.SOLVABLE, TrialResult.RECOVERED)


@dataclass(frozen=True, slots=True)
class SolvabilityTrial:
    """One run. Indexes are those of steps in the golden trajectory."""

    task: str
    trajectory: str
    anomaly: str
    answer: str
    result: TrialResult
    met_at: int | None = None
    """The step before which the anomaly was injected."""
    stops_at: int | None = None
    """The step that could not be done; None too when all were done and the task was not."""
    why: str = ""
    ways: tuple[RecoveryMove, ...] = ()
    problems: tuple[str, ...] = ()
    """What failed of the anomaly, as a follow-up that the phone refused."""
    seconds: float = 0.0
    run: str = ""
    """Id of the run that the trial left in the project; empty when none was recorded."""


@dataclass(frozen=True, slots=True)
class SolvabilityReport:
    """All trials, in the order of tasks, anomalies, answers and steps."""

    trials: tuple[SolvabilityTrial, ...] = ()

    @property
    def is_solvable(self) -> bool:
        """Whether every task met every anomaly and is solvable under it."""
        return all(trial.result in SOLVED for trial in self.trials)

    def count(self, result: TrialResult) -> int:
        return sum(trial.result is result for trial in self.trials)


@dataclass(frozen=True, slots=True)
class TrialStep:
    """The current step of a check. ``anomaly`` is empty while a task is replayed without one."""

    task: str
    anomaly: str
    answer: str
    step: int
    """Index of the step in its trajectory."""
    steps: int
    """How many there are up to the last that does something, with those a replay leaves out."""
