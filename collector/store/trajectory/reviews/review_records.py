"""What a person's annotation file says of a review beside labels: tags, times of work, holds, approvals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from collector.model.verdicts.review import (
    APPROVED,
    REJECTED,
    ReviewApproval,
    ReviewBookmark,
    ReviewHold,
    ReviewRecord,
)
from collector.store.files.disk import Disk
from collector.store.trajectory.achieved_states import AchievedState, move_with_screen
from collector.store.trajectory.reviews.annotations import read_annotations
from collector.store.trajectory.reviews.labels import Labels, labels_of, labels_values, replace_values

TAGS, REVIEWING, APPROVALS, BOOKMARKS = "tags", "reviewing", "approvals", "bookmarks"
STATED = "review"
"""Key of a status in files of other programs, and of this one before it had reviews."""
_TIMES = ("opened", "active", "first_verdict", "queue", "skipped")
_HOLD = ("queue", "since", "until")
_APPROVAL = ("of", "status", "reason", "time", "submitted", "digest")
_REVIEWING = (*_TIMES, "seconds", "hold")
_LONGEST_S = 1e9


@dataclass(frozen=True, slots=True)
class ReviewWork:
    """All that one annotation file says of a review: what the person labelled, and the work on it."""

    labels: Labels
    record: ReviewRecord = field(default_factory=ReviewRecord)

    @property
    def who(self) -> str:
        return self.labels.who


def record_of(annotations: Mapping[str, Any]) -> ReviewRecord:
    """The record in loaded annotations; damaged entries are left out."""
    tags, approvals, marks = (annotations.get(key) for key in (TAGS, APPROVALS, BOOKMARKS))
    work = annotations.get(REVIEWING)
    work = work if isinstance(work, Mapping) else {}
    texts = [item for item in (tags if isinstance(tags, list) else ()) if isinstance(item, str)]
    read = map(_approval, approvals if isinstance(approvals, list) else ())
    seconds = work.get("seconds")
    if isinstance(seconds, bool) or not isinstance(seconds, (int, float)) or not 0 <= seconds < _LONGEST_S:
        seconds = 0
    stated = annotations.get(STATED)
    return ReviewRecord(
        tags=tuple(dict.fromkeys(text.strip() for text in texts if text.strip())),
        bookmarks=tuple(_bookmarks(marks if isinstance(marks, list) else ())),
        **{key: _text(work.get(key)) for key in _TIMES},
        seconds=float(seconds),
        hold=_hold(work.get("hold")),
        approvals=tuple(approval for approval in read if approval is not None),
        stated=_text(stated),
        extra={key: value for key, value in work.items() if key not in _REVIEWING},
    )


def record_values(record: ReviewRecord) -> dict[str, Any]:
    """The keys of a record in a file of annotations, without the stated status, which is never changed."""
    work: dict[str, Any] = {key: getattr(record, key) for key in _TIMES}
    hold = record.hold
    work["seconds"] = round(record.seconds, 1)
    work["hold"] = {key: getattr(hold, key) for key in _HOLD} if hold is not None else None
    return {
        TAGS: list(record.tags),
        BOOKMARKS: [
            {"step": mark.step, **_without_empty({"screen": mark.screen})} for mark in record.bookmarks
        ],
        REVIEWING: {**_without_empty(work), **record.extra},
        APPROVALS: list(map(_approval_values, record.approvals)),
    }


def read_work(folder: Path, who: str) -> ReviewWork:
    """What ``who`` wrote on the trajectory in ``folder``; empty without a file. Raises StoreError."""
    annotations = read_annotations(folder, who) or {}
    return ReviewWork(labels_of(who, annotations), record_of(annotations))


def write_work(folder: Path, work: ReviewWork, disk: Disk | None = None) -> None:
    """Replace labels and record of a person in one write; other annotations stay. Raises StoreError."""
    replace_values(folder, work.who, {**labels_values(work.labels), **record_values(work.record)}, disk)


def placed_bookmarks(
    bookmarks: Iterable[ReviewBookmark], screens: Sequence[str]
) -> dict[int, ReviewBookmark]:
    """Bookmarks by the steps whose screens are ``screens``; one whose step is gone is left out."""
    placed = {}
    for mark in bookmarks:
        at = mark.step if mark.step < len(screens) else None
        if mark.screen:
            moved = move_with_screen(AchievedState(mark.step, "", mark.screen), screens, ())
            at = moved.step if moved.has_step else None
        if at is not None:
            placed[at] = mark
    return placed


def _bookmarks(listed: Iterable[object]) -> Iterator[ReviewBookmark]:
    for values in listed:
        step = values.get("step") if isinstance(values, Mapping) else None
        if isinstance(values, Mapping) and isinstance(step, int) and not isinstance(step, bool) and step >= 0:
            yield ReviewBookmark(step, _text(values.get("screen")))


def _approval(values: object) -> ReviewApproval | None:
    if not isinstance(values, Mapping) or values.get("status") not in (APPROVED, REJECTED):
        return None
    texts = {key: _text(values.get(key)) for key in _APPROVAL}
    extra = {key: value for key, value in values.items() if key not in _APPROVAL}
    return ReviewApproval(**texts, extra=extra) if texts["of"] else None


def _approval_values(approval: ReviewApproval) -> dict[str, Any]:
    return {**_without_empty({key: getattr(approval, key) for key in _APPROVAL}), **approval.extra}


def _hold(values: object) -> ReviewHold | None:
    if not isinstance(values, Mapping) or not _text(values.get("until")):
        return None
    return ReviewHold(*(_text(values.get(key)) for key in _HOLD))


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _without_empty(values: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in values.items() if value not in (None, "", 0)}
