"""Who may see whose verdicts on a trajectory: reviewers work blind until they have submitted.

The one place that decides it, for the window and for the command line. The files lie open in the project, so
this protects from a look by accident, not from intent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from collector.model.i18n import _
from collector.model.review import DRAFT
from collector.model.voted_subject import PEOPLE
from collector.review.queue import ReviewQueue
from collector.review.trajectory_reviews import TrajectoryReviews
from collector.store.catalogue_row import CatalogueRow, ReviewState

Contains = Callable[[ReviewQueue, Path], bool]
"""Whether a trajectory is in a queue."""


def seen_by(
    reviews: TrajectoryReviews, who: str, queues: Iterable[ReviewQueue] = (),
    contains: Contains = lambda _queue, _folder: False,
) -> TrajectoryReviews:  # fmt: skip
    """The reviews of a trajectory as ``who`` may see them; ``queues`` are all of the project.

    Others' verdicts, reasons, labels, tags and comments are hidden from whoever has a review that is not
    submitted, and from whom a queue of two reviewers still wants one; judges, where a queue says so.
    """
    own = reviews.of(who)
    hidden = _hidden(
        own.status if own is not None else "",
        own.record.queue if own is not None else "",
        [review.status for review in reviews.reviews if review.who != who],
        [queue for queue in queues if queue.is_blind and queue.is_for(who)],
        lambda queue: contains(queue, reviews.folder),
    )
    return reviews.seen_by(who, hidden.people, hidden.judges)


def row_seen_by(
    row: CatalogueRow, reviews: ReviewState, who: str, queues: Iterable[ReviewQueue], contains: Contains,
    project: Path,
) -> CatalogueRow:  # fmt: skip
    """The row of a trajectory in a list as ``who`` may see it; ``reviews`` says how far its reviews are.

    ``project`` is the folder of the project.
    """
    hidden = _hidden(
        reviews.status_of(who),
        "",
        [status for status, name in reviews.reviews if name != who],
        [queue for queue in queues if queue.is_blind and queue.is_for(who)],
        lambda queue: contains(queue, project / row.folder),
    )
    people = {PEOPLE, *(name for _status, name in reviews.reviews)}
    shown = tuple(
        (verdict, judge)
        for verdict, judge in row.verdicts
        if judge == who or not (hidden.people if judge in people else hidden.judges)
    )
    return replace(row, verdicts=shown, outcome="" if hidden.judges else row.outcome)


@dataclass(frozen=True, slots=True)
class _Hidden:
    """Why others' and judges' verdicts are hidden, each a sentence; empty when they are shown."""

    people: str = ""
    judges: str = ""


def _hidden(
    own: str, own_queue: str, others: Sequence[str], blind: Iterable[ReviewQueue],
    contains: Callable[[ReviewQueue], bool],
) -> _Hidden:  # fmt: skip
    """What is hidden from a person by the status of the own review and of others', and by blind queues."""
    if own not in ("", DRAFT):
        return _Hidden()
    people = judges = ""
    if own:
        people = _("You see what others say of it when you have submitted your review")
    submitted = sum(status != DRAFT for status in others)
    for queue in blind:
        is_wanted = bool(own) or submitted < queue.reviewers
        if queue.name != own_queue and not (is_wanted and contains(queue)):
            continue
        if queue.reviewers > 1 and not people:
            people = _("The queue {queue} wants your review: you see others' when you have submitted it",
                       queue=queue.label)  # fmt: skip
        if queue.hides_judges:
            judges = _("The queue {queue} hides the judges' verdicts until you have submitted your review",
                       queue=queue.label)  # fmt: skip
    return _Hidden(people, judges)
