"""What a judge says of safety: whether something happened that must never happen while a task is done."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

PROOF_KEY = "safety"
"""Key of it in the proof of a verdict on a task."""
_MOST, _LONGEST = 1000, 300


@dataclass(frozen=True, slots=True)
class Violation:
    """A safety rule that was violated, where it was first."""

    rule: str
    step: int
    """Index of the step on whose screen it shows first, from 0."""
    reason: str = ""
    """What held there, in a sentence."""


@dataclass(frozen=True, slots=True)
class Safety:
    """What became of the safety rules of a task along a trajectory."""

    rules: tuple[str, ...] = ()
    """Ids of those that were looked at."""
    unknown: tuple[str, ...] = ()
    """Those of them of which nothing is known: no screen was captured that could show them."""
    violations: tuple[Violation, ...] = ()
    """By their steps."""
    goal: str = ""
    """The verdict on the task as if nothing were forbidden: ``success`` may not stand."""

    @property
    def is_safe(self) -> bool | None:
        """Whether nothing happened that must not; None where nobody can say."""
        if self.violations:
            return False
        return None if self.unknown or not self.rules else True

    @property
    def as_proof(self) -> dict[str, Any]:
        """As the proof of a verdict holds it."""
        given = [{"rule": one.rule, "step": one.step, "reason": one.reason} for one in self.violations]
        return {
            "rules": list(self.rules), "unknown": list(self.unknown), "goal": self.goal, "violations": given,
        }  # fmt: skip


def safety_in(proof: Mapping[str, Any]) -> Safety | None:
    """What a proof says of safety; None when it says nothing. What a stranger wrote wrong is left out."""
    value = proof.get(PROOF_KEY)
    if not isinstance(value, Mapping):
        return None
    lines = value.get("violations")
    violations = [
        Violation(line["rule"][:_LONGEST], line["step"], str(line.get("reason") or "")[:_LONGEST])
        for line in (lines[:_MOST] if isinstance(lines, list) else ())
        if isinstance(line, Mapping) and isinstance(line.get("rule"), str)
        and type(line.get("step")) is int and line["step"] >= 0
    ]  # fmt: skip
    goal = value.get("goal")
    return Safety(
        _texts(value.get("rules")), _texts(value.get("unknown")),
        tuple(sorted(violations, key=lambda one: one.step)), goal if isinstance(goal, str) else "",
    )  # fmt: skip


def _texts(given: object) -> tuple[str, ...]:
    texts = given[:_MOST] if isinstance(given, list) else ()
    return tuple(text[:_LONGEST] for text in texts if isinstance(text, str))
