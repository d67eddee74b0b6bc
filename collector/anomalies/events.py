"""The events of an injection, and the lines they become in ``events.jsonl``."""

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
CONTINUED = "continued"
"""A button was pressed, or the dialog left, and it comes back or another follows; else as the two above."""
FOLLOWED = "followed"
"""A follow-up ran: ``command`` and its ``output``, or only a ``message``."""
UNDONE = "undone"
FAILED = "failed"
"""A part of it did not work; ``reason`` says which."""
STALLED = "stalled"
"""The phone or its log does not answer for now; the dialog is still followed."""
KINDS = (INJECTED, ANSWERED, DISMISSED, CONTINUED, UNCLEAR, FOLLOWED, UNDONE, FAILED, STALLED)


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
    """Index of the next step when it happened; None without a recording or replay."""
    native: bool = False
    answer: str = ""
    event: str = ""
    button: str = ""
    command: str = ""
    output: str = ""
    message: str = ""
    reason: str = ""
    how: str = ""
    """How the dialog ended, as our companion app says it: touch, back, outside, timeout, ..."""
    given: str = ""
    """What the person gave with the answer: stars, or the names of the fields that were filled."""
    package: str = ""
    """Of an injection: the app that was in front."""

    def as_line(self) -> dict[str, Any]:
        """The event as a trajectory keeps it; the recording adds its own clock."""
        line: Mapping[str, Any] = {
            "injection": self.injection, "anomaly": self.anomaly, "transition": self.kind, "step": self.step,
            "native": self.native, "answer": self.answer, "event": self.event, "button": self.button,
            "how": self.how, "given": self.given, "command": self.command, "said": self.output,
            "message": self.message, "reason": self.reason, "package": self.package,
        }  # fmt: skip
        return {key: value for key, value in line.items() if value not in ("", None, False)}
