"""The run that a trial of a solvability check leaves in the project, with the anomaly it met."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace

from collector.anomalies.events import AnomalyEvent
from collector.anomalies.model import COMPANION_KIND
from collector.device.errors import GONE, CallCancelled
from collector.model.episode import Outcome
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.verdicts.judgement import UNCOMPLETED
from collector.replay.outcomes import ReplayResult, ReplayStatus
from collector.replay.replay import Replay
from collector.replay.replay_run import ReplayRun, ReplayRuns, outcome_of
from collector.replay.solvability.anomaly_answerer import DialogNotAnswered
from collector.replay.solvability.cases import TrialCase

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class TrialRun:
    """Records one replay of a check, or nothing: a project that takes no run does not stop the check."""

    recorded: ReplayRun | None = None
    """None when no run is recorded."""
    refused: str = ""
    """Why no run could be begun, in a sentence."""

    @classmethod
    def begin(
        cls, runs: ReplayRuns | None, task_id: str, golden: str, case: TrialCase | None,
        secrets: Iterable[str], values: Mapping[str, str] | None = None,
    ) -> TrialRun:  # fmt: skip
        """Begin the run of a trial; without a ``case`` that of the task without an anomaly.

        Its cell names the golden trajectory, the place and the answer. ``values`` are those of the task's
        parameters. Raises DeviceError.
        """
        if runs is None or runs.project.is_read_only:
            return cls()
        where = ("" if case.at is None else f"step {case.at + 1}") if case is not None else ""
        rule = case.rule.id if case is not None and case.rule is not None else ""
        cell = " / ".join(filter(None, (golden, rule, where, case.answer if case is not None else "")))
        has_dialog = case is not None and case.anomaly.kind == COMPANION_KIND
        try:
            return cls(
                runs.begin(
                    task_id, cell, case.anomaly.id if case is not None else "",
                    buttons=len(case.anomaly.answers) or None if case is not None and has_dialog else None,
                    secrets=secrets, values=values,
                )
            )  # fmt: skip
        except UserError as error:
            if isinstance(error, (CallCancelled, *GONE)):
                raise
            _log.info("a trial leaves no run: %s", error)
            return cls(refused=_("The run could not be recorded: {why}", why=error))

    @property
    def id(self) -> str:
        """Id of the run; empty without one."""
        return self.recorded.id if self.recorded is not None else ""

    @property
    def problems(self) -> tuple[str, ...]:
        """Why there is no run, or why it is not whole, in sentences."""
        problem = self.recorded.problem if self.recorded is not None else self.refused
        return (problem,) if problem else ()

    def note(self, event: AnomalyEvent) -> None:
        """Record what becomes of the anomaly."""
        if self.recorded is not None:
            self.recorded.note(event)

    def end(self, ended: ReplayResult | UserError, replay: Replay, *, met: bool = True) -> None:
        """Write the outcome and the last screen.

        A run that did not meet its anomaly says nothing about its condition: no count includes it.
        """
        run = self.recorded
        if run is None:
            return
        outcome = _outcome(ended, run.claimed)
        if isinstance(ended, GONE) or (isinstance(ended, ReplayResult) and ended.status is ReplayStatus.LOST):
            run.lost_phone(outcome.infrastructure)
        if not met and not outcome.infrastructure:
            outcome = replace(outcome, infrastructure=_("The anomaly was not injected"))
        run.finish(outcome, replay.last_screen, replay.phone.device)

    @contextmanager
    def cancelled_by_an_exception(self, replay: Replay) -> Iterator[None]:
        """Close the run, as cancelled, when the replay is ended by an interrupt or an unforeseen error."""
        try:
            yield
        except BaseException:
            self.end(CallCancelled("replay"), replay)
            raise


def _outcome(ended: ReplayResult | UserError, claimed: str) -> Outcome:
    if isinstance(ended, ReplayResult):
        return outcome_of(ended, claimed)
    if isinstance(ended, DialogNotAnswered):
        return Outcome(UNCOMPLETED, str(ended))
    if isinstance(ended, CallCancelled):
        return Outcome(infrastructure=_("The replay was cancelled"), stopped=True)
    return Outcome(infrastructure=str(ended))
