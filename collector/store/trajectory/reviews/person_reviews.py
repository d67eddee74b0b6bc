"""The reviews of a trajectory, one a person, and the status that follows from all files together.

Nothing here is stored: files of several people merge in any order, and give the same status.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from collector.model.verdicts.judgement import PERSON, TASK, Judgement
from collector.model.verdicts.review import (
    APPROVED,
    DRAFT,
    REJECTED,
    REVIEW_STATUSES,
    SUBMITTED,
    ReviewApproval,
    ReviewRecord,
)
from collector.store.trajectory.judgements import read_judgements, remove_judgement
from collector.store.trajectory.reader import read_annotations
from collector.store.trajectory.reviews.annotation_verdicts import IMPORTED
from collector.store.trajectory.reviews.annotations import write_annotations
from collector.store.trajectory.reviews.labels import SUBMITTED as SUBMITTED_AT
from collector.store.trajectory.reviews.labels import Labels, labels_in, labels_values
from collector.store.trajectory.reviews.review_records import (
    APPROVALS,
    REVIEWING,
    STATED,
    ReviewWork,
    record_of,
)

_DIGEST = 12
_OF_REVIEW = (SUBMITTED_AT, REVIEWING, APPROVALS, STATED)
"""Keys of annotations that make them a review."""


@dataclass(frozen=True, slots=True)
class PersonReview:
    """What one person says of a trajectory, and how far this review is."""

    work: ReviewWork
    verdict: Judgement | None = None
    """The person's verdict on the task; None before it is given."""
    approval: ReviewApproval | None = None
    """What another person says of the review as it is now; None before, and when it changed since."""
    approved_by: str = ""
    """Who approved or rejected it."""

    @property
    def who(self) -> str:
        return self.work.who

    @property
    def labels(self) -> Labels:
        return self.work.labels

    @property
    def record(self) -> ReviewRecord:
        return self.work.record

    @property
    def submitted(self) -> str:
        """When it was submitted; empty before."""
        return self.work.labels.submitted

    @property
    def status(self) -> str:
        """draft, submitted, approved or rejected."""
        if self.approval is not None:
            return self.approval.status
        stated = self.record.stated
        if self.submitted:
            return SUBMITTED
        return stated if stated in REVIEW_STATUSES else DRAFT

    @property
    def is_final(self) -> bool:
        """Whether the person said that it is complete."""
        return self.status != DRAFT


def digest_of(labels: Labels, verdict: Judgement | None) -> str:
    """A digest of what a review says: verdict, reason and states. Comments and tags may change."""
    values = labels_values(labels)
    said: dict[str, Any] = {key: values[key] for key in ("achieved_states", "missed_states")}
    if verdict is not None:
        said |= {"verdict": verdict.verdict, "reason_id": verdict.reason_id}
    data = json.dumps(said, sort_keys=True).encode(errors="replace")
    return hashlib.sha256(data).hexdigest()[:_DIGEST]


def reviews_of(works: Iterable[ReviewWork], judgements: Iterable[Judgement]) -> tuple[PersonReview, ...]:
    """The reviews of all people on one trajectory, in order of name.

    ``works`` are their files, ``judgements`` those that count. Whoever marked states while recording alone
    has no review; a verdict, a submission or a trajectory that was opened for review makes one. A review that
    was opened by an act which was taken back, and holds nothing else, is none.
    """
    by_name, judgements = {work.who: work for work in works}, tuple(judgements)
    verdicts = {item.judge: item for item in judgements if item.kind == PERSON and item.subject.kind == TASK}
    judges = {item.judge for item in judgements if item.kind == PERSON and not item.settles}
    approvals = [
        (approval, work.who)
        for work in by_name.values()
        for approval in work.record.approvals
        if approval.of != work.who
    ]
    reviews = []
    for who in sorted({*by_name, *verdicts} - {IMPORTED}):
        work, verdict = by_name.get(who, ReviewWork(Labels(who))), verdicts.get(who)
        record = work.record
        is_stated = record.stated in REVIEW_STATUSES
        if verdict is None and not (work.labels.submitted or is_stated or _is_begun(work, who in judges)):
            continue
        approval, by = _approval_of(work, verdict, approvals)
        reviews.append(PersonReview(work, verdict, approval, by))
    return tuple(reviews)


def _is_begun(work: ReviewWork, has_judged: bool) -> bool:
    """Whether an opened review says something, or is the work of a queue."""
    record = work.record
    says = has_judged or bool(record.tags) or not work.labels.is_empty
    return bool(record.opened) and (says or bool(record.queue) or record.hold is not None)


def works_in(
    folder: Path, documents: Mapping[str, Mapping[str, Any]] | None = None,
    names: Mapping[str, str] | None = None,
) -> list[ReviewWork]:  # fmt: skip
    """The files of all people on the trajectory in ``folder``; one that cannot be read is left out.

    ``documents`` are the files by name, when they were read before; ``names`` those of states, by which old
    files are read.
    """
    if documents is None:
        documents = read_annotations(folder)
    labels = labels_in(documents, folder, names)
    people = {str(document.get("who") or stem): document for stem, document in documents.items()}
    return [ReviewWork(labels.get(who, Labels(who)), record_of(people[who])) for who in sorted(people)]


def reviewers_of(folder: Path) -> tuple[str, ...]:
    """Who submitted a review of the trajectory in ``folder``, or gave a verdict on it, in order of name."""
    said = reviews_of(works_in(folder), read_judgements(folder).newest().values())
    return tuple(review.who for review in said if review.is_final or review.verdict is not None)


def remove_reviews(folder: Path) -> None:
    """Make the trajectory in ``folder`` one that nobody has reviewed; labels, comments and bookmarks stay."""
    for stem, document in read_annotations(folder).items():
        who = str(document.get("who") or stem)
        write_annotations(
            folder, who, {key: value for key, value in document.items() if key not in _OF_REVIEW}
        )
    for judgement in read_judgements(folder).judgements:
        if judgement.kind == PERSON:
            remove_judgement(folder, judgement)


def status_of(reviews: Sequence[PersonReview]) -> str:
    """The status of a trajectory by the reviews of all people; empty when nobody has begun.

    rejected when one is, else submitted when one waits for approval, else approved when one is, else draft.
    """
    statuses = {review.status for review in reviews}
    return next((status for status in (REJECTED, SUBMITTED, APPROVED, DRAFT) if status in statuses), "")


def _approval_of(
    work: ReviewWork, verdict: Judgement | None, approvals: Iterable[tuple[ReviewApproval, str]]
) -> tuple[ReviewApproval | None, str]:
    """The latest word of others on a review as it is now, and whose it is."""
    submitted = work.labels.submitted
    if not submitted:
        return None, ""
    digest = digest_of(work.labels, verdict)
    current = [
        (approval, by)
        for approval, by in approvals
        if approval.of == work.who
        and approval.submitted == submitted
        # A rejection stands until the review is submitted again, whatever was corrected meanwhile.
        and (approval.status == REJECTED or approval.digest == digest)
    ]
    latest = max(current, key=lambda given: (given[0].time, given[1], given[0].status), default=None)
    return latest if latest is not None else (None, "")
