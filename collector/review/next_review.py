"""Take the next trajectory of a queue: it is the person's for a while, and nobody else gets it."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from pathlib import Path

from collector.review.project_queues import TODO, place_of
from collector.review.queue import QueueWork, ReviewOrder, ReviewQueue
from collector.review.queued_trajectories import waiting_rows
from collector.review.review_clock import held, opened, stamp
from collector.review.reviewing import Reviewing
from collector.review.trajectory_reviews import TrajectoryReviews, read_reviews
from collector.store.catalogue.catalogue_row import ReviewState
from collector.store.files.errors import Damaged, FromTheFuture, UnsafePath
from collector.store.files.layout import is_trajectory
from collector.store.files.review_lock import review_lock
from collector.store.trajectory.reviews.review_records import write_work

_OF_OTHERS = (QueueWork.ADJUDICATE, QueueWork.APPROVE)
"""Work on reviews of others: it begins no review of the person's own."""


def take_next(
    reviewing: Reviewing, queue: ReviewQueue, after: Path | None = None, *,
    order: ReviewOrder = ReviewOrder.NAME, wanted: Path | None = None,
) -> Path | None:  # fmt: skip
    """The folder of the next trajectory of a queue, now held by the person; None when nothing is left.

    ``after`` is a trajectory that does not come again, ``wanted`` one of the queue that comes first. A golden
    one that the person may not see yet does not come at all. What the catalogue says is read again from the
    files while the lock is held: of two programs that ask, only one gets a trajectory. Raises StoreError.
    """
    reviewing.queues.refresh()
    first = [wanted] if wanted is not None and is_trajectory(wanted) else []
    folders = (reviewing.project.folder / row.folder for row in waiting_rows(reviewing, queue, order))
    for folder in chain(first, folders):
        if folder != after and _take(reviewing, queue, folder):
            return folder
    return None


def _take(reviewing: Reviewing, queue: ReviewQueue, folder: Path) -> bool:
    """Hold a trajectory for the person; False when others were quicker, or the own file cannot be read."""
    who, now = reviewing.who, reviewing.clock()
    with review_lock(folder):
        reviews = read_reviews(folder)
        if place_of(queue, _state_of(reviews), who, stamp(now)) != TODO:
            return False
        work = reviews.work_of(who)
        record = replace(work.record, hold=held(queue.name, now), skipped="")
        if queue.is_own_review:
            record = replace(record, queue=queue.name)
        if queue.work not in _OF_OTHERS:
            record = opened(record, now)
        try:
            write_work(folder, replace(work, record=record))
        except (Damaged, FromTheFuture, UnsafePath):
            return False  # the check of the project names the file
    return True


def _state_of(reviews: TrajectoryReviews) -> ReviewState:
    """What the catalogue will say of a trajectory, from its files as they are now."""
    records = [(who, work.record) for who, work in reviews.works.items()]
    disagreements = reviews.disagreements
    return ReviewState(
        reviews.status,
        tuple((review.status, review.who) for review in reviews.reviews),
        tuple((record.hold.until, who) for who, record in records if record.hold is not None),
        any(item.is_open for item in disagreements),
        bool(disagreements),
    )
