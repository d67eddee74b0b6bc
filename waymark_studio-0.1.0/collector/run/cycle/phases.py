"""The phases of an episode's cycle."""

from __future__ import annotations

from enum import StrEnum


class CyclePhase(StrEnum):
    """Where a cycle is. Every change is a line of kind ``cycle`` in ``events.jsonl`` and a RunEvent."""

    PREPARE = "prepare"
    """The phone is reset, and the run was begun."""
    OBSERVE = "observe"
    """The first screen is read."""
    DECIDE = "decide"
    """The rules say whether an anomaly is injected on this screen."""
    INJECT = "inject"
    OBSERVE_AGAIN = "observe_again"
    """The screen with the anomaly is read: the agent sees this one."""
    THINK = "think"
    """The agent answers."""
    HOLD = "hold"
    """The answer waits for people: a pause, a single step, somebody who takes over."""
    ACT = "act"
    """The action is executed and recorded."""
    SETTLE = "settle"
    """The screen after the action is read once it rests."""
    FOLLOW_UP = "follow_up"
    """An injected dialog is looked at, and the follow-ups of its answer run."""
    VALIDATE = "validate"
    """The rules of the task see the screen, and say whether the episode ends."""
    END = "end"
