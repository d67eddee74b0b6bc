"""Texts missing from a recording because they were redacted, such as passwords."""

from __future__ import annotations

from collections.abc import Sequence

from collector.model.action import Action, Type
from collector.model.trajectory import Step


def is_redacted(action: Action | None) -> bool:
    """Whether an action typed a text that was redacted."""
    return isinstance(action, Type) and (action.redacted or bool(action.length and not action.text))


def redacted_steps(steps: Sequence[Step]) -> list[Step]:
    """The steps whose text was redacted, in order."""
    return [step for step in steps if is_redacted(step.action)]


def texts_for(steps: Sequence[Step], texts: Sequence[str]) -> dict[int, str]:
    """Match ``texts`` to the redacted steps, in order: text by index of the step.

    Recordings of one task redact the same texts in the same order, at any steps. Empty texts are left out.
    """
    return {step.index: text for step, text in zip(redacted_steps(steps), texts, strict=False) if text}
