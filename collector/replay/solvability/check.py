"""Check which tasks stay solvable under which anomalies, and where the others stop."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from collector.anomalies.errors import AnomalyError, PhoneInUse
from collector.anomalies.events import FAILED, AnomalyEvent
from collector.anomalies.injected_anomaly import InjectedAnomaly
from collector.anomalies.injector import InjectionRequest, Injector
from collector.anomalies.model import Anomaly
from collector.device.errors import GONE, CallCancelled, CommandFailed, DeviceError
from collector.device.transport.emulator_console import NoConsole
from collector.judge.evaluation.task_rules import TaskRules
from collector.model.errors import UserError
from collector.model.event_emitter import EventEmitter
from collector.model.i18n import _
from collector.model.task import Task
from collector.replay.guard import ReadyStep
from collector.replay.outcomes import (
    RecoveryMove,
    ReplayEvent,
    ReplayResult,
    ReplayStage,
    ReplayStatus,
    StepOutcome,
    why_of,
)
from collector.replay.phone import ReplayPhone
from collector.replay.recovery import ReplayRecovery
from collector.replay.replay import RecordedTrajectory, Replay
from collector.replay.replay_options import ReplayOptions
from collector.replay.replay_run import ReplayRuns
from collector.replay.solvability.anomaly_answerer import AnomalyAnswerer, DialogNotAnswered
from collector.replay.solvability.cases import AUTO, DECLARED, SolvabilityTask, TrialCase, trial_cases
from collector.replay.solvability.plan import SolvabilityInput, SolvabilityPlan
from collector.replay.solvability.trial_run import TrialRun
from collector.replay.solvability.trials import (
    SOLVED,
    SolvabilityReport,
    SolvabilityTrial,
    TrialResult,
    TrialStep,
)
from collector.store.tasks.task_values import recorded_values

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class SolvabilityCheck:
    """Replays tasks under anomalies on one phone, one after another, on the caller's thread.

    ``trial_ended`` gets each trial, ``step_begun`` each step. What an anomaly changed is undone after each
    run.
    """

    phone: ReplayPhone
    injector: Injector
    rules_of: Callable[[str], TaskRules] = lambda _task: TaskRules()
    """The rules that judge a task, by its id."""
    options: ReplayOptions = field(default_factory=ReplayOptions)
    answer: str = DECLARED
    at: str = AUTO
    texts: Callable[[Task, RecordedTrajectory], Mapping[int, str]] = lambda _task, _golden: {}
    """What to type at the redacted steps of a golden trajectory, beside the texts of ``options``."""
    trial_ended: EventEmitter[SolvabilityTrial] = field(default_factory=EventEmitter)
    step_begun: EventEmitter[TrialStep] = field(default_factory=EventEmitter)
    cancelled: threading.Event = field(default_factory=threading.Event)
    runs: ReplayRuns | None = None
    """Records each replay as a run of the project; None to leave none."""
    trials: list[SolvabilityTrial] = field(default_factory=list)

    @property
    def report(self) -> SolvabilityReport:
        """The trials so far."""
        return SolvabilityReport(tuple(self.trials))

    def run_plan(self, plan: SolvabilityPlan, given: SolvabilityInput) -> SolvabilityReport:
        """Run the tasks of ``plan``. Raises as :meth:`run`."""
        self.answer, self.at = plan.answer, plan.at
        self.options = replace(self.options, fresh=plan.fresh)
        cases = [given.cases[task] for task in plan.tasks if task in given.cases]
        return self.run(cases, lambda case: plan.anomalies_of(case.task.id))

    def run(
        self, cases: Sequence[SolvabilityTask], anomalies: Callable[[SolvabilityTask], Sequence[Anomaly]]
    ) -> SolvabilityReport:
        """Replay every task under each of its anomalies.

        Raises DeviceError when the phone goes away and CallCancelled; ``trials`` holds what was done.
        """
        for case in cases:
            golden, broken = self._baseline(case)
            if golden is None:
                self._end_trial(broken)
                continue
            for anomaly in anomalies(case):
                self._under(case, anomaly, golden)
        return self.report

    # -- without anomalies ---------------------------------------------------
    def _baseline(self, case: SolvabilityTask) -> tuple[RecordedTrajectory | None, SolvabilityTrial]:
        """Find the first golden trajectory that can be replayed, or else what stops the last one."""
        broken = SolvabilityTrial(
            case.task.id, "", "", "", TrialResult.BROKEN, why=_("It has no golden trajectory")
        )
        for golden in case.goldens:
            began, run = time.monotonic(), self._begin_run(case.task, golden)
            replay = self._replay(case.task, golden, run)
            with run.cancelled_by_an_exception(replay):
                result = replay.run()
            run.end(result, replay)
            self._require_phone(result)
            if result.status is ReplayStatus.DONE:
                return golden, broken
            seconds = time.monotonic() - began
            broken = SolvabilityTrial(
                case.task.id, golden.header.id, "", "", TrialResult.BROKEN, None, result.stopped_at,
                why_of(result), problems=run.problems, seconds=seconds, run=run.id,
            )  # fmt: skip
        return None, broken

    # -- under one anomaly ---------------------------------------------------
    def _under(self, task: SolvabilityTask, anomaly: Anomaly, golden: RecordedTrajectory) -> None:
        cases = list(trial_cases(task, anomaly, golden, answer=self.answer, at=self.at))
        for case in cases:
            began = time.monotonic()
            trial = self._try(case, golden)
            self._end_trial(replace(trial, seconds=round(time.monotonic() - began, 1)))
        if not cases:
            why = _("No rule of the task injects it, or it has no such step or answer")
            not_met = TrialCase(task.task, anomaly, self.answer)
            self._end_trial(_trial(not_met, golden, TrialResult.NOT_MET, why=why))

    def _try(self, case: TrialCase, golden: RecordedTrajectory) -> SolvabilityTrial:
        run = self._begin_run(case.task, golden, case)
        replay = self._replay(case.task, golden, run, case.anomaly.id, case.answer)
        attempt = ReplayWithAnomaly(replay, self.injector, case)
        forget = [self.injector.events.subscribe(note) for note in (attempt.note, run.note)]
        ended: ReplayResult | UserError
        unrestored: UserError | None = None
        try:
            with run.cancelled_by_an_exception(replay):
                try:
                    ended = attempt.result()
                except UserError as error:
                    ended = error
        finally:
            try:
                self._restore()
            except UserError as error:  # a phone that is gone; its run has to be ended all the same
                unrestored = error
            for remove in forget:
                remove()
        run.end(ended, replay, met=attempt.met is not None)
        if unrestored is not None:
            raise unrestored
        trial = self._trial(case, golden, attempt, ended)
        return replace(trial, run=run.id, problems=(*attempt.problems, *run.problems))

    def _trial(
        self, case: TrialCase, golden: RecordedTrajectory, attempt: ReplayWithAnomaly,
        ended: ReplayResult | UserError,
    ) -> SolvabilityTrial:  # fmt: skip
        """The trial of a replay that ended, or that an error ended. Raises what ends the whole check."""
        match ended:
            case CallCancelled() | PhoneInUse():
                raise ended
            case UserError() if isinstance(ended, GONE):
                raise ended
            case AnomalyError() | CommandFailed() | NoConsole():
                return _trial(case, golden, TrialResult.NOT_MET, why=str(ended))
            case DialogNotAnswered():
                stopped_at = attempt.replay.step.index
                return _trial(case, golden, TrialResult.STOPS, attempt, stopped_at, str(ended))
            case UserError():
                raise ended
        self._require_phone(ended)
        result = _result_of(ended, attempt)
        why = "" if result in SOLVED else why_of(ended)
        if result is TrialResult.NOT_MET:
            why = _("Its rule never held on the way")
        return _trial(case, golden, result, attempt, ended.stopped_at, why)

    def _begin_run(self, task: Task, golden: RecordedTrajectory, case: TrialCase | None = None) -> TrialRun:
        texts = (*self.options.texts.values(), *self.texts(task, golden).values())
        values = recorded_values(golden.header, task)
        return TrialRun.begin(self.runs, task.id, golden.header.id, case, texts, values)

    def _replay(
        self, task: Task, golden: RecordedTrajectory, run: TrialRun, anomaly: str = "", answer: str = ""
    ) -> Replay:
        texts = {**self.options.texts, **self.texts(task, golden)}
        options = replace(self.options, app=task.package, texts=texts, turns_phone=False)
        rules = self.rules_of(task.id).with_values_of(task, recorded_values(golden.header, task))
        replay = Replay(golden, self.phone, options, rules, self.cancelled, run.recorded)

        def begin_step(event: ReplayEvent) -> None:
            if event.stage is ReplayStage.LOOKING and event.outcome is None:
                count = replay.steps[-1].index + 1
                self.step_begun.emit(TrialStep(task.id, anomaly, answer, event.step, count))

        replay.events.subscribe(begin_step)
        return replay

    def _restore(self) -> None:
        """Undo what the anomaly changed; what cannot be undone stays in the journal and is logged."""
        for result in self.injector.undo_all(kept=False):
            if result.problem:
                _log.warning("%s could not be taken back: %s", result.pending.anomaly, result.problem)

    def _require_phone(self, result: ReplayResult) -> None:
        last = result.last
        why = last.why if last is not None else ""
        if result.status is ReplayStatus.CANCELLED:
            raise CallCancelled("solvability")
        if result.status is ReplayStatus.LOST:
            raise DeviceError(_("The phone went away"), why, _("Connect it again and repeat the check"))

    def _end_trial(self, trial: SolvabilityTrial) -> None:
        self.trials.append(trial)
        self.trial_ended.emit(trial)


def _result_of(result: ReplayResult, run: ReplayWithAnomaly) -> TrialResult:
    if run.met is None:
        return TrialResult.NOT_MET if result.status is ReplayStatus.DONE else TrialResult.BROKEN
    if result.status is not ReplayStatus.DONE:
        return TrialResult.STOPS
    return TrialResult.RECOVERED if run.ways else TrialResult.SOLVABLE


def _trial(
    case: TrialCase, golden: RecordedTrajectory, result: TrialResult, run: ReplayWithAnomaly | None = None,
    stops_at: int | None = None, why: str = "",
) -> SolvabilityTrial:  # fmt: skip
    trial = SolvabilityTrial(
        case.task.id, golden.header.id, case.anomaly.id, case.answer, result, stops_at=stops_at, why=why
    )
    if run is None:
        return trial
    return replace(trial, met_at=run.met_at, ways=run.ways, problems=tuple(run.problems))


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
