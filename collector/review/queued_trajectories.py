"""The trajectories that wait for a person in a queue, in the order in which the person gets them, and why."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from collector.model.i18n import _, join_sentences
from collector.review.queue import ReviewOrder, ReviewQueue
from collector.review.review_clock import stamp
from collector.review.reviewing import Reviewing
from collector.review.visibility import hidden_in_queue
from collector.states.work_files.blindness import visible_trajectories
from collector.store.catalogue.catalogue_row import ReviewRow
from collector.store.files.layout import is_trajectory
from collector.store.trajectory.reader import read_header


@dataclass(frozen=True, slots=True)
class QueuedTrajectory:
    """A trajectory that a person can take from a queue."""

    folder: Path
    score: float | None = None
    """How much a person's word would teach (:mod:`collector.review.teaching`); None where that is hidden."""
    reasons: tuple[str, ...] = ()
    """Why, each a sentence without a full stop."""
    hidden: str = ""
    """Why score and reasons are hidden, in a sentence; empty when they are not."""


def teaching_text(item: QueuedTrajectory) -> str:
    """Why a person's word on a trajectory would teach something, in one line."""
    return item.hidden or join_sentences(*item.reasons) or _("Judges leave nothing open here")


def queued_trajectories(
    reviewing: Reviewing, queue: ReviewQueue, order: ReviewOrder, limit: int | None = None
) -> list[QueuedTrajectory]:  # fmt: skip
    """The first ``limit`` trajectories that wait for the person in a queue. Raises StoreError."""
    rows = waiting_rows(reviewing, queue, order)
    return [_queued(reviewing, queue, row) for row in islice(rows, limit)]


def queued_trajectory(reviewing: Reviewing, queue: ReviewQueue, folder: Path) -> QueuedTrajectory:
    """What can be said of one trajectory of a queue. Raises StoreError."""
    name = folder.relative_to(reviewing.project.folder).as_posix()
    for row in reviewing.queues.rows(queue):
        if row.folder == name:
            return _queued(reviewing, queue, row)
    return QueuedTrajectory(folder)


def waiting_rows(reviewing: Reviewing, queue: ReviewQueue, order: ReviewOrder) -> Iterator[ReviewRow]:
    """The rows of what waits in a queue; golden trajectories that the person may not see yet are left out."""
    is_visible = visible_trajectories(reviewing.project, reviewing.who)
    for row in reviewing.queues.ordered(queue, reviewing.who, stamp(reviewing.clock()), order):
        folder = reviewing.project.folder / row.folder
        if is_trajectory(folder) and is_visible(read_header(folder)):
            yield row


def _queued(reviewing: Reviewing, queue: ReviewQueue, row: ReviewRow) -> QueuedTrajectory:
    folder, queues = reviewing.project.folder / row.folder, reviewing.queues
    hidden = hidden_in_queue(row.state, reviewing.who, queue, queues, folder)
    if hidden.judges:
        return QueuedTrajectory(folder, hidden=hidden.judges)
    teaching, with_people = queues.teaching(), not hidden.people
    return QueuedTrajectory(
        folder,
        teaching.score(row.folder, with_people=with_people),
        teaching.reasons(row.folder, with_people=with_people),
    )
