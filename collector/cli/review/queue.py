"""``waymark review queue``: list, show, make and delete queues."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from collector.cli.output import json_option, print_json, print_table, say
from collector.cli.review.options import order_option, reviewing_in
from collector.cli.shared_options import as_person, force_option, in_project, project_argument, where_option
from collector.cli.verb_groups import review
from collector.model.i18n import _, ngettext
from collector.review.project_queues import QueueCounts
from collector.review.queue import AUTOMATIC_VERDICTS, MOST_REVIEWERS, QueueWork, ReviewOrder, ReviewQueue
from collector.review.queue_files import delete_queue, save_queue
from collector.review.queued_trajectories import QueuedTrajectory, queued_trajectories, teaching_text
from collector.review.review_clock import stamp
from collector.store.project.project import Project

_LONGEST = 100


@review.group()
def queue() -> None:
    """List, show, make and delete queues of trajectories to review."""


@queue.command("list")
@project_argument
@as_person
@json_option
def list_(folder: Path, who: str, as_json: bool) -> None:
    """List the preset queues and those of the project, and how far each is for you."""
    reviewing = reviewing_in(folder, who)
    queues, now = reviewing.queues, stamp(reviewing.clock())
    counted = [(item, queues.counts(item, reviewing.who, now)) for item in queues.queues]
    if as_json:
        problems = list(map(str, queues.problems))
        print_json({"queues": [_as_dict(*item) for item in counted], "problems": problems})
        return
    print_table(
        ("QUEUE", "TO DO", "DONE", "OF", "WORK", "REVIEWERS", "WHO", "QUERY"),
        [
            (
                item.name, counts.todo, counts.done, counts.total, item.work, item.reviewers,
                ", ".join(item.who) or "-", item.query or "-",
            )
            for item, counts in counted
        ],
        last=_LONGEST,
    )  # fmt: skip
    for problem in queues.problems:
        say(str(problem), err=True)


@queue.command()
@click.argument("name", default=AUTOMATIC_VERDICTS)
@order_option
@click.option(
    "--limit", type=click.IntRange(1), default=20, show_default=True, help="Trajectories to list at most."
)
@as_person
@in_project
@json_option
def show(name: str, order: str, limit: int, who: str, folder: Path, as_json: bool) -> None:
    """List what waits for you in the queue NAME, in the order in which `review next` gives it to you.

    Each has how much your word on it would teach, and why: judges disagree or are unsure, a state is rare.
    """
    reviewing = reviewing_in(folder, who)
    item = reviewing.queues.queue(name)
    waiting = queued_trajectories(reviewing, item, ReviewOrder(order), limit)
    counts = reviewing.queues.counts(item, reviewing.who, stamp(reviewing.clock()))
    if as_json:
        trajectories = [_queued_as_dict(each) for each in waiting]
        print_json({"queue": _as_dict(item, counts), "order": order, "trajectories": trajectories})
        return
    print_table(
        ("TRAJECTORY", "SCORE", "WHY"),
        [
            (
                f"{each.folder.parent.name}/{each.folder.name}",
                "-" if each.score is None else f"{each.score:.2f}",
                teaching_text(each),
            )
            for each in waiting
        ],
        last=_LONGEST,
    )
    say(_("To do in this queue: {count}", count=counts.todo))


@queue.command()
@click.argument("name")
@where_option
@click.option(
    "--work", type=click.Choice(list(map(str, QueueWork))), default=str(QueueWork.REVIEW), show_default=True,
    help="What is done with them.",
)  # fmt: skip
@click.option("--reviewers", type=click.IntRange(1, MOST_REVIEWERS), default=1, show_default=True,
              help="How many people review each; two do it blind.")  # fmt: skip
@click.option(
    "--for", "people", multiple=True, metavar="WHO", help="Who works on it; repeatable; anybody by default."
)
@click.option(
    "--hide-judges", is_flag=True, help="Hide verdicts of rules and models until a review is submitted."
)
@click.option("--title", default="", help="What it is about, for people.")
@force_option
@as_person
@in_project
@json_option
def new(
    name: str, query: str, work: str, reviewers: int, people: tuple[str, ...], hide_judges: bool, title: str,
    replaces: bool, who: str, folder: Path, as_json: bool,
) -> None:  # fmt: skip
    """Make the queue NAME: a file in queues/ of the project, to share with it."""
    reviewing = reviewing_in(folder, who)
    names = tuple(dict.fromkeys(person.strip() for person in people if person.strip()))
    made = ReviewQueue(
        name.strip(), query, QueueWork(work), reviewers, names, hide_judges, title, stamp(reviewing.clock()),
        reviewing.who,
    )  # fmt: skip
    path = save_queue(reviewing.project, made, replace=replaces)
    reviewing.queues.refresh()
    counts = reviewing.queues.counts(made, reviewing.who, stamp(reviewing.clock()))
    if as_json:
        print_json({"path": str(path), "queue": _as_dict(made, counts)})
        return
    say(
        ngettext(
            "Made the queue {name} with {count} trajectory",
            "Made the queue {name} with {count} trajectories",
            counts.total,
            name=made.name,
        )
    )


@queue.command()
@click.argument("name")
@in_project
@json_option
def delete(name: str, folder: Path, as_json: bool) -> None:
    """Delete the queue NAME; the reviews stay."""
    path = delete_queue(Project.open(folder), name)
    if as_json:
        print_json({"queue": name, "path": str(path)})
    else:
        say(_("Deleted the queue {name}", name=name))


def _queued_as_dict(item: QueuedTrajectory) -> dict[str, object]:
    return {
        "trajectory": item.folder.name, "task": item.folder.parent.name, "folder": str(item.folder),
        "score": item.score, "reasons": list(item.reasons), "hidden": item.hidden,
    }  # fmt: skip


def _as_dict(item: ReviewQueue, counts: QueueCounts) -> dict[str, object]:
    return {
        "name": item.name, "title": item.label, "query": item.query, "work": str(item.work),
        "reviewers": item.reviewers, "who": list(item.who),
        "judges": "hidden" if item.hides_judges else "shown",
        "preset": item.is_preset, "created": item.created, "created_by": item.created_by,
        "counts": asdict(counts),
    }  # fmt: skip
