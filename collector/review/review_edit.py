"""An act of a reviewer as one value that can be undone and made again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from collector.judge.labelling import merged
from collector.model.judgement import Judgement
from collector.model.review import ReviewApproval, ReviewRecord
from collector.store.judgements import add_judgements, remove_judgement
from collector.store.review_lock import review_lock
from collector.store.review_records import ReviewWork, read_work, write_work

WorkChange = Callable[[ReviewWork], ReviewWork]


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
        changed = ReviewWork(
            merged(current.labels, before.labels, after.labels),
            merged_record(current.record, before.record, after.record),
        )
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


def merged_record(current: ReviewRecord, before: ReviewRecord, after: ReviewRecord) -> ReviewRecord:
    """``current`` with the edit from ``before`` to ``after``. The times of the work stay: it was done."""
    changed = replace(
        current,
        tags=_merged(current.tags, before.tags, after.tags),
        approvals=_merged_approvals(current.approvals, before.approvals, after.approvals),
    )
    for name in ("hold", "skipped"):
        if getattr(before, name) != getattr(after, name):
            changed = replace(changed, **{name: getattr(after, name)})
    return changed


def _merged(current: tuple[str, ...], before: tuple[str, ...], after: tuple[str, ...]) -> tuple[str, ...]:
    kept = [tag for tag in current if tag in after or tag not in before]
    return (*kept, *(tag for tag in after if tag not in before and tag not in kept))


def _merged_approvals(
    current: tuple[ReviewApproval, ...],
    before: tuple[ReviewApproval, ...],
    after: tuple[ReviewApproval, ...],
) -> tuple[ReviewApproval, ...]:
    kept = [item for item in current if item in after or item not in before]
    return (*kept, *(item for item in after if item not in before and item not in kept))
