"""When the next action of a replay is due: once its screen is there, as recorded, or at a fixed pace."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from collector.model.trajectory import Step


class TimingKind(StrEnum):
    """What an action of a replay waits for besides its screen."""

    NONE = "none"
    RECORDED = "recorded"
    """As much time after the action before as when it was recorded."""
    FIXED = "fixed"
    """One time after every action."""


@dataclass(frozen=True, slots=True)
class ReplayTiming:
    """How long after the action before a step is due, at the earliest."""

    kind: TimingKind = TimingKind.NONE
    pause_s: float = 0.0
    """Of the fixed timing."""

    def gap_s(self, before: Step | None, step: Step) -> float:
        """Seconds from the action of ``before`` to that of ``step``; 0 for the first one."""
        if before is None:
            return 0.0
        if self.kind is TimingKind.RECORDED:
            return max(0.0, (step.t_ms - before.t_ms) / 1000)
        return self.pause_s if self.kind is TimingKind.FIXED else 0.0
