"""``waymark review status`` and ``next``: how far the reviews of a project are, and what comes next."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from collector.cli.output import json_option, print_json, print_table, say
from collector.cli.review.options import order_option, print_review, reviewing_in, trajectory_to_read
from collector.cli.shared_options import as_person, project_argument
from collector.cli.verb_groups import review
from collector.model.i18n import _
from collector.model.verdicts.review import review_status_text
from collector.review.next_review import take_next
from collector.review.project_reviews import UNREVIEWED, ProjectReviews, project_reviews
from collector.review.queue import AUTOMATIC_VERDICTS, ReviewOrder
from collector.review.queued_trajectories import queued_trajectory, teaching_text
from collector.review.review_clock import stamp
from collector.review.throughput import Throughput

_LONGEST = 100


@review.command()
@project_argument
@click.option(
    "--trajectory", "reference", default="", help="Only the reviews of this trajectory, with its history."
)
@as_person
@json_option
def status(folder: Path, reference: str, who: str, as_json: bool) -> None:
    """Show how far the reviews of a project are: by status, by queue, and your own pace.

    Before you have submitted a review, what others say of the trajectory is not shown.
    """
    if reference:
        print_review(*trajectory_to_read(reference, folder, who), as_json=as_json)
        return
    reviews = project_reviews(reviewing_in(folder, who))
    if as_json:
        print_json(_as_dict(reviews))
        return
    counts = ", ".join(
        f"{_word(status)} {count}"
        for status, count in reviews.statuses.items()
        if count or status == UNREVIEWED
    )
    say(_("Trajectories: {counts}", counts=counts))
    say(_("To adjudicate: {count}", count=reviews.disagreements))
    print_table(
        ("QUEUE", "TO DO", "WITH OTHERS", "DONE", "OF", "TITLE"),
        [
            (queue.name, counts.todo, counts.held, counts.done, counts.total, queue.label)
            for queue, counts in reviews.queues
        ],
        last=_LONGEST,
    )
    say(_pace(reviews.own))
    for problem in reviews.problems:
        say(problem, err=True)


@review.command("next")
@click.option("--queue", "name", default=AUTOMATIC_VERDICTS, show_default=True, help="Name of the queue.")
@order_option
@as_person
@project_argument
@json_option
def next_(name: str, order: str, who: str, folder: Path, as_json: bool) -> None:
    """Take the next trajectory of a queue: nobody else gets it for half an hour.

    First come those that you have begun, last those that you skipped.
    """
    reviewing = reviewing_in(folder, who)
    queue = reviewing.queues.queue(name)
    is_taught = ReviewOrder(order) is ReviewOrder.TEACHING
    place = take_next(reviewing, queue, order=ReviewOrder(order))
    known = queued_trajectory(reviewing, queue, place) if is_taught and place is not None else None
    reviewing.queues.refresh()
    counts = reviewing.queues.counts(queue, reviewing.who, stamp(reviewing.clock()))
    if place is None:
        if as_json:
            print_json({"queue": queue.name, "trajectory": None, "counts": asdict(counts)})
        else:
            say(_("Nothing is left for you in the queue {queue}", queue=queue.label))
        return
    why = {"score": known.score, "reasons": list(known.reasons)} if known is not None else {}
    print_review(reviewing, place, as_json=as_json, queue=queue.name, counts=asdict(counts), **why)
    if not as_json:
        if known is not None:
            say(_("Why this one: {reasons}", reasons=teaching_text(known)))
        say(_("To do in this queue: {count}", count=counts.todo))


def _word(status: str) -> str:
    return review_status_text("" if status == UNREVIEWED else status)


def _pace(own: Throughput) -> str:
    seconds = "-" if own.median_seconds is None else f"{own.median_seconds:.0f} s"
    return _(
        "You submitted {total}: {today} today, {hour} in the last hour; median {seconds} each",
        total=own.total, today=own.today, hour=own.last_hour, seconds=seconds,
    )  # fmt: skip


def _as_dict(reviews: ProjectReviews) -> dict[str, object]:
    return {
        "who": reviews.who,
        "statuses": reviews.statuses,
        "disagreements": reviews.disagreements,
        "queues": [
            {"name": queue.name, "title": queue.label, **asdict(counts)} for queue, counts in reviews.queues
        ],
        "own": asdict(reviews.own),
        "problems": list(reviews.problems),
    }
