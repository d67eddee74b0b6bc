"""What a replay would do, step by step, without a phone: a dry run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from collector.model.action import Invalid
from collector.model.i18n import _
from collector.model.trajectory import Step
from collector.replay.redacted_text import is_redacted
from collector.replay.replay_options import ReplayOptions
from collector.replay.setup import app_of_recording
from collector.replay.task_steps import task_steps


@dataclass(frozen=True, slots=True)
class PlannedStep:
    """A step as a replay would do it."""

    step: Step
    after_s: float
    """Seconds after the action before, at the earliest."""
    selector: str
    """The first selector its target is looked for by; empty when the recorded place is used."""
    problem: str
    """Why it cannot be done on any phone, in a sentence; empty when it may be."""


@dataclass(frozen=True, slots=True)
class ReplayPlan:
    """What a replay would do."""

    app: str
    """Package of the app that is started; empty when the phone is taken as it stands."""
    steps: tuple[PlannedStep, ...]
    left_out: tuple[int, ...]
    """Indexes of steps with an action that belong to an interruption."""


def plan_replay(recorded: Sequence[Step], options: ReplayOptions) -> ReplayPlan:
    """Plan a replay of a recording. Raises UserError when the part that is asked for has no step."""
    app = app_of_recording(recorded, options.app)
    of_task = task_steps(recorded, app)
    options.part.require(recorded, of_task)
    kept = {step.index for step in of_task}
    acting = [step for step in options.part.of(recorded) if step.action is not None]
    return ReplayPlan(
        app if options.part.is_whole else "",
        tuple(_planned(options.part.of(of_task), options)),
        tuple(step.index for step in acting if step.index not in kept),
    )


def _planned(steps: Sequence[Step], options: ReplayOptions) -> Iterator[PlannedStep]:
    before: Step | None = None
    for step in steps:
        selectors = step.target.selectors if step.target is not None else ()
        after_s = options.timing.gap_s(before, step)
        yield PlannedStep(step, after_s, selectors[0] if selectors else "", _problem(step, options))
        before = step


def _problem(step: Step, options: ReplayOptions) -> str:
    if isinstance(step.action, Invalid):
        return _("The agent's answer was no action")
    if is_redacted(step.action) and step.index not in options.texts:
        return _(
            "Its text was hidden when it was recorded; give it with --text {step}=TEXT", step=step.index + 1
        )
    return ""
