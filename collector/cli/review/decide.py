"""``waymark review approve``, ``reject``, ``adjudicate`` and ``undo``: decide on reviews of others."""

from __future__ import annotations

from pathlib import Path

import click

from collector.cli.output import json_option, say
from collector.cli.review.label_options import reason_option
from collector.cli.review.options import print_review, trajectory_to_review
from collector.cli.shared_options import as_person, because_option, in_project
from collector.cli.step_numbers import StepNumber
from collector.cli.verb_groups import review
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.verdicts.judgement import REACHED, STATE, STEP, TASK, Subject
from collector.store.trajectory.achieved_states import screen_of_step, state_of_task
from collector.store.trajectory.reader import open_trajectory

_of = click.option(
    "--of", "of", default="", metavar="WHO", help="Whose review; needed when several are submitted."
)


@review.command()
@click.argument("reference", metavar="TRAJECTORY")
@_of
@because_option
@as_person
@in_project
@json_option
def approve(reference: str, of: str, comment: str, who: str, folder: Path, as_json: bool) -> None:
    """Approve the submitted review of another person."""
    reviewing, place = trajectory_to_review(reference, folder, who)
    reviewing.approve(place, of, comment)
    print_review(reviewing, place, as_json=as_json)


@review.command()
@click.argument("reference", metavar="TRAJECTORY")
@_of
@because_option
@as_person
@in_project
@json_option
def reject(reference: str, of: str, comment: str, who: str, folder: Path, as_json: bool) -> None:
    """Reject the submitted review of another person; --because says what is to be corrected."""
    reviewing, place = trajectory_to_review(reference, folder, who)
    reviewing.reject(place, of, comment)
    print_review(reviewing, place, as_json=as_json)


@review.command()
@click.argument("reference", metavar="TRAJECTORY")
@click.option("--state", default="", help="The essential state, by id or number; without one, the task.")
@click.option(
    "--verdict", required=True,
    help="reached or missed; of the task as in `review submit`, of a step as in `review step`.",
)  # fmt: skip
@click.option(
    "--step", type=StepNumber(),
    help="The step that reaches the state, from 1; without --state, the step that people disagree on.",
)  # fmt: skip
@reason_option
@because_option
@as_person
@in_project
@json_option
def adjudicate(
    reference: str, state: str, verdict: str, step: int | None, reason: str, comment: str, who: str,
    folder: Path, as_json: bool,
) -> None:  # fmt: skip
    """Decide what submitted reviews and judges disagree on; it counts above them, and they stay.

    A third person does it: one of those who disagree cannot.
    """
    if step is not None and state and verdict != REACHED:
        raise UserError(
            _("--step of a state is the one that reaches it"),
            "",
            _("Leave it out, or give --verdict reached"),
        )
    reviewing, place = trajectory_to_review(reference, folder, who)
    stored = open_trajectory(place)
    if step is not None:
        screen_of_step(stored.steps, step)
    subject = Subject(TASK) if step is None else Subject(STEP, "", step, step)
    if state:
        task = reviewing.project.task(stored.header.task_id)
        subject = Subject(STATE, state_of_task(task, state), step, step)
    reviewing.adjudicate(place, subject, verdict, comment, reason)
    print_review(reviewing, place, as_json=as_json)


@review.command()
@click.argument("reference", metavar="TRAJECTORY")
@as_person
@in_project
@json_option
def undo(reference: str, who: str, folder: Path, as_json: bool) -> None:
    """Take back your newest verdict, submission, approval, rejection or adjudication."""
    reviewing, place = trajectory_to_review(reference, folder, who)
    undone = reviewing.undo(place)
    if not as_json:
        say(_("Undone: {act} of {time}", act=undone.act, time=undone.time[:19]))
    print_review(reviewing, place, as_json=as_json, undone={"act": undone.act, "time": undone.time})
