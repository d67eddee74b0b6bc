"""Who may see whose verdicts on a trajectory: reviewers work blind until they have submitted.

The one place that decides it, for the window and for the command line. The files lie open in the project, so
this protects from a look by accident, not from intent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from collector.model.i18n import _
from collector.review.queue import ReviewQueue
from collector.review.trajectory_reviews import TrajectoryReviews

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
    if own is not None and own.is_final:
        return reviews
    people = judges = ""
    if own is not None:
        people = _("You see what others say of it when you have submitted your review")
    for queue in queues:
        if not (queue.is_blind and queue.is_for(who)):
            continue
        is_own = own is not None and own.record.queue == queue.name
        if not is_own and not (wants_more(queue, reviews, who) and contains(queue, reviews.folder)):
            continue
        if queue.reviewers > 1 and not people:
            people = _("The queue {queue} wants your review: you see others' when you have submitted it",
                       queue=queue.label)  # fmt: skip
        if queue.hides_judges:
            judges = _("The queue {queue} hides the judges' verdicts until you have submitted your review",
                       queue=queue.label)  # fmt: skip
    return reviews.seen_by(who, people, judges)


def wants_more(queue: ReviewQueue, reviews: TrajectoryReviews, who: str) -> bool:
    """Whether a queue still wants the review of one more person, who is not ``who`` so far."""
    return sum(review.is_final for review in reviews.reviews if review.who != who) < queue.reviewers
