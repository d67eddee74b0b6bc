"""Queues of trajectories that people review, approve or adjudicate: the presets, and those of a project."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from collector.model.i18n import N_, _

MOST_REVIEWERS = 2


class QueueWork(StrEnum):
    """What a person does with a trajectory of a queue."""

    REVIEW = "review"
    """Give a verdict, and submit it."""
    LABEL = "label"
    """Say which essential states are reached, and give a verdict: everybody who works on it labels each."""
    ADJUDICATE = "adjudicate"
    """Decide what others disagree on."""
    APPROVE = "approve"
    """Approve or reject what others submitted."""
    DRAFTS = "drafts"
    """Go on with the person's own drafts."""
    REJECTED = "rejected"
    """Correct the person's own reviews that were rejected."""


class ReviewOrder(StrEnum):
    """In which order a person gets the trajectories of a queue that nobody has begun."""

    NAME = "name"
    """By task and name."""
    TEACHING = "teaching"
    """First those on which a person's word teaches most (:mod:`collector.review.teaching`)."""


@dataclass(frozen=True, slots=True)
class ReviewQueue:
    """Which trajectories people work on, and how. A preset is in every project; others are files."""

    name: str
    query: str = ""
    """A query of the catalogue, as in ``run:robustness outcome:failure``; empty for all trajectories."""
    work: QueueWork = QueueWork.REVIEW
    reviewers: int = 1
    """How many people review each trajectory, 1 or 2; two review it blind."""
    who: tuple[str, ...] = ()
    """Who works on it; empty for anybody."""
    hides_judges: bool = False
    """Whether verdicts of rules and models are hidden until the own review is submitted."""
    title: str = ""
    created: str = ""
    """ISO 8601, UTC."""
    created_by: str = ""
    is_preset: bool = False
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Keys of the file this version does not know; written back untouched."""

    @property
    def label(self) -> str:
        """What people read: the title in their language if it is a preset's, else the name."""
        return (_(self.title) if self.is_preset else self.title) or self.name

    @property
    def hides_people(self) -> bool:
        """Whether others' verdicts are hidden before the own review is begun."""
        return self.work is QueueWork.LABEL or (self.work is QueueWork.REVIEW and self.reviewers > 1)

    @property
    def is_blind(self) -> bool:
        """Whether something is hidden from who has not submitted."""
        return self.hides_people or (self.work is QueueWork.REVIEW and self.hides_judges)

    @property
    def is_own_review(self) -> bool:
        """Whether the person who takes a trajectory from it reviews it, new or from the start."""
        return self.work in (QueueWork.REVIEW, QueueWork.LABEL)

    def is_for(self, who: str) -> bool:
        """Whether a person works on it."""
        return not self.who or who in self.who


AUTOMATIC_VERDICTS = "automatic-verdicts"
DISAGREEMENTS = "disagreements"
_REVIEWED = "review:any"
TO_LABEL = ReviewQueue(
    "to-label", "states:>0", QueueWork.LABEL, hides_judges=True, title=N_("Essential states to label"),
    is_preset=True,
)  # fmt: skip
PRESETS = (
    # D-GARA (3.3): people review every automatic verdict.
    ReviewQueue(
        AUTOMATIC_VERDICTS, "kind:run automatic:yes", title=N_("All automatic verdicts"), is_preset=True
    ),
    ReviewQueue(DISAGREEMENTS, "", QueueWork.ADJUDICATE, title=N_("Disagreements"), is_preset=True),
    ReviewQueue(
        "to-approve", _REVIEWED, QueueWork.APPROVE, title=N_("Submitted, to approve"), is_preset=True
    ),
    ReviewQueue("my-drafts", _REVIEWED, QueueWork.DRAFTS, title=N_("My drafts"), is_preset=True),
    ReviewQueue("rejected", _REVIEWED, QueueWork.REJECTED, title=N_("My rejected reviews"), is_preset=True),
    TO_LABEL,
    ReviewQueue("golden", "kind:golden", title=N_("Unreviewed golden trajectories"), is_preset=True),
)


def to_label(task_id: str) -> ReviewQueue:
    """The part of :data:`TO_LABEL` that belongs to a task."""
    return replace(TO_LABEL, query=f'task:"={task_id}"')
