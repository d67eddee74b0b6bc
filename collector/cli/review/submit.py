"""``waymark review submit`` and ``skip``: a person's own review."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from collector.cli.output import json_option, say
from collector.cli.review.label_options import reason_option, states_option, wanted_state, with_states
from collector.cli.review.options import print_review, trajectory_to_review
from collector.cli.shared_options import as_person, because_option, in_project
from collector.cli.step_numbers import StepNumber
from collector.cli.verb_groups import review
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.verdicts.judgement import TASK, VERDICTS
from collector.review.comments import new_comment
from collector.store.trajectory.reader import open_trajectory
from collector.store.trajectory.reviews.labels import Labels


@review.command()
@click.argument("reference", metavar="TRAJECTORY")
@click.option("--verdict", type=click.Choice(VERDICTS[TASK]), help="What you say of the trajectory.")
@click.option("--confirm", "confirms", is_flag=True, help="Give the verdict that the automatic judges gave.")
@reason_option
@because_option
@states_option
@click.option("--tag", "tags", multiple=True, help="A tag for it; may be repeated.")
@click.option("--no-tag", "no_tags", multiple=True, metavar="TAG", help="Take a tag away; may be repeated.")
@click.option("--note", default="", help="A remark on the trajectory, or on its --step.")
@click.option("--step", type=StepNumber(), help="The step that the remark is pinned to, from 1.")
@click.option("--node", "selector", default="", help="Selector of the node of --step that it is pinned to.")
@click.option("--drop-note", type=click.IntRange(min=1), help="Delete your remark of that number.")
@click.option("--draft", "is_draft", is_flag=True, help="Keep what you say as a draft; submit it later.")
@as_person
@in_project
@json_option
def submit(
    reference: str, verdict: str | None, confirms: bool, reason: str, comment: str, states: Sequence[str],
    tags: Sequence[str], no_tags: Sequence[str], note: str, step: int | None, selector: str,
    drop_note: int | None, is_draft: bool, who: str, folder: Path, as_json: bool,
) -> None:  # fmt: skip
    """Review a trajectory and submit it: verdict, reason, essential states, tags, a remark.

    What others say of it is shown from then on. A rejected review is submitted again in the same way.
    --reason and --because belong to --verdict.
    """
    if (reason or comment) and verdict is None:
        raise UserError(_("--reason and --because belong to a verdict"), "", _("Add --verdict"))
    if verdict is not None and confirms:
        raise UserError(_("--confirm and --verdict both give a verdict"), "", _("Use one of them"))
    if (step is not None or selector) and not note:
        raise UserError(_("--step and --node pin a remark"), "", _("Add --note"))
    reviewing, place = trajectory_to_review(reference, folder, who)
    stored = open_trajectory(place)
    task = reviewing.project.task(stored.header.task_id)
    wanted = [wanted_state(text, task, stored.steps) for text in states]
    remark = new_comment(stored, note, step, selector) if note else None

    def labelled(labels: Labels) -> Labels:
        labels = with_states(labels, wanted)
        if drop_note is not None:
            if drop_note > len(labels.comments):
                raise UserError(_("You have no remark {number} on it", number=drop_note))
            labels = labels.without_comment(drop_note - 1)
        return labels.with_comment(remark) if remark is not None else labels

    if wanted or remark is not None or drop_note is not None:
        reviewing.label(place, _("labels"), labelled)
    if verdict is not None:
        reviewing.judge(place, verdict, comment, reason)
    elif confirms:
        reviewing.confirm(place)
    if tags or no_tags:
        reviewing.tag(place, tags, no_tags)
    if not is_draft:
        reviewing.submit(place)
    print_review(reviewing, place, as_json=as_json)


@review.command()
@click.argument("reference", metavar="TRAJECTORY")
@as_person
@in_project
@json_option
def skip(reference: str, who: str, folder: Path, as_json: bool) -> None:
    """Pass a trajectory over: others can have it, and it comes to you again after all others."""
    reviewing, place = trajectory_to_review(reference, folder, who)
    reviewing.skip(place)
    if as_json:
        print_review(reviewing, place, as_json=True)
    else:
        say(_("{id} comes again after all others", id=place.name))
