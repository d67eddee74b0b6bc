"""``waymark trajectory comment``: write a comment on a trajectory, a step or a node, or delete one."""

from __future__ import annotations

from pathlib import Path

import click

from collector.cli.output import json_option, print_json, say
from collector.cli.review.options import trajectory_to_review
from collector.cli.shared_options import as_person, in_project
from collector.cli.step_numbers import StepNumber
from collector.cli.verb_groups import trajectory
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.review.comments import new_comment
from collector.store.trajectory.reader import open_trajectory
from collector.store.trajectory.reviews.labels import Labels, labels_values, read_labels


@trajectory.command()
@click.argument("reference")
@click.argument("text", default="")
@click.option("--step", type=StepNumber(), help="The step that the comment is pinned to, from 1.")
@click.option("--node", "selector", default="", help="Selector of the node of --step that it is pinned to.")
@click.option("--delete", "deleted", type=click.IntRange(1), help="Delete your comment of that number.")
@as_person
@in_project
@json_option
def comment(
    reference: str, text: str, step: int | None, selector: str, deleted: int | None, who: str, folder: Path,
    as_json: bool,
) -> None:  # fmt: skip
    """Write TEXT as your comment on a trajectory, given by id, task/id or folder; without TEXT, list yours.

    Comments are part of your review, and a draft until it is submitted.
    """
    if (step is not None or selector or deleted is not None) and bool(text) == (deleted is not None):
        raise click.UsageError(_("--step and --node pin a TEXT; --delete takes none"))
    reviewing, place = trajectory_to_review(reference, folder, who)
    if deleted is not None:
        reviewing.label(place, _("delete a comment"), lambda labels: _without(labels, deleted))
    elif text:
        added = new_comment(open_trajectory(place), text, step, selector)
        reviewing.label(place, _("comment"), lambda labels: labels.with_comment(added))
    own = read_labels(place, reviewing.who)
    if as_json:
        print_json(
            {"trajectory": place.name, "who": reviewing.who, "comments": labels_values(own)["comments"]}
        )
        return
    for number, written in enumerate(own.comments, start=1):
        at = "" if written.step is None else " " + _("step {number}", number=written.step + 1)
        say(f"{number}{at}  {written.text}")
    if not own.comments:
        say(_("You have no comment on it"))


def _without(labels: Labels, number: int) -> Labels:
    """The labels without a comment. Raises UserError when there is none of that number."""
    if number > len(labels.comments):
        raise UserError(_("You have no comment {number} on it", number=number))
    return labels.without_comment(number - 1)
