"""What an agent predicted in a step, compared with what was executed."""

from __future__ import annotations

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
    predicted = step.agent.predicted if step.agent is not None else None
    if predicted is None:
        return False
    if step.action is None or predicted.kind != step.action.kind:
        return True
    asked, done = actions.action_to_dict(predicted), actions.action_to_dict(step.action)
    # What one of the two does not name, as the package of an app, is no difference.
    return any(
        asked[name] != done.get(name)
        for name in asked
        if name not in _MEASURED and "" not in (asked[name], done.get(name))
    )
