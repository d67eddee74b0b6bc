"""State of the companion app: the progress bar and the sign-in form."""

from __future__ import annotations

from dataclasses import dataclass

PACKAGE = "com.example.adbsmarttest"


@dataclass(frozen=True, slots=True)
class CompanionState:
    """The words of a dialog are not here: they are its activity's extras."""

    run: int = 0
    """Counts progress pages, so that the steps of one that is gone move no other."""
    seconds: int = 0
    """How long the progress takes; 0 stands still."""
    percent: int = 0
    username: str = ""
    password: str = ""

    @property
    def done(self) -> bool:
        return self.seconds > 0 and self.percent >= 100
