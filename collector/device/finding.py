"""What the doctor says of one thing it looked at."""

from __future__ import annotations

from dataclasses import dataclass

from collector.model.errors import UserError


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at. ``severity`` is ok, notice or problem; ``serial`` is empty for this computer."""

    code: str
    severity: str
    what: str
    why: str = ""
    to_do: str = ""
    serial: str = ""


def problem(code: str, error: UserError, serial: str = "") -> Finding:
    """What an error says, as a finding."""
    return Finding(code, "problem", error.what, error.why, error.to_do, serial)
