"""A person's review of a trajectory: its status, the work on it, and how others approve or reject it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from collector.model.i18n import N_, _

DRAFT, SUBMITTED, APPROVED, REJECTED = "draft", "submitted", "approved", "rejected"
REVIEW_STATUSES = (DRAFT, SUBMITTED, APPROVED, REJECTED)
_STATUS_WORDS = {
    DRAFT: N_("draft"),
    SUBMITTED: N_("submitted"),
    APPROVED: N_("approved"),
    REJECTED: N_("rejected"),
}


def review_status_text(status: str) -> str:
    """A status of a review in words; an empty one is not reviewed."""
    word = _STATUS_WORDS.get(status)
    return _(word) if word else status or _("not reviewed")


@dataclass(frozen=True, slots=True)
class ReviewApproval:
    """What a person says of another person's review; it is kept in the file of the person who says it."""

    of: str
    """Whose review it is."""
    status: str
    """approved or rejected."""
    reason: str = ""
    """Why, in a sentence; a rejection has one."""
    time: str = ""
    """ISO 8601, UTC."""
    submitted: str = ""
    """When the review was submitted that it is about."""
    digest: str = ""
    """Of what the review said: an approval of something else does not count."""
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Keys of the file this version does not know; written back untouched."""


@dataclass(frozen=True, slots=True)
class ReviewHold:
    """A trajectory that a person took from a queue, so that nobody else gets it; it ends by itself."""

    queue: str
    since: str
    until: str
    """ISO 8601, UTC."""

    def is_live(self, now: str) -> bool:
        """Whether it still holds at ``now``, ISO 8601, UTC."""
        return self.since <= now < self.until


@dataclass(frozen=True, slots=True)
class ReviewBookmark:
    """A step that a person wants to come back to."""

    step: int
    """Counted from 0, as the steps were when the bookmark was set."""
    screen: str = ""
    """File of the screen, with which the bookmark moves when steps before it are inserted or deleted."""


@dataclass(frozen=True, slots=True)
class ReviewRecord:
    """What a person's file says of a review beside labels and comments. Times are ISO 8601, UTC."""

    tags: tuple[str, ...] = ()
    bookmarks: tuple[ReviewBookmark, ...] = ()
    """In the order in which they were set; they begin no review."""
    opened: str = ""
    """When the person opened the trajectory to review it first."""
    active: str = ""
    """When the person did something on it last."""
    seconds: float = 0
    """Seconds of work so far: between acts, long pauses left out."""
    first_verdict: str = ""
    """When the person gave the first verdict."""
    queue: str = ""
    """The queue it was taken from last; it says what is hidden from the person."""
    hold: ReviewHold | None = None
    skipped: str = ""
    """When the person passed it over; it comes again after all others."""
    approvals: tuple[ReviewApproval, ...] = ()
    """What the person says of the reviews of others, in the order it was said."""
    stated: str = ""
    """A status that a file states by itself (its key ``review``), as files of other programs do."""
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Keys of the work this version does not know; written back untouched."""
