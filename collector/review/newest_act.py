"""The newest act of a person on a trajectory, as its files tell it, and how it is taken back."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from collector.model.verdicts.judgement import STEP, TASK, Judgement
from collector.model.verdicts.review import APPROVED
from collector.review.trajectory_reviews import TrajectoryReviews
from collector.store.trajectory.reviews.review_records import ReviewWork


@dataclass(frozen=True, slots=True)
class StoredAct:
    """Something a person did that can be taken back."""

    name: str
    """verdict, step, submit, approve, reject or adjudicate."""
    time: str
    """ISO 8601, UTC."""
    rank: int
    """Of acts at the same time the highest is the newest."""
    take_back: Callable[[ReviewWork], ReviewWork]
    judgement: Judgement | None = None
    """What was stored with it."""


def newest_act(reviews: TrajectoryReviews, who: str) -> StoredAct | None:
    """What ``who`` did last; None when there is nothing to take back."""
    return max(_acts_of(reviews, who), key=lambda act: (act.time, act.rank), default=None)


def _acts_of(reviews: TrajectoryReviews, who: str) -> Iterator[StoredAct]:
    for item in reviews.all_judgements:
        if item.judge == who and (item.settles or item.subject.kind in (TASK, STEP)):
            own = "step" if item.subject.kind == STEP else "verdict"
            name, rank = ("adjudicate", 3) if item.settles else (own, 0)
            yield StoredAct(name, item.time, rank, lambda work: work, item)
    work = reviews.work_of(who)
    if work.labels.submitted:
        yield StoredAct("submit", work.labels.submitted, 1, _not_submitted)
    if work.record.approvals:
        newest = work.record.approvals[-1]
        name = "approve" if newest.status == APPROVED else "reject"
        yield StoredAct(name, newest.time, 2, _without_newest_approval)


def _not_submitted(work: ReviewWork) -> ReviewWork:
    return replace(work, labels=replace(work.labels, submitted=""))


def _without_newest_approval(work: ReviewWork) -> ReviewWork:
    return replace(work, record=replace(work.record, approvals=work.record.approvals[:-1]))
