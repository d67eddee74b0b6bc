"""A replay in which an anomaly is met, and from which it finds its way back."""

from __future__ import annotations

from collector.anomalies.events import FAILED, AnomalyEvent
from collector.anomalies.injected import InjectedAnomaly
from collector.anomalies.injector import Injector, Request
from collector.replay.cases import Case
from collector.replay.encounter import Encounter
from collector.replay.guard import Aim
from collector.replay.outcomes import ReplayResult, Status, StepOutcome, Way
from collector.replay.recovery import Recovery
from collector.replay.replay import Replay

_SHORT_PATIENCE_S = 3.0
"""After an anomaly a screen that is not there is looked for in other ways than by waiting."""


class DisturbedReplay:
    """One replay, made once. ``met`` and ``met_at`` say whether and before which step the anomaly came."""

    def __init__(self, replay: Replay, injector: Injector, case: Case) -> None:
        self.replay, self._injector, self._case = replay, injector, case
        self._recovery = Recovery(replay)
        self.met: InjectedAnomaly | None = None
        self.met_at: int | None = None
        self.problems: list[str] = []

    @property
    def ways(self) -> tuple[Way, ...]:
        return tuple(self._recovery.ways)

    def result(self) -> ReplayResult:
        """The replay with its anomaly. Raises AnomalyError, Unanswered and DeviceError of the injection."""
        failed = self.replay.prepare()
        while failed is None and not self.replay.is_at_end:
            sight = self._look()
            if isinstance(sight, Aim) and self._is_due():
                self._meet()
                sight = self._look()
            outcome = self.replay.act(sight) if isinstance(sight, Aim) else sight
            failed = outcome if outcome.status is not Status.DONE else None
        return self.replay.judged() if failed is None else self.replay.stopped(failed)

    def note(self, event: AnomalyEvent) -> None:
        """Keep what of the anomaly did not work."""
        if event.kind == FAILED:
            self.problems.append(event.reason)

    def _look(self) -> Aim | StepOutcome:
        if self.met is None:
            return self.replay.look()
        sight = self.replay.look(min(_SHORT_PATIENCE_S, self.replay.options.patience_s))
        return sight if isinstance(sight, Aim) else self._recovery.find(sight)

    def _is_due(self) -> bool:
        if self.met is not None:
            return False
        rule = self._case.rule
        return self.replay.next == self._case.at if rule is None else self.replay.holds(rule)

    def _meet(self) -> None:
        case, index = self._case, self.replay.step.index
        self._injector.step = lambda: index
        request = Request(case.anomaly, self.replay.app, follow_up=case.follow_up)
        self.met_at = index
        self.met = Encounter(self._injector, self.replay).meet(request, case.answer)
