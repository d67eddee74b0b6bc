"""A finding: what a check noticed on a phone, in a project or in the source of an import."""

from __future__ import annotations

from dataclasses import dataclass

from collector.model.errors import UserError


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing a check noticed.

    ``code`` is stable and documented. ``severity`` is ok, notice or problem for the doctor, warning or error
    for a project, note or loss for an import.
    """

    code: str
    severity: str
    what: str
    why: str = ""
    to_do: str = ""
    where: str = ""
    """A path in the project, a name in the source, or the serial of a phone; empty for the whole."""
    steps: tuple[int | str, ...] = ()
    """Indexes of the steps it holds for; an import gives the names the source has for them."""

    @classmethod
    def from_error(cls, code: str, severity: str, error: UserError, where: str = "") -> Finding:
        """A finding that says what an error says."""
        return cls(code, severity, error.what, error.why, error.to_do, where)
