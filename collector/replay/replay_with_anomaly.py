"""Replay a trajectory, inject an anomaly on the way, and recover from it."""

from __future__ import annotations

from collector.anomalies.events import FAILED, AnomalyEvent
from collector.anomalies.injected_anomaly import InjectedAnomaly
from collector.anomalies.injector import InjectionRequest, Injector
from collector.replay.anomaly_answerer import AnomalyAnswerer
from collector.replay.guard import ReadyStep
from collector.replay.outcomes import RecoveryMove, ReplayResult, ReplayStatus, StepOutcome
from collector.replay.recovery import ReplayRecovery
from collector.replay.replay import Replay
from collector.replay.solvability_cases import TrialCase

_SHORT_PATIENCE_S = 3.0
"""Wait for a screen after an anomaly, before recovery moves are tried."""


class ReplayWithAnomaly:
    """One replay with one anomaly. ``met`` is the injection, ``met_at`` the step before which it came."""

    def __init__(self, replay: Replay, injector: Injector, case: TrialCase) -> None:
        self.replay, self._injector, self._case = replay, injector, case
        self._recovery = ReplayRecovery(replay)
        self.met: InjectedAnomaly | None = None
        self.met_at: int | None = None
        self.problems: list[str] = []

    @property
    def ways(self) -> tuple[RecoveryMove, ...]:
        return tuple(self._recovery.ways)

    def result(self) -> ReplayResult:
        """The replay with its anomaly. Raises AnomalyError, Unanswered and DeviceError of the injection."""
        failed = self.replay.prepare()
        while failed is None and not self.replay.is_at_end:
            sight = self._look()
            if isinstance(sight, ReadyStep) and self._is_due():
                self._meet()
                sight = self._look()
            outcome = self.replay.act(sight) if isinstance(sight, ReadyStep) else sight
            failed = outcome if outcome.status is not ReplayStatus.DONE else None
        return self.replay.judged() if failed is None else self.replay.stopped(failed)

    def note(self, event: AnomalyEvent) -> None:
        """Keep what failed of the anomaly."""
        if event.kind == FAILED:
            self.problems.append(event.reason)

    def _look(self) -> ReadyStep | StepOutcome:
        if self.met is None:
            return self.replay.look()
        sight = self.replay.look(min(_SHORT_PATIENCE_S, self.replay.options.patience_s))
        return sight if isinstance(sight, ReadyStep) else self._recovery.find(sight)

    def _is_due(self) -> bool:
        if self.met is not None:
            return False
        rule = self._case.rule
        return self.replay.next == self._case.at if rule is None else self.replay.holds(rule)

    def _meet(self) -> None:
        case, index = self._case, self.replay.step.index
        self._injector.step = lambda: index
        request = InjectionRequest(case.anomaly, self.replay.app, follow_up=case.follow_up)
        self.met_at = index
        self.met = AnomalyAnswerer(self._injector, self.replay).inject_and_answer(request, case.answer)
