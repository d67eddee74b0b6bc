"""``waymark review step``: what a person says of one step of an agent, and what would have been right."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from collector.cli.output import json_option
from collector.cli.review.options import print_review, trajectory_to_review
from collector.cli.shared_options import as_person, because_option, in_project
from collector.cli.step_numbers import StepNumber
from collector.cli.verb_groups import review
from collector.model.action import Action
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.trajectory import Step
from collector.model.verdicts.judgement import STEP, VERDICTS
from collector.store.trajectory.achieved_states import screen_of_step
from collector.store.trajectory.reader import StoredTrajectory, open_trajectory


@review.command()
@click.argument("reference", metavar="TRAJECTORY")
@click.argument("number", type=StepNumber())
@click.option("--verdict", required=True, type=click.Choice(VERDICTS[STEP]), help="What you say of the step.")
@click.option(
    "--better",
    default="",
    metavar="ACTION",
    help="What would have been right, as an action of a script: '{tap: Buy}'.",
)
@because_option
@as_person
@in_project
@json_option
def step(
    reference: str, number: int, verdict: str, better: str, comment: str, who: str, folder: Path,
    as_json: bool,
) -> None:  # fmt: skip
    """Say whether step NUMBER of a trajectory was right, and what would have been right instead.

    Training data takes --better as the better answer of a pair.
    """
    reviewing, place = trajectory_to_review(reference, folder, who)
    stored = open_trajectory(place)
    screen_of_step(stored.steps, number)
    action = _action_on(stored, stored.steps[number], better) if better else None
    reviewing.judge_step(place, number, verdict, action, comment)
    print_review(reviewing, place, as_json=as_json)


def _action_on(stored: StoredTrajectory, step: Step, text: str) -> Action:
    """The action that a text asks for on the screen of a step. Raises UserError."""
    from collector.agents.script_reader import read_script
    from collector.agents.scripted_agent import action_on
    from collector.hierarchy.xpath.evaluation import TooManyStepsError
    from collector.replay.alignment.reading import read_tree

    (scripted,) = read_script([_value(text)]).actions
    try:
        action = action_on(scripted, read_tree(stored, step), step.state.size)
    except TooManyStepsError as error:
        raise UserError(_("The action cannot be found on the screen of the step"), str(error)) from None
    if action is None:
        raise UserError(
            _("The action cannot be found on the screen of the step"),
            _("no node is what it names"),
            _("Name what the screen shows, or a place: '{example}'", example="{tap: {x: 10, y: 20}}"),
        )
    return action


def _value(text: str) -> Any:
    """The value that a text writes in YAML. Raises UserError."""
    import yaml

    try:
        return yaml.safe_load(text)
    except (yaml.YAMLError, RecursionError) as error:
        why = " ".join(str(error).split())
        raise UserError(_("The action cannot be read: {text}", text=text), why) from None
