"""An episode: an attempt of an agent at a task under a condition, its outcome, and what the agent said."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from collector.model.action import Action
from collector.model.geometry import Point
from collector.model.usage import Usage

REPLAY_AGENT = "replay"
"""The agent of a run that repeats a recording."""
ACTING_PERSON = "person"
"""Key of a step's ``extra``: who acted in the agent's place."""
BEFORE_START = "before_start"
"""Key of a step's ``extra``: the step that it is a copy of, as in ``golden-1@2``; the agent began later."""
FOCUS = "focus"
"""Key of a turn's ``extra``: the pixel that was tapped before text was typed, as ``[x, y]``."""
AGENT_LOG_EVENT = "agent_log"
"""Kind of the events of a run that hold what the agent wrote beside its answers."""
AGAIN_CHANGED, AGAIN_FAILED, AGAIN_ALL = "changed", "failed", "all"
AGAIN = (AGAIN_CHANGED, AGAIN_FAILED, AGAIN_ALL)
"""Which finished episodes are run again: the stale ones, those that failed or were not completed, or all."""
_NO_USAGE = Usage()


def is_by_agent(extra: Mapping[str, Any]) -> bool:
    """Whether a step of a run with this ``extra`` is the agent's own."""
    return not extra.get(ACTING_PERSON) and not extra.get(BEFORE_START)


OFFLINE = "offline"
"""Key of a step's ``extra``: the golden step whose question it answers, as in ``golden-1@2``."""


@dataclass(frozen=True, slots=True)
class Episode:
    """Which agent tried, under which condition. Unknown texts are empty, unknown numbers None."""

    experiment: str = ""
    """Name of the experiment whose matrix the episode belongs to."""
    cell: str = ""
    """The cell of that matrix: task, agent, condition, modality, variation, language and seed."""
    agent: str = ""
    """Name of the agent, such as ``openai``, ``monkey`` or an AITK translator."""
    model: str = ""
    prompt: str = ""
    """Name of the prompt, or of its file."""
    condition: str = ""
    """The anomaly that is injected, several with commas; empty for a run without one."""
    modality: str = ""
    """What the agent sees: ``screenshot``, ``screenshot+tree`` or ``tree``."""
    buttons: int | None = None
    """Buttons of the anomaly's dialog: 1 or 2."""
    variation: str = ""
    """Variation of the app, as OpenApps means it."""
    language: str = ""
    """Of the device, as in ``zh-CN``."""
    seed: int | None = None
    repeat: int | None = None
    """Counted from 0: the same cell with the same seed is tried more than once."""
    attempt: int | None = None
    """Counted from 0: higher when a fault of the infrastructure ended the attempt before."""
    goal_style: str = ""
    """Style in which the task was worded, as in ``casual`` or ``casual:2``; empty for the task's own words.
    The words themselves are the instruction of the trajectory."""
    start: str = ""
    """The step where the agent began, as in ``golden-1@3``; empty for the beginning of the task. The steps
    before it are copies, see :data:`BEFORE_START`."""
    offline: str = ""
    """Id of the golden trajectory whose steps the agent was asked, each on its recorded screen and without a
    phone; empty for an attempt at the task."""
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Keys of the file this version does not know; written back untouched."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How an episode ended. What each paper counts is computed from it."""

    status: str = ""
    """success, failure or uncompleted, see :mod:`collector.model.verdicts.judgement`; empty while not judged.

    ``uncompleted`` means that the budget ended without a completion signal (ProBench)."""
    reason: str = ""
    """For people, in a sentence."""
    claimed: str = ""
    """Kind of the action by which the agent said it was done: complete, answer or impossible; or empty."""
    early_stop: bool = False
    """Whether the run was stopped before its budget ended, after identical actions (ProBench, Table 4)."""
    infrastructure: str = ""
    """The fault that ended the episode without the agent's doing, in a sentence. Such an episode is never
    counted."""
    usage: Usage = _NO_USAGE
    """Tokens, cost and time of all steps."""
    stopped: bool = False
    """Whether people stopped it, or the run it belongs to: no fault, and no outcome either;
    ``infrastructure`` says who did."""
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Keys of the file this version does not know; written back untouched."""


@dataclass(frozen=True, slots=True)
class AgentTurn:
    """What an agent said in one step. The step's own action is the one that was executed."""

    thought: str = ""
    raw: str = ""
    """The answer as received."""
    predicted: Action | None = None
    """The action the answer asks for, an Invalid when it asks for none; None when it is not known."""
    usage: Usage = _NO_USAGE
    """Of this answer alone."""
    timings_ms: Mapping[str, int] = field(default_factory=dict)
    """Phase -> milliseconds: ``observe``, ``think``, ``act``, ``settle``."""
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Keys of the file this version does not know; written back untouched."""

    @property
    def focus(self) -> Point | None:
        """Where it taps before it types, in pixels; None when it names no place."""
        place = self.extra.get(FOCUS)
        if not isinstance(place, list | tuple) or len(place) != 2:
            return None
        is_place = all(isinstance(value, int | float) and math.isfinite(value) for value in place)
        return Point(round(place[0]), round(place[1])) if is_place else None
