"""The events of a replay, the outcome of each step, and the result."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from collector.judge.evaluation.divergence import Divergence
from collector.judge.replay_verdict import BY_LAST_STATE, BY_RULE, BY_STATES, BY_TARGET, SuccessVerdict
from collector.model.geometry import Point
from collector.model.i18n import _


class ReplayStage(StrEnum):
    """Where a replay is; every change of it is an event."""

    READY = "ready"
    PREPARING = "preparing"
    LOOKING = "looking"
    """Reading the screen until it is the recorded one, or patience ends."""
    FOUND = "found"
    """The screen is the recorded one, and nothing was done on it yet."""
    ACTING = "acting"
    JUDGING = "judging"
    ENDED = "ended"


class ReplayStatus(StrEnum):
    """How a step ended, and with the last of them the replay."""

    DONE = "done"
    DIVERGED = "diverged"
    """The screen is not the recorded one."""
    REFUSED = "refused"
    """The recording asks for what cannot be done: an invalid action, or an app the phone has not."""
    FAULT = "fault"
    """Setup or phone failed, not the recording: a hidden text that nobody gave, a call that failed."""
    LOST = "lost"
    """The phone is gone."""
    CANCELLED = "cancelled"
    FAILED = "failed"
    """Every step was done, and the task is not."""


@dataclass(frozen=True, slots=True)
class StepOutcome:
    """The outcome of one step."""

    index: int
    """Of the step in its trajectory, from 0."""
    status: ReplayStatus
    selector: str = ""
    """The selector that named its target; empty when the recorded place was used or nothing touched."""
    moved: bool = False
    """The target was elsewhere than recorded, or its texts had changed."""
    point: Point | None = None
    """Where the finger went, in pixels of the phone's screen now."""
    divergence: Divergence | None = None
    why: str = ""
    """Why it was refused, ended by a fault, or lost."""
    waited_ms: int = 0

    @property
    def problem(self) -> str:
        """One sentence on what went wrong; empty when it was done."""
        return str(self.divergence) if self.divergence is not None else self.why


@dataclass(frozen=True, slots=True)
class ReplayResult:
    """A whole replay."""

    status: ReplayStatus
    steps: tuple[StepOutcome, ...]
    verdict: SuccessVerdict | None = None
    """None when it did not come to the end."""

    @property
    def last(self) -> StepOutcome | None:
        return self.steps[-1] if self.steps else None

    @property
    def stopped_at(self) -> int | None:
        """Index of the step that could not be done."""
        last = self.last
        return last.index if last is not None and last.status is not ReplayStatus.DONE else None


def why_of(result: ReplayResult) -> str:
    """Why a replay did the task, or did not, in one sentence or two."""
    last, verdict = result.last, result.verdict
    if verdict is None:
        return last.problem if last is not None else ""
    if verdict.holds:
        return _done_by(verdict)
    if verdict.rule:
        return _("All steps were done, and the rule {rule} does not hold", rule=verdict.rule)
    if verdict.by in (BY_TARGET, BY_STATES):
        return _("All steps were done, and the task is not; {detail}", detail=verdict.detail)
    percent = round(100 * (verdict.share or 0.0))
    why = _("All steps were done, and the end has {percent} % of the recorded words", percent=percent)
    return f"{why}; {verdict.detail}" if verdict.detail else why


def _done_by(verdict: SuccessVerdict) -> str:
    if verdict.by == BY_RULE:
        return _("Done: the rule {rule} holds", rule=verdict.rule)
    if verdict.by == BY_TARGET:
        return _("Done: {reason}", reason=verdict.detail)
    if verdict.by == BY_STATES:
        return _("Done: every essential state was reached")
    if verdict.by == BY_LAST_STATE and verdict.share is None:
        return _("Done: every step could be done, and the recorded end has no words to compare with")
    if verdict.by == BY_LAST_STATE:
        percent = round(100 * (verdict.share or 0.0))
        return _("Done: the end has {percent} % of the recorded words", percent=percent)
    return _("Done: every step could be done, and no final state was recorded to compare with")


class RecoveryMove(StrEnum):
    """A move by which the expected screen was reached again."""

    ANSWERED = "answered"
    """A dialog of the phone itself was left by its button: of a crash, a permission, a call."""
    BACK = "back"
    REOPENED = "reopened"
    REPEATED = "repeated"
    """Steps done before were done again, from the first whose screen was there."""


@dataclass(frozen=True, slots=True)
class ReplayEvent:
    """A change of stage, or the end of a step."""

    stage: ReplayStage
    step: int
    """Index of the step it is about."""
    outcome: StepOutcome | None = None
