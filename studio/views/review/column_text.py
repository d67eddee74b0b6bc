"""What the head of a column and the facts beside its screen say. No Qt."""

from __future__ import annotations

from dataclasses import dataclass

from collector.model.episode import Episode
from collector.model.i18n import _
from collector.model.predictions import invalid_of
from collector.model.trajectory import Step, TrajectoryHeader
from studio.widgets.captions.step_text import action_detail, step_caption


@dataclass(frozen=True, slots=True)
class StepFacts:
    """The texts beside the screen of a step."""

    caption: str
    detail: str
    """The action with its parameters, and how far it is from the reference's."""
    thought: str = ""
    problem: str = ""
    """Why an answer of an agent is no action."""


def side_title(header: TrajectoryHeader) -> str:
    """What a trajectory is: golden, a baseline, interrupted, or steps that were asked offline."""
    if not header.is_run:
        return _("Golden")
    if header.is_offline:
        return _("Offline")
    episode = header.episode or Episode()
    return _("Interrupted") if episode.condition else _("Baseline")


def side_detail(header: TrajectoryHeader) -> str:
    """Who recorded it, or the agent, the condition and the seed of a run."""
    if not header.is_run:
        return "  ·  ".join(filter(None, (header.id, header.who)))
    episode = header.episode or Episode()
    seed = _("seed {seed}", seed=episode.seed) if episode.seed is not None else ""
    agent = episode.agent or episode.model
    return "  ·  ".join(filter(None, (agent, episode.condition, seed))) or header.id


def step_facts(step: Step, counterpart: Step | None, reference: str) -> StepFacts:
    """The facts of a step; ``counterpart`` is the step of the reference, ``reference`` the letter of it.

    Without a counterpart it says so; an empty ``reference`` is for the reference itself.
    """
    invalid = invalid_of(step)
    parts = [action_detail(step.action)]
    if reference:
        parts.append(_distance(step, counterpart, reference))
    thought = step.agent.thought.strip() if step.agent is not None else ""
    return StepFacts(
        step_caption(step), "  ·  ".join(filter(None, parts)), thought, invalid.reason if invalid else ""
    )


def _distance(step: Step, counterpart: Step | None, reference: str) -> str:
    """How far the action is from the reference's."""
    if counterpart is None:
        return _("no counterpart in {letter}", letter=reference)
    mine = step.action.point if step.action is not None else None
    other = counterpart.action.point if counterpart.action is not None else None
    if mine is None or other is None or step.state.size != counterpart.state.size:
        return ""
    return _("{count} px from {letter}", count=round(mine.distance_to(other)), letter=reference)
