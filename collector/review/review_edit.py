"""An act of a reviewer as one value that can be undone and made again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from collector.model.editing.three_way_merge import merge
from collector.model.verdicts.judgement import Judgement
from collector.store.files.review_lock import review_lock
from collector.store.trajectory.judgements import add_judgements, remove_judgement
from collector.store.trajectory.reviews.labels import labels_of, labels_values
from collector.store.trajectory.reviews.review_records import (
    REVIEWING,
    ReviewWork,
    read_work,
    record_of,
    record_values,
    write_work,
)

WorkChange = Callable[[ReviewWork], ReviewWork]
_MARK = ("state", "sentence")
"""Recognises a mark among the states reached."""
_UNDONE = ("hold", "skipped")
"""Of the times of work an undo changes these alone: the work was done."""


@dataclass(frozen=True, slots=True)
class ReviewEdit:
    """A person's file before and after an act, and the judgement that was given with it."""

    folder: Path
    title: str
    """What undo names, as in ``verdict failure on shop-14-lin``."""
    before: ReviewWork
    after: ReviewWork
    judgement: Judgement | None = None

    def undo(self) -> None:
        """Take the act back; what the person said since stays. Raises StoreError."""
        with review_lock(self.folder):
            if self.judgement is not None:
                remove_judgement(self.folder, self.judgement)
            self._change(self.after, self.before)

    def redo(self) -> None:
        """Make the act again. Raises StoreError."""
        with review_lock(self.folder):
            if self.judgement is not None:
                add_judgements(self.folder, [self.judgement])
            self._change(self.before, self.after)

    def _change(self, before: ReviewWork, after: ReviewWork) -> None:
        current = read_work(self.folder, after.who)
        changed = merged_work(before, after, current)
        if changed != current:
            write_work(self.folder, changed)


def write_change(
    folder: Path, who: str, title: str, change: WorkChange, judgement: Judgement | None = None
) -> ReviewEdit:
    """Change the file of ``who`` as ``change`` says. Call it with the lock held. Raises StoreError."""
    before = read_work(folder, who)
    after = change(before)
    if after != before:
        write_work(folder, after)
    return ReviewEdit(folder, title, before, after, judgement)


def merged_work(before: ReviewWork, after: ReviewWork, current: ReviewWork) -> ReviewWork:
    """``current`` with the act that led from ``before`` to ``after``; what the act left alone stays."""
    said: dict[str, Any] = merge(_values(before), _values(after), _values(current), _MARK).value
    record = record_of({**said, REVIEWING: said})
    return ReviewWork(
        labels_of(current.who, said),
        replace(
            current.record,
            tags=record.tags,
            bookmarks=record.bookmarks,
            approvals=record.approvals,
            hold=record.hold,
            skipped=record.skipped,
        ),
    )


def _values(work: ReviewWork) -> dict[str, Any]:
    record = record_values(work.record)
    times = record.pop(REVIEWING)
    return {**labels_values(work.labels), **record, **{key: times.get(key) for key in _UNDONE}}
