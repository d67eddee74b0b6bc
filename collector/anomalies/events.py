"""What an injection tells as it goes, and what is written of it into ``events.jsonl``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

INJECTED = "injected"
"""The dialog is on the screen, or the change is made and checked."""
ANSWERED = "answered"
"""A button was pressed: ``answer`` as rules call it, ``event`` as the log has it."""
DISMISSED = "dismissed"
"""The dialog was left without a button: BACK, a touch outside, the end of its app."""
UNCLEAR = "unclear"
"""The dialog is gone, and the log does not say how."""
FOLLOWED = "followed"
"""A follow-up ran: ``command`` and what it ``said``, or only a ``message``."""
UNDONE = "undone"
FAILED = "failed"
"""Something of it did not work; ``reason`` says what."""
STALLED = "stalled"
"""The phone or its log does not answer for now; the dialog is still watched."""
KINDS = (INJECTED, ANSWERED, DISMISSED, UNCLEAR, FOLLOWED, UNDONE, FAILED, STALLED)


@dataclass(frozen=True, slots=True)
class AnomalyEvent:
    """One transition of an injection. Empty fields do not apply to its kind."""

    kind: str
    injection: str
    """Id of the injection, the same in all its events."""
    anomaly: str
    """Id of the anomaly in its library."""
    time_ns: int
    """On the clock of ``time.monotonic_ns``."""
    step: int | None = None
    """Index of the step that was to come as it happened; None when nobody counts."""
    native: bool = False
    answer: str = ""
    event: str = ""
    button: str = ""
    command: str = ""
    said: str = ""
    message: str = ""
    reason: str = ""
    package: str = ""
    """Of an injection: the app that was in front."""

    def as_line(self) -> dict[str, Any]:
        """What a trajectory keeps of it: everything but the clock, which is the recording's there."""
        told: Mapping[str, Any] = {
            "injection": self.injection, "anomaly": self.anomaly, "transition": self.kind, "step": self.step,
            "native": self.native, "answer": self.answer, "event": self.event, "button": self.button,
            "command": self.command, "said": self.said, "message": self.message, "reason": self.reason,
            "package": self.package,
        }  # fmt: skip
        return {key: value for key, value in told.items() if value not in ("", None, False)}
