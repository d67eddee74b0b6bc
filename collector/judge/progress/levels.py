"""The level of a task by the length of its golden trajectories (A3, section 3.2)."""

from __future__ import annotations

from collections.abc import Sequence

from collector.model.action import NOT_ON_PHONE
from collector.model.task import LEVELS
from collector.model.trajectory import Step

MEDIUM_FROM, HARD_FROM = 7, 12
"""Numbers of actions: easy is under 7, medium 7 to 11, hard above."""


def level_of_length(actions: int) -> str:
    """The level of a task that a person does in so many actions."""
    easy, medium, hard = LEVELS
    if actions < MEDIUM_FROM:
        return easy
    return medium if actions < HARD_FROM else hard


def measured_level(lengths: Sequence[int]) -> str:
    """The level by the shortest golden trajectory, in actions; empty when there is none.

    The shortest: a detour of one operator does not make a task harder.
    """
    return level_of_length(min(lengths)) if lengths else ""


def length_of(steps: Sequence[Step]) -> int:
    """The number of actions on the phone; a completion signal, a question or an invalid action is none."""
    return sum(step.action is not None and not isinstance(step.action, NOT_ON_PHONE) for step in steps)
