"""``waymark review step``: what a person says of one step of an agent, and what would have been right."""

from __future__ import annotations

from pathlib import Path

import click

from collector.cli.output import json_option
from collector.cli.review.options import print_review, trajectory_to_review
from collector.cli.shared_options import as_person, because_option, in_project
from collector.cli.step_numbers import StepNumber
from collector.cli.trajectory.reference import find_or_zip
from collector.cli.verb_groups import review
from collector.model.i18n import _
from collector.model.verdicts.judgement import STEP, VERDICTS
from collector.store.trajectory.achieved_states import screen_of_step
from collector.store.trajectory.reader import open_trajectory


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
@click.option(
    "--better-like",
    "golden",
    default="",
    metavar="TRAJECTORY",
    help="What this one, aligned with the trajectory, does there would have been right.",
)
@because_option
@as_person
@in_project
@json_option
def step(
    reference: str, number: int, verdict: str, better: str, golden: str, comment: str, who: str, folder: Path,
    as_json: bool,
) -> None:  # fmt: skip
    """Say whether step NUMBER of a trajectory was right, and what would have been right instead.

    Training data takes --better, or --better-like, as the better answer of a pair.
    """
    from collector.review.better_action import (  # loads scripts and the rule grammar
        action_like,
        better_action,
    )

    if better and golden:
        raise click.UsageError(_("Give either --better or --better-like"))
    reviewing, place = trajectory_to_review(reference, folder, who)
    stored = open_trajectory(place)
    screen_of_step(stored.steps, number)
    action = better_action(stored, number, better) if better else None
    if golden:
        action = action_like(open_trajectory(find_or_zip(golden, folder, who)), stored, number)
    reviewing.judge_step(place, number, verdict, action, comment)
    print_review(reviewing, place, as_json=as_json)
