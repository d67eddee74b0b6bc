"""The acts of a reviewer on one project: give a verdict, label, comment, tag, submit, and take it back.

The window and the command line both go through :class:`Reviewing`. Each act is one value that can be undone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

from collector.judge.person_judge import PERSON_VERDICTS, judge_as_person
from collector.model.episode_text import verdict_text
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.judgement import Judgement
from collector.model.review import DRAFT, REJECTED
from collector.review.project_queues import ProjectQueues
from collector.review.review_clock import Clock, opened, stamp, utc_now, worked
from collector.review.review_edit import ReviewEdit, WorkChange, write_change
from collector.review.sight import seen_by
from collector.review.trajectory_reviews import TrajectoryReviews, read_reviews
from collector.store.labels import Labels
from collector.store.project import Project
from collector.store.review_lock import review_lock
from collector.store.review_records import ReviewWork, read_work, write_work

LONGEST_TAG = 60


class Reviewing:
    """What one person does as a reviewer of a project. Any thread may call; each call reads the disk."""

    def __init__(
        self, project: Project, who: str, *, clock: Clock = utc_now, queues: ProjectQueues | None = None
    ) -> None:
        """Raises UserError without a name, and StoreError when the queues cannot be read."""
        self.project, self.who, self.clock = project, require_name(who), clock
        self.queues = queues or ProjectQueues(project)

    def of(self, folder: Path) -> TrajectoryReviews:
        """What the person may see of the reviews and judgements of a trajectory."""
        return seen_by(read_reviews(folder), self.who, self.queues.queues, self.queues.contains)

    def open(self, folder: Path) -> TrajectoryReviews:
        """Say that the person begins to review a trajectory, and what may be seen of it.

        From now on others' verdicts are hidden, until the own ones are submitted. Raises StoreError.
        """
        with review_lock(folder):
            work, own = read_work(folder, self.who), read_reviews(folder).of(self.who)
            if own is None or own.status in (DRAFT, REJECTED):
                write_work(folder, replace(work, record=opened(work.record, self.clock())))
        return self.of(folder)

    # -- what is said ----------------------------------------------------------
    def judge(self, folder: Path, verdict: str, reason: str = "", reason_id: str = "") -> ReviewEdit:
        """Give the verdict on the task; ``reason`` is a sentence, ``reason_id`` one of the project's reasons.

        Raises UserError for a verdict or a reason that there is not, and StoreError.
        """
        if verdict not in PERSON_VERDICTS:
            raise UserError(
                _("{verdict} is no verdict here", verdict=verdict),
                "",
                _("Use one of: {known}", known=", ".join(PERSON_VERDICTS)),
            )
        self.require_reason(reason_id)
        title = _("verdict {verdict}", verdict=verdict_text(verdict))
        with review_lock(folder):
            time = stamp(self.clock())
            given = judge_as_person(folder, self.who, verdict, reason, reason_id, time)
            return self._write(folder, title, lambda work: _with_first_verdict(work, given), given)

    def confirm(self, folder: Path) -> ReviewEdit:
        """Give the verdict of the automatic judges. Raises UserError when it is hidden or not clear."""
        seen = self.of(folder)
        if not seen.automatic:
            raise UserError(
                _("There is no automatic verdict to confirm"),
                seen.hidden or _("no rule or model judged the trajectory, or they differ"),
                _("Give a verdict of your own"),
            )
        return self.judge(folder, seen.automatic)

    def label(self, folder: Path, title: str, change: Callable[[Labels], Labels]) -> ReviewEdit | None:
        """Change states and comments; None when nothing changes. Raises StoreError."""
        return self._edit(folder, title, lambda work: replace(work, labels=change(work.labels)))

    def tag(self, folder: Path, add: Iterable[str] = (), remove: Iterable[str] = ()) -> ReviewEdit | None:
        """Add and remove tags; None when nothing changes. Raises UserError for a tag that is none."""
        added, removed = [plain_tag(tag) for tag in add], set(remove)

        def change(work: ReviewWork) -> ReviewWork:
            kept = (tag for tag in (*work.record.tags, *added) if tag not in removed)
            return replace(work, record=replace(work.record, tags=tuple(dict.fromkeys(kept))))

        return self._edit(folder, _("tags"), change)

    # -- the status --------------------------------------------------------------
    def submit(self, folder: Path) -> ReviewEdit:
        """Say that the review is complete; from now on others' verdicts are shown.

        A review that was rejected is submitted again. Raises UserError without a verdict, and StoreError.
        """
        with review_lock(folder):
            own = read_reviews(folder).of(self.who)
            if own is None or own.verdict is None:
                raise UserError(
                    _("The review is not submitted"), _("it has no verdict"), _("Give a verdict first")
                )
            now = stamp(self.clock())

            def change(work: ReviewWork) -> ReviewWork:
                record = replace(work.record, hold=None, skipped="")
                return ReviewWork(replace(work.labels, submitted=now), record)

            return self._write(folder, _("submit the review"), change)

    def skip(self, folder: Path) -> ReviewEdit:
        """Pass a trajectory over: it is nobody's, and comes again after all others. Raises StoreError."""
        now = stamp(self.clock())
        with review_lock(folder):
            return write_change(
                folder,
                self.who,
                _("skip"),
                lambda work: replace(work, record=replace(work.record, hold=None, skipped=now)),
            )

    def release(self, folder: Path) -> None:
        """Give a trajectory back that was taken from a queue. Raises StoreError."""
        with review_lock(folder):
            work = read_work(folder, self.who)
            if work.record.hold is not None:
                write_work(folder, replace(work, record=replace(work.record, hold=None)))

    # -- shared ------------------------------------------------------------------
    def require_reason(self, reason_id: str) -> None:
        """Raise UserError when the project has no reason with this id; an empty one is none."""
        known = [reason.id for reason in self.project.reasons]
        if reason_id and reason_id not in known:
            raise UserError(
                _("The project has no reason {name}", name=reason_id),
                "",
                _("Name one of: {known}", known=", ".join(known) or "-"),
            )

    def _edit(self, folder: Path, title: str, change: WorkChange) -> ReviewEdit | None:
        with review_lock(folder):
            work = read_work(folder, self.who)
            return self._write(folder, title, change) if change(work) != work else None

    def _write(
        self, folder: Path, title: str, change: WorkChange, judgement: Judgement | None = None
    ) -> ReviewEdit:
        """Make a change with the lock held; the time since the act before counts as work."""
        now = self.clock()

        def with_time(work: ReviewWork) -> ReviewWork:
            changed = change(work)
            return replace(changed, record=worked(changed.record, now))

        return write_change(folder, self.who, title, with_time, judgement)


def require_name(who: str) -> str:
    """The name of a reviewer without spaces around it. Raises UserError for none."""
    name = who.strip()
    if not name:
        raise UserError(_("A review needs a name"), _("it is kept under the name of who gave it"))
    return name


def plain_tag(tag: str) -> str:
    """A tag with single spaces. Raises UserError for an empty or a long one."""
    plain = " ".join(tag.split())
    if not plain or len(plain) > LONGEST_TAG:
        raise UserError(
            _("{tag!r} is no tag", tag=tag[:LONGEST_TAG]),
            "",
            _("Write 1 to {count} characters", count=LONGEST_TAG),
        )
    return plain


def _with_first_verdict(work: ReviewWork, given: Judgement) -> ReviewWork:
    record = work.record
    return replace(work, record=replace(record, first_verdict=record.first_verdict or given.time))
