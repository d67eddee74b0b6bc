"""State of the companion app: the progress bar and the sign-in form."""

from __future__ import annotations

from dataclasses import dataclass

PACKAGE = "com.example.adbsmarttest"


@dataclass(frozen=True, slots=True)
class CompanionState:
    """The texts of a dialog are not part of the state: the extras of its activity hold them."""

    run: int = 0
    """Number of the progress page, so that late steps of a closed page do not move the next one."""
    seconds: int = 0
    """Duration of the progress in seconds; 0 keeps it still."""
    percent: int = 0
    username: str = ""
    password: str = ""

    @property
    def done(self) -> bool:
        return self.seconds > 0 and self.percent >= 100
