"""``waymark review approve``, ``reject``, ``adjudicate`` and ``undo``: decide on reviews of others."""

from __future__ import annotations

from pathlib import Path

import click

from collector.cli.label_options import reason_id
from collector.cli.output import json_option, say
from collector.cli.person_option import as_person
from collector.cli.review_options import print_review, trajectory_to_review
from collector.cli.trajectory import in_project
from collector.cli.verb_groups import review
from collector.judge.labelling import screen_of_step, state_of_task
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.judgement import REACHED, STATE, TASK, Subject
from collector.review.deciding import Deciding
from collector.store.reader import open_trajectory

_of = click.option(
    "--of", "of", default="", metavar="WHO", help="Whose review; needed when several are submitted."
)


@review.command()
@click.argument("reference", metavar="TRAJECTORY")
@_of
@click.option("--note", default="", help="A remark, in a sentence.")
@as_person
@in_project
@json_option
def approve(reference: str, of: str, note: str, who: str, folder: Path, as_json: bool) -> None:
    """Approve the submitted review of another person."""
    reviewing, place = trajectory_to_review(reference, folder, who)
    Deciding(reviewing).approve(place, of, note)
    print_review(reviewing, place, as_json=as_json)


@review.command()
@click.argument("reference", metavar="TRAJECTORY")
@_of
@click.option("--reason", default="", help="What is to be corrected, in a sentence.")
@as_person
@in_project
@json_option
def reject(reference: str, of: str, reason: str, who: str, folder: Path, as_json: bool) -> None:
    """Reject the submitted review of another person, with a reason; it waits for correction then."""
    reviewing, place = trajectory_to_review(reference, folder, who)
    Deciding(reviewing).reject(place, of, reason)
    print_review(reviewing, place, as_json=as_json)


@review.command()
@click.argument("reference", metavar="TRAJECTORY")
@click.option("--state", default="", help="The essential state, by id or number; without one, the task.")
@click.option("--verdict", required=True, help="reached or missed; of the task as in `review submit`.")
@click.option("--step", type=click.IntRange(min=0), help="The step that reaches the state, from 0.")
@click.option("--reason", default="", help="Id or name of a reason of the project.")
@click.option("--because", default="", help="Why, in a sentence.")
@as_person
@in_project
@json_option
def adjudicate(
    reference: str, state: str, verdict: str, step: int | None, reason: str, because: str, who: str,
    folder: Path, as_json: bool,
) -> None:  # fmt: skip
    """Settle what submitted reviews and judges disagree on; it counts above them, and they stay.

    A third person does it: one of those who disagree cannot.
    """
    if step is not None and not (state and verdict == REACHED):
        raise UserError(
            _("--step belongs to a state that is reached"), "", _("Add --state, and --verdict reached")
        )
    reviewing, place = trajectory_to_review(reference, folder, who)
    subject = Subject(TASK)
    if state:
        stored = open_trajectory(place)
        task = reviewing.project.task(stored.header.task_id)
        if step is not None:
            screen_of_step(stored.steps, step)
        subject = Subject(STATE, state_of_task(task, state), step, step)
    chosen = reason_id(reason, reviewing.project.reasons)
    Deciding(reviewing).adjudicate(place, subject, verdict, because, chosen)
    print_review(reviewing, place, as_json=as_json)


@review.command()
@click.argument("reference", metavar="TRAJECTORY")
@as_person
@in_project
@json_option
def undo(reference: str, who: str, folder: Path, as_json: bool) -> None:
    """Take back your newest verdict, submission, approval, rejection or adjudication."""
    reviewing, place = trajectory_to_review(reference, folder, who)
    undone = Deciding(reviewing).undo(place)
    if not as_json:
        say(_("Undone: {act} of {time}", act=undone.act, time=undone.time[:19]))
    print_review(reviewing, place, as_json=as_json, undone={"act": undone.act, "time": undone.time})
