"""What an agent predicted in a step, compared with what was executed."""

from __future__ import annotations

from dataclasses import fields
from functools import cache

from collector.model import action as actions
from collector.model.trajectory import Step

_MEASURED = ("duration_ms", "path", "length")
"""Fields of an action that its execution measures; a prediction does not have them."""


def invalid_of(step: Step) -> actions.Invalid | None:
    """The invalid answer of an agent in this step, whatever was executed in its place; None for none."""
    if isinstance(step.action, actions.Invalid):
        return step.action
    predicted = step.agent.predicted if step.agent is not None else None
    return predicted if isinstance(predicted, actions.Invalid) else None


def was_changed(step: Step) -> bool:
    """Whether the executed action differs from what the agent predicted."""
    predicted, executed = step.agent.predicted if step.agent is not None else None, step.action
    if predicted is None or predicted == executed:
        return False
    if executed is None or predicted.kind != executed.kind:
        return True
    # What one of the two does not name, as the package of an app, is no difference.
    pairs = ((getattr(predicted, name), getattr(executed, name)) for name in _compared(predicted.kind))
    return any(asked != done and "" not in (asked, done) for asked, done in pairs)


@cache
def _compared(kind: str) -> tuple[str, ...]:
    """Names of the fields of an action by which two of its kind are compared."""
    return tuple(field.name for field in fields(actions.ACTIONS[kind]) if field.name not in _MEASURED)
