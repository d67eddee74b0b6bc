"""The verdict of a success judge."""

from __future__ import annotations

from dataclasses import dataclass

BY_RULE, BY_STATES, BY_LAST_STATE, BY_STEPS = "rule", "states", "likeness", "steps"


@dataclass(frozen=True, slots=True)
class SuccessVerdict:
    """Whether the task is done, and how that was judged."""

    holds: bool
    by: str
    """``rule`` (the task's success rule), ``states`` (without one its essential states), ``likeness`` (the
    last state recorded, where no rule judges) or ``steps`` (no state was recorded to compare with: that all
    steps could be done is all there is)."""
    rule: str = ""
    share: float | None = None
    """Of ``likeness``: share of the recorded words that are there, 0 to 1."""
    detail: str = ""
