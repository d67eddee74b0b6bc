"""Why processes of apps ended, as ``ApplicationExitInfo`` keeps it."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

_REASONS = {"crash": (4, "APP CRASH(EXCEPTION)"), "signal": (2, "SIGNALED"), "stop": (10, "USER REQUESTED")}
_OTHER = (13, "OTHER KILLS BY SYSTEM")
KEPT = 16
"""As many ends as Android keeps of a package."""


@dataclass(frozen=True, slots=True)
class ProcessExit:
    """The end of one process; ``cause`` as the log says it: ``stop com.example``, ``signal 9``, ``crash``."""

    package: str
    pid: int
    at: dt.datetime
    cause: str

    @property
    def reason(self) -> tuple[int, str]:
        """Android's number and name of the cause."""
        return _REASONS.get(self.cause.partition(" ")[0], _OTHER)

    @property
    def status(self) -> int:
        """The signal that ended it; 0 for none."""
        word, _, number = self.cause.partition(" ")
        return int(number) if word == "signal" and number.isdecimal() else 0


@dataclass(frozen=True, slots=True)
class NotResponding:
    """An app that did not respond: when, where and why."""

    package: str
    where: str
    """The activity in short form; empty for none."""
    at: dt.datetime
    reason: str
