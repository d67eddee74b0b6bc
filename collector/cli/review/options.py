"""What the verbs of ``waymark review`` share: the reviewer, the trajectory, and what is printed."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from collector.cli.output import print_json, print_table, say
from collector.cli.progress import indexing_progress
from collector.cli.trajectory.reference import find_in_project, require_visible
from collector.model.episode_text import subject_text, verdict_text
from collector.model.i18n import _
from collector.model.verdicts.failure_reason import FailureReason, reason_text
from collector.model.verdicts.judgement import TASK, Subject
from collector.model.verdicts.review import review_status_text
from collector.review.project_queues import ProjectQueues
from collector.review.queue import ReviewOrder
from collector.review.review_history import history_of
from collector.review.reviewing import Reviewing
from collector.review.trajectory_reviews import TrajectoryReviews
from collector.store.catalogue.catalogue import Catalogue
from collector.store.catalogue.query import asks_for_staleness
from collector.store.project.project import Project
from collector.store.trajectory.judgement_codec import judgement_to_line
from collector.store.trajectory.reviews.labels import labels_values
from collector.store.trajectory.reviews.person_reviews import PersonReview
from collector.store.trajectory.reviews.review_records import record_values

_LONGEST = 100


def reviewing_in(path: Path, who: str) -> Reviewing:
    """The reviewer of the project in ``path``. Raises UserError."""
    return _reviewing(Project.open(path), who)


def _reviewing(project: Project, who: str) -> Reviewing:
    queues = ProjectQueues(project, indexing_progress())
    if any(asks_for_staleness(queue.query) for queue in queues.queues):
        from collector.run.results.stale_results import note_stale_results

        with Catalogue(project) as catalogue:
            catalogue.refresh(indexing_progress())
            note_stale_results(project, catalogue)
    return Reviewing(project, who, queues=queues)


def trajectory_to_review(reference: str, folder: Path, who: str) -> tuple[Reviewing, Path]:
    """The reviewer and the trajectory that a reference names. Raises UserError and ReadOnly."""
    project, place = find_in_project(reference, folder)
    project.require_writable()
    return _reviewing(project, who), place


def trajectory_to_read(reference: str, folder: Path, who: str) -> tuple[Reviewing, Path]:
    """The reviews and the folder of a trajectory, for a verb that only reads. Raises UserError."""
    project, place = find_in_project(reference, folder)
    require_visible(place, who)
    return _reviewing(project, who), place


order_option = click.option(
    "--order", type=click.Choice(list(map(str, ReviewOrder))), default=str(ReviewOrder.NAME),
    show_default=True,
    help="What comes first of what nobody has begun: by task and name, or where your word teaches most.",
)  # fmt: skip


def print_review(reviewing: Reviewing, folder: Path, *, as_json: bool, **more: Any) -> None:
    """Print what the person may see of a trajectory's reviews; ``more`` are keys of the JSON document."""
    seen = reviewing.of(folder)
    if as_json:
        print_json({**reviews_as_dict(reviewing, seen), **more})
        return
    reasons = reviewing.project.reasons
    where = f"{folder.parent.name}/{folder.name}"
    say(f"{where}  {review_status_text(seen.status)}")
    if seen.reviews:
        print_table(
            ("WHO", "STATUS", "VERDICT", "REASON", "STATES", "TAGS", "COMMENTS", "BY"),
            [_cells(review, reasons) for review in seen.reviews],
            last=_LONGEST,
        )
    if seen.automatic:
        say(_("Automatic verdict: {verdict}", verdict=verdict_text(seen.automatic)))
    for item in seen.disagreements:
        votes = ", ".join(f"{judge}: {verdict_text(vote)}" for judge, vote in sorted(item.votes.items()))
        if item.settled is None:
            say(_("Disagreement on {about}: {votes}", about=subject_text(item.subject), votes=votes))
    for subject, judgement in seen.settled.items():
        values = {"who": judgement.judge, "about": subject_text(subject)}
        say(_("{who} adjudicated {about}: {verdict}", verdict=verdict_text(judgement.verdict), **values))
    if seen.hidden:
        say(seen.hidden)
    for problem in seen.problems:
        say(problem, err=True)


def reviews_as_dict(reviewing: Reviewing, seen: TrajectoryReviews) -> dict[str, Any]:
    """The reviews of a trajectory for scripts."""
    return {
        "trajectory": seen.folder.name,
        "task": seen.folder.parent.name,
        "folder": str(seen.folder),
        "who": reviewing.who,
        "status": seen.status,
        "reviews": list(map(_review_as_dict, seen.reviews)),
        "automatic": seen.automatic,
        "adjudicated": [judgement_to_line(item) for item in seen.settled.values()],
        "disagreements": [
            {
                "subject": _subject_as_dict(item.subject),
                "on": item.on,
                "votes": dict(item.votes),
                "steps": dict(item.steps),
                "reasons": dict(item.reasons),
                "settled": item.settled.verdict if item.settled is not None else "",
            }
            for item in seen.disagreements
        ],
        "hidden": seen.hidden,
        "history": list(map(asdict, history_of(seen))),
        "problems": list(seen.problems),
    }


def _review_as_dict(review: PersonReview) -> dict[str, Any]:
    record = record_values(review.record)
    approval = review.approval
    return {
        "who": review.who,
        "status": review.status,
        "verdict": judgement_to_line(review.verdict) if review.verdict is not None else None,
        **labels_values(review.labels),
        "tags": record["tags"],
        "work": record["reviewing"],
        "approval": {"who": review.approved_by, "status": approval.status, "reason": approval.reason,
                     "time": approval.time} if approval is not None else None,
    }  # fmt: skip


def _subject_as_dict(subject: Subject) -> dict[str, str]:
    return {"kind": subject.kind, **({"state": subject.state} if subject.kind != TASK else {})}


def _cells(review: PersonReview, reasons: tuple[FailureReason, ...]) -> tuple[object, ...]:
    verdict, labels = review.verdict, review.labels
    reason = ""
    if verdict is not None:
        named = reason_text(verdict.reason_id, reasons) if verdict.reason_id else ""
        reason = ", ".join(filter(None, (named, verdict.reason)))
    states = f"{len(labels.reached)}/{len(labels.reached) + len(labels.missed)}" if labels.labelled else "-"
    by = ""
    if review.approval is not None:
        by = ": ".join(filter(None, (review.approved_by, review.approval.reason)))
    return (
        review.who, review_status_text(review.status), verdict_text(verdict.verdict if verdict else ""),
        reason or "-", states, ", ".join(review.record.tags) or "-", len(labels.comments) or "-", by,
    )  # fmt: skip
