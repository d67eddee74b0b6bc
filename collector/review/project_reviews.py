"""How far the reviews of a project are: trajectories by status, queues of a person, the person's own pace."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from collector.model.verdicts.review import REVIEW_STATUSES
from collector.review.project_queues import QueueCounts
from collector.review.queue import ReviewQueue
from collector.review.review_clock import stamp
from collector.review.reviewing import Reviewing
from collector.review.throughput import Throughput, throughput

UNREVIEWED = "unreviewed"
_ALL = ReviewQueue("")


@dataclass(frozen=True, slots=True)
class ProjectReviews:
    """The reviews of a project as one person sees them."""

    who: str
    statuses: dict[str, int]
    """Status -> trajectories; ``unreviewed`` for those that nobody has begun."""
    disagreements: int
    """Trajectories with something to adjudicate."""
    queues: tuple[tuple[ReviewQueue, QueueCounts], ...]
    """The queues that the person works on, presets first."""
    own: Throughput
    problems: tuple[str, ...] = ()
    """One sentence for each queue that cannot be read."""


def project_reviews(reviewing: Reviewing) -> ProjectReviews:
    """Read how far the reviews of a project are. Raises StoreError."""
    queues, now = reviewing.queues, reviewing.clock()
    queues.refresh()
    counts: Counter[str] = Counter()
    disagreements = 0
    for state, count in queues.states(_ALL):
        counts[state.status or UNREVIEWED] += count
        disagreements += count * state.is_unsettled
    shown = [queue for queue in queues.queues if queue.is_for(reviewing.who)]
    return ProjectReviews(
        reviewing.who,
        {status: counts[status] for status in (UNREVIEWED, *REVIEW_STATUSES)},
        disagreements,
        tuple((queue, queues.counts(queue, reviewing.who, stamp(now))) for queue in shown),
        throughput(reviewing.project, reviewing.who, now.astimezone()),
        tuple(map(str, queues.problems)),
    )
