"""Which tasks stay solvable under which anomalies, and where the others stop."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from collector.anomalies.errors import AnomalyError, PhoneInUse
from collector.anomalies.injector import Injector
from collector.anomalies.model import Anomaly
from collector.device.emulator_console import NoConsole
from collector.device.errors import GONE, CallCancelled, CommandFailed, DeviceError
from collector.judge.success_judge import SuccessJudge
from collector.model.event_emitter import EventEmitter
from collector.model.i18n import _
from collector.model.task import Task
from collector.replay.anomaly_answerer import DialogNotAnswered
from collector.replay.outcomes import ReplayEvent, ReplayResult, ReplayStage, ReplayStatus
from collector.replay.phone import ReplayPhone
from collector.replay.replay import RecordedTrajectory, Replay, ReplayOptions
from collector.replay.replay_with_anomaly import ReplayWithAnomaly
from collector.replay.solvability_cases import AUTO, DECLARED, SolvabilityTask, TrialCase, trial_cases
from collector.replay.solvability_trials import (
    SOLVED,
    SolvabilityReport,
    SolvabilityTrial,
    TrialResult,
    TrialStep,
)

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class SolvabilityCheck:
    """Runs tasks under anomalies on one phone, one after another, on the thread of whoever calls.

    ``told`` gets each trial as it ends, ``doing`` each step as it begins. What an anomaly changed is
    taken back after each run.
    """

    phone: ReplayPhone
    injector: Injector
    judge: Callable[[Task], SuccessJudge] = lambda _task: SuccessJudge()
    options: ReplayOptions = field(default_factory=ReplayOptions)
    answer: str = DECLARED
    at: str = AUTO
    texts: Callable[[Task, RecordedTrajectory], Mapping[int, str]] = lambda _task, _golden: {}
    """What to type at the steps of a golden trajectory whose text was hidden, beside that of ``options``."""
    told: EventEmitter[SolvabilityTrial] = field(default_factory=EventEmitter)
    doing: EventEmitter[TrialStep] = field(default_factory=EventEmitter)
    cancelled: threading.Event = field(default_factory=threading.Event)
    trials: list[SolvabilityTrial] = field(default_factory=list)

    def run(
        self, tasks: Sequence[SolvabilityTask], anomalies: Callable[[SolvabilityTask], Sequence[Anomaly]]
    ) -> SolvabilityReport:
        """Raises DeviceError when the phone goes away, CallCancelled; ``trials`` holds what was done."""
        for task in tasks:
            golden, broken = self._baseline(task)
            if golden is None:
                self._tell(broken)
                continue
            for anomaly in anomalies(task):
                self._under(task, anomaly, golden)
        return SolvabilityReport(tuple(self.trials))

    # -- without anomalies ---------------------------------------------------
    def _baseline(self, one: SolvabilityTask) -> tuple[RecordedTrajectory | None, SolvabilityTrial]:
        """The first golden trajectory that can be replayed, else what stops the last one."""
        broken = SolvabilityTrial(
            one.task.id, "", "", "", TrialResult.BROKEN, why=_("It has no golden trajectory")
        )
        for golden in one.goldens:
            began, replay = time.monotonic(), self._replay(one.task, golden)
            result = replay.run()
            self._require_phone(result)
            if result.status is ReplayStatus.DONE:
                return golden, broken
            seconds = time.monotonic() - began
            broken = SolvabilityTrial(
                one.task.id, golden.header.id, "", "", TrialResult.BROKEN, None, result.stopped_at,
                why_of(result), seconds=seconds,
            )  # fmt: skip
        return None, broken

    # -- under one -----------------------------------------------------------
    def _under(self, one: SolvabilityTask, anomaly: Anomaly, golden: RecordedTrajectory) -> None:
        count = 0
        for case in trial_cases(one, anomaly, golden, answer=self.answer, at=self.at):
            began = time.monotonic()
            trial = self._try(case, golden)
            self._tell(replace(trial, seconds=round(time.monotonic() - began, 1)))
            count += 1
        if not count:
            why = _("No rule of the task injects it, or it has no such step or answer")
            self._tell(
                _trial(TrialCase(one.task, anomaly, self.answer), golden, TrialResult.NOT_MET, why=why)
            )

    def _try(self, case: TrialCase, golden: RecordedTrajectory) -> SolvabilityTrial:
        replay = self._replay(case.task, golden, case.anomaly.id, case.answer)
        run = ReplayWithAnomaly(replay, self.injector, case)
        forget = self.injector.events.subscribe(run.note)
        try:
            result = run.result()
        except (CallCancelled, PhoneInUse, *GONE):
            raise
        except (AnomalyError, CommandFailed, NoConsole) as error:
            return _trial(case, golden, TrialResult.NOT_MET, why=str(error))
        except DialogNotAnswered as error:
            return _trial(case, golden, TrialResult.STOPS, run, run.replay.step.index, str(error))
        finally:
            forget()
            self._restore()
        self._require_phone(result)
        found = _result_of(result, run)
        why = "" if found in SOLVED else why_of(result)
        if found is TrialResult.NOT_MET:
            why = _("Its rule never held on the way")
        return _trial(case, golden, found, run, result.stopped_at, why)

    def _replay(self, task: Task, golden: RecordedTrajectory, anomaly: str = "", answer: str = "") -> Replay:
        texts = {**self.options.texts, **self.texts(task, golden)}
        options = replace(self.options, app=task.package, texts=texts)
        made = Replay(golden, self.phone, options, self.judge(task), self.cancelled)

        def tell(event: ReplayEvent) -> None:
            if event.stage is ReplayStage.LOOKING and event.outcome is None:
                self.doing.emit(TrialStep(task.id, anomaly, answer, event.step, made.steps[-1].index + 1))

        made.events.subscribe(tell)
        return made

    def _restore(self) -> None:
        """Take back what the anomaly changed; what stays is in the journal and told."""
        for taken in self.injector.undo_all(kept=False):
            if taken.problem:
                _log.warning("%s could not be taken back: %s", taken.pending.anomaly, taken.problem)

    def _require_phone(self, result: ReplayResult) -> None:
        last = result.last
        why = last.why if last is not None else ""
        if result.status is ReplayStatus.CANCELLED:
            raise CallCancelled("solvability")
        if result.status is ReplayStatus.LOST:
            raise DeviceError(_("The phone went away"), why, _("Connect it again and repeat the survey"))

    def _tell(self, trial: SolvabilityTrial) -> None:
        self.trials.append(trial)
        self.told.emit(trial)


def why_of(result: ReplayResult) -> str:
    """Why a replay did not do the task, in one sentence or two."""
    last, verdict = result.last, result.verdict
    if verdict is None:
        return last.problem if last is not None else ""
    if verdict.rule:
        return _("All steps were done, and the rule {rule} does not hold", rule=verdict.rule)
    percent = round(100 * (verdict.share or 0.0))
    why = _("All steps were done, and the end has {percent} % of the recorded words", percent=percent)
    return f"{why}; {verdict.said}" if verdict.said else why


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
