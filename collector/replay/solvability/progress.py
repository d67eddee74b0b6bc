"""How far a solvability check is, and how long the rest may take."""

from __future__ import annotations

import time

from collector.replay.solvability.plan import SolvabilityInput, SolvabilityPlan
from collector.replay.solvability.trials import SolvabilityTrial, TrialResult, TrialStep


class SolvabilityProgress:
    """Measures a check by the events of its trials."""

    def __init__(self, plan: SolvabilityPlan, given: SolvabilityInput, pace: float = 1.0) -> None:
        """``pace`` is how many seconds the phone took for one estimated second in an earlier check."""
        self._pace = pace
        self._weights = dict(plan.weights(given))
        self._done: dict[str, int] = dict.fromkeys(self._weights, 0)
        self._began = time.monotonic()
        self.current: TrialStep | None = None
        """The step that is replayed now."""

    @property
    def runs(self) -> int:
        """How many replays the check has."""
        return sum(seconds > 0 for weight in self._weights.values() for seconds in weight)

    @property
    def done(self) -> int:
        """How many of them ended, or are left out."""
        return sum(seconds > 0 for seconds in self._done_weights)

    @property
    def seconds(self) -> float:
        """Estimated seconds of the whole check."""
        return self._pace * sum(sum(weight) for weight in self._weights.values())

    @property
    def left_s(self) -> float:
        """Estimated seconds until the end, by the time the ended runs took."""
        begun = 0.0 if self.done else time.monotonic() - self._began
        return max(0.0, (self.seconds / self._pace - sum(self._done_weights)) * self.pace - begun)

    @property
    def pace(self) -> float:
        """How many seconds the phone takes for one estimated second; measured once a run has ended."""
        done = sum(self._done_weights)
        return (time.monotonic() - self._began) / done if done else self._pace

    @property
    def _done_weights(self) -> list[float]:
        weights = (weight[: self._done[task]] for task, weight in self._weights.items())
        return [seconds for weight in weights for seconds in weight]

    def begin_step(self, step: TrialStep) -> None:
        """Note the step that begins; the first under an anomaly shows that the task can be replayed."""
        if step.anomaly and self._done.get(step.task) == 0:
            self._done[step.task] = 1
        self.current = step

    def end_trial(self, trial: SolvabilityTrial) -> None:
        """Note the end of a run; a task that cannot be replayed has no further runs."""
        count = len(self._weights.get(trial.task, ()))
        if trial.result is TrialResult.BROKEN and not trial.anomaly:
            self._done[trial.task] = count
        elif count:
            self._done[trial.task] = min(count, max(1, self._done[trial.task]) + 1)
