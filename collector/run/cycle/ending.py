"""When the cycle of an episode ends, and why."""

from __future__ import annotations

from collector.asking.user_choice import END
from collector.model.action import Action
from collector.run.cycle.episode_plan import EpisodePlan
from collector.run.cycle.episode_rules import EpisodeRules, Validation
from collector.run.experiment.model import ON_SUCCESS

BY_SIGNAL = "signal"
"""It was said that the task is done, or cannot be."""
BY_SUCCESS = "success"
"""The rules of the task hold, and nothing else was waited for."""
BY_REPEATS = "repeats"
"""The agent did the same again and again."""
BY_SILENCE = "silence"
"""The agent asked its user, nobody answered, and the experiment ends an episode then."""
BY_BUDGET = "budget"
"""The agent did as many steps as it may."""


def ended_by(
    plan: EpisodePlan, rules: EpisodeRules, validation: Validation, *, signal: Action | None, steps: int,
    person_steps: int, repeats: int, is_unanswered: bool = False,
) -> str:  # fmt: skip
    """Why an episode ends after a validation; empty while it goes on.

    ``steps`` are those of the agent, ``repeats`` its identical actions in a row; ``is_unanswered`` says that
    its last one was a question that nobody answered.
    """
    if signal is not None:
        return BY_SIGNAL
    if plan.ends == ON_SUCCESS and steps + person_steps and rules.ends_by_success(validation):
        return BY_SUCCESS
    if is_unanswered and plan.user.unanswered == END:
        return BY_SILENCE
    if plan.early_stop and repeats >= plan.early_stop:
        return BY_REPEATS
    return BY_BUDGET if steps >= plan.budget else ""
