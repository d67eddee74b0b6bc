"""Text a recording does not hold, because it was hidden when it was typed: a password, most often."""

from __future__ import annotations

from collections.abc import Sequence

from collector.model.action import Action, Type
from collector.model.trajectory import Step


def is_redacted(action: Action | None) -> bool:
    """Whether an action typed what nobody kept."""
    return isinstance(action, Type) and (action.redacted or bool(action.length and not action.text))


def redacted_steps(steps: Sequence[Step]) -> list[Step]:
    """The steps whose text was hidden, in order."""
    return [step for step in steps if is_redacted(step.action)]


def texts_for(steps: Sequence[Step], texts: Sequence[str]) -> dict[int, str]:
    """Which hidden text is typed at which step, by index: the first of ``texts`` at the first, and so on.

    Recordings of one task hide the same texts in the same order, at whatever steps. Empty ones are not given.
    """
    return {step.index: text for step, text in zip(redacted_steps(steps), texts, strict=False) if text}
