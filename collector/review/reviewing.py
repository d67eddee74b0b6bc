"""What a person says of trajectories: verdicts, labels, comments, tags, submission, and decisions on others.

The window and the command line both go through :class:`Reviewing`. Each act is one value that can be undone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from collector.model.action import Action, action_to_dict
from collector.model.episode_text import subject_text, verdict_text
from collector.model.errors import UserError
from collector.model.message import _
from collector.model.trajectory import RECORDING
from collector.model.verdicts.failure_reason import require_reason
from collector.model.verdicts.judgement import (
    PERSON,
    STEP,
    STEP_ERRORS,
    TASK,
    VERDICTS,
    Judgement,
    Subject,
)
from collector.model.verdicts.review import APPROVED, REJECTED, ReviewApproval, ReviewBookmark
from collector.review.newest_act import newest_act
from collector.review.project_queues import ProjectQueues
from collector.review.queue import ReviewQueue
from collector.review.review_clock import Clock, stamp, utc_now, worked
from collector.review.review_edit import ReviewEdit, WorkChange, write_change
from collector.review.trajectory_reviews import TrajectoryReviews, read_reviews
from collector.review.visibility import seen_by
from collector.store.files.review_lock import review_lock
from collector.store.project.project import Project
from collector.store.trajectory.achieved_states import state_names, with_state_ids
from collector.store.trajectory.judgements import add_judgements, remove_judgement
from collector.store.trajectory.judgements import path_of as judgements_of
from collector.store.trajectory.reader import read_header
from collector.store.trajectory.reviews.annotations import path_of as annotations_of
from collector.store.trajectory.reviews.labels import Labels
from collector.store.trajectory.reviews.person_reviews import PersonReview, digest_of
from collector.store.trajectory.reviews.review_records import ReviewWork, read_work

LONGEST_TAG = 60
LabelChange = Callable[[Labels], Labels]


@dataclass(frozen=True, slots=True)
class UndoneAct:
    """The act of a person that was taken back."""

    act: str
    """verdict, submit, approve, reject or adjudicate."""
    time: str
    edit: ReviewEdit
    """Its redo makes the act again."""


class Reviewing:
    """What one person does as a reviewer of a project. Any thread may call; each call reads the disk.

    Each act raises UserError when it cannot be done, and StoreError.
    """

    def __init__(
        self, project: Project, who: str, *, clock: Clock = utc_now, queues: ProjectQueues | None = None
    ) -> None:
        """Raises UserError without a name, and StoreError when the queues cannot be read."""
        self.project, self.who, self.clock = project, require_name(who), clock
        self.queues = queues or ProjectQueues(project)

    def of(self, folder: Path, queue: ReviewQueue | None = None) -> TrajectoryReviews:
        """What the person may see of the reviews and judgements of a trajectory, at work on ``queue``."""
        reviews = read_reviews(folder, self._names_of)
        return seen_by(reviews, self.who, self.queues.queues, self.queues.contains, queue)

    def hidden_among(self, folders: Iterable[Path]) -> frozenset[Path]:
        """Those of ``folders`` of whose verdicts something is hidden from the person."""
        has_queues = bool(self.project.paths.review_queues())
        return frozenset(
            folder
            for folder in set(folders)
            if (
                has_queues
                or annotations_of(folder, self.who).exists()
                or judgements_of(folder, self.who).exists()
            )
            and self.of(folder).hidden
        )

    # -- what is said ----------------------------------------------------------
    def judge(self, folder: Path, verdict: str, reason: str = "", reason_id: str = "") -> ReviewEdit:
        """Give the verdict on the task; ``reason`` is a sentence, ``reason_id`` names one of the project."""
        title = _("verdict {verdict}", verdict=verdict_text(verdict))
        given = self._judgement(Subject(TASK), verdict, reason, reason_id)

        def with_time(work: ReviewWork) -> ReviewWork:
            first = work.record.first_verdict or given.time
            return replace(work, record=replace(work.record, first_verdict=first))

        with review_lock(folder):
            add_judgements(folder, [given])
            return self._write(folder, title, with_time, given)

    def confirm(self, folder: Path) -> ReviewEdit:
        """Give the verdict of the automatic judges; refused when it is hidden or not clear."""
        seen = self.of(folder)
        if not seen.automatic:
            raise UserError(
                _("There is no automatic verdict to confirm"),
                seen.hidden or _("no rule or model judged the trajectory, or they differ"),
                _("Give a verdict of your own"),
            )
        return self.judge(folder, seen.automatic)

    def judge_step(
        self, folder: Path, index: int, verdict: str, better: Action | None = None, reason: str = ""
    ) -> ReviewEdit:
        """Say whether step ``index``, from 0, was right; ``better`` is what would have been right instead."""
        subject = Subject(STEP, "", index, index)
        given = self._judgement(subject, verdict, reason, "")
        if better is not None:
            if verdict not in STEP_ERRORS:
                raise UserError(
                    _("A better action belongs to a step that is wrong"), "",
                    _("Use one of: {known}", known=", ".join(STEP_ERRORS)),
                )  # fmt: skip
            given = replace(given, better=action_to_dict(better))
        title = _("step {number}: {verdict}", number=index + 1, verdict=verdict_text(verdict))
        with review_lock(folder):
            add_judgements(folder, [given])
            return self._write(folder, title, lambda work: work, given)

    def label(self, folder: Path, title: str, change: LabelChange) -> ReviewEdit | None:
        """Change states and comments; None when nothing changes.

        Labels are part of a review, which they begin; given while the trajectory is recorded they begin none.
        """
        header = read_header(folder)
        names = self._names_of(header.task_id)

        def changed(work: ReviewWork) -> ReviewWork:
            named = replace(work.labels, reached=with_state_ids(work.labels.reached, names))
            after = change(named)
            return work if after == named else replace(work, labels=after)

        with review_lock(folder):
            if changed(work := read_work(folder, self.who)) == work:
                return None
            if header.status == RECORDING:
                return write_change(folder, self.who, title, changed)
            return self._write(folder, title, changed)

    def move_labels(self, folder: Path, change: LabelChange) -> ReviewEdit:
        """Move labels with steps that were edited: that is no review, and takes no time of one."""
        with review_lock(folder):
            return write_change(
                folder, self.who, _("labels"), lambda work: replace(work, labels=change(work.labels))
            )

    def tag(self, folder: Path, add: Iterable[str] = (), remove: Iterable[str] = ()) -> ReviewEdit | None:
        """Add and remove tags; None when nothing changes."""
        added, removed = [plain_tag(tag) for tag in add], set(remove)

        def change(work: ReviewWork) -> ReviewWork:
            kept = (tag for tag in (*work.record.tags, *added) if tag not in removed)
            return replace(work, record=replace(work.record, tags=tuple(dict.fromkeys(kept))))

        with review_lock(folder):
            if change(work := read_work(folder, self.who)) == work:
                return None
            return self._write(folder, _("tags"), change)

    def bookmark(self, folder: Path, bookmark: ReviewBookmark, *, on: bool) -> ReviewEdit | None:
        """Set a bookmark or take it away; None when nothing changes. It is no work on a review."""

        def change(work: ReviewWork) -> ReviewWork:
            kept = tuple(other for other in work.record.bookmarks if other != bookmark)
            marks = (*kept, bookmark) if on else kept
            return replace(work, record=replace(work.record, bookmarks=marks))

        with review_lock(folder):
            work = read_work(folder, self.who)
            if (bookmark in work.record.bookmarks) == on:
                return None
            title = _("bookmark at step {number}", number=bookmark.step + 1)
            return write_change(folder, self.who, title, change)

    # -- the status --------------------------------------------------------------
    def submit(self, folder: Path) -> ReviewEdit:
        """Say that the review is complete; it needs a verdict. From now on others' verdicts are shown.

        A review that was rejected is submitted again.
        """
        with review_lock(folder):
            own = read_reviews(folder).of(self.who)
            if own is None or own.verdict is None:
                raise UserError(
                    _("The review is not submitted"), _("it has no verdict"), _("Give a verdict first")
                )
            now = stamp(self.clock())

            def change(work: ReviewWork) -> ReviewWork:
                return _without_hold(replace(work, labels=replace(work.labels, submitted=now)))

            return self._write(folder, _("submit the review"), change)

    def skip(self, folder: Path) -> ReviewEdit:
        """Pass a trajectory over: it is nobody's, and comes again after all others."""
        now = stamp(self.clock())
        with review_lock(folder):
            return write_change(
                folder, self.who, _("skip"),
                lambda work: replace(work, record=replace(work.record, hold=None, skipped=now)),
            )  # fmt: skip

    # -- reviews of others -------------------------------------------------------
    def approve(self, folder: Path, of: str = "", note: str = "") -> ReviewEdit:
        """Approve a submitted review; ``of`` may be empty when there is one."""
        return self._decide(folder, of, APPROVED, note.strip())

    def reject(self, folder: Path, of: str = "", reason: str = "") -> ReviewEdit:
        """Reject a submitted review with a reason, in a sentence; who gave the review corrects it."""
        if not reason.strip():
            raise UserError(
                _("The review is not rejected"),
                _("a rejection needs a reason"),
                _("Say what is to be corrected"),
            )
        return self._decide(folder, of, REJECTED, reason.strip())

    def adjudicate(
        self, folder: Path, subject: Subject, verdict: str, reason: str = "", reason_id: str = ""
    ) -> ReviewEdit:
        """Decide what others disagree on: from now on this verdict counts above theirs, which stay.

        Of a state that was reached, ``subject`` has the step in ``first`` and ``last``. Refused when nobody
        disagrees, or the person is one of those who do.
        """
        judgement = replace(self._judgement(subject, verdict, reason, reason_id), settles=True)
        about = subject if subject.kind == STEP else Subject(subject.kind, subject.state)
        reviews = self._visible(folder)
        require_adjudicator(reviews, self.who, about)
        more = any(item.is_open and item.subject != about for item in reviews.disagreements)
        title = _("adjudicate {verdict}", verdict=verdict_text(verdict))
        with review_lock(folder):
            add_judgements(folder, [judgement])
            change: WorkChange = (lambda work: work) if more else _without_hold
            return write_change(folder, self.who, title, change, judgement)

    def undo(self, folder: Path) -> UndoneAct:
        """Take back the newest act of the person: a verdict, submission, approval, rejection, adjudication.

        What was before it counts again.
        """
        with review_lock(folder):
            newest = newest_act(read_reviews(folder), self.who)
            if newest is None:
                raise UserError(_("{who} has done nothing here that can be undone", who=self.who))
            if newest.judgement is not None:
                remove_judgement(folder, newest.judgement)
            edit = write_change(folder, self.who, _("undo"), newest.take_back)
            act = ReviewEdit(folder, newest.name, edit.after, edit.before, newest.judgement)
            return UndoneAct(newest.name, newest.time, act)

    # -- shared ------------------------------------------------------------------
    def _names_of(self, task_id: str) -> Mapping[str, str]:
        """The names of the states of a task, as old files say them."""
        task = self.project.task(task_id)
        return state_names(task, self.project.states) if task is not None else {}

    def _judgement(self, subject: Subject, verdict: str, reason: str, reason_id: str) -> Judgement:
        """A verdict of the person, given now."""
        if verdict not in VERDICTS[subject.kind]:
            raise UserError(
                _("{verdict} is no verdict here", verdict=verdict),
                "",
                _("Use one of: {known}", known=", ".join(VERDICTS[subject.kind])),
            )
        named = require_reason(reason_id, self.project.reasons).id if reason_id else ""
        now = stamp(self.clock())
        return Judgement(
            self.who, PERSON, "", subject, verdict, reason=reason.strip(), time=now, reason_id=named
        )

    def _write(
        self, folder: Path, title: str, change: WorkChange, judgement: Judgement | None = None
    ) -> ReviewEdit:
        """Make a change with the lock held; the time since the act before counts as work."""
        now = self.clock()

        def with_time(work: ReviewWork) -> ReviewWork:
            changed = change(work)
            return replace(changed, record=worked(changed.record, now))

        return write_change(folder, self.who, title, with_time, judgement)

    def _decide(self, folder: Path, of: str, status: str, reason: str) -> ReviewEdit:
        review = _review_of(self._visible(folder), self.who, of.strip())
        now = stamp(self.clock())
        digest = digest_of(review.labels, review.verdict)
        approval = ReviewApproval(review.who, status, reason, now, review.submitted, digest)
        if status == APPROVED:
            title = _("approve the review of {who}", who=review.who)
        else:
            title = _("reject the review of {who}", who=review.who)

        def change(work: ReviewWork) -> ReviewWork:
            approvals = (*work.record.approvals, approval)
            return _without_hold(replace(work, record=replace(work.record, approvals=approvals)))

        with review_lock(folder):
            return write_change(folder, self.who, title, change)

    def _visible(self, folder: Path) -> TrajectoryReviews:
        """All reviews of a trajectory. Raises UserError when the person works blind on it."""
        reviews = self.of(folder)
        _require_visible(reviews)
        return reviews


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


def _without_hold(work: ReviewWork) -> ReviewWork:
    """Release the hold of the person."""
    return replace(work, record=replace(work.record, hold=None, skipped=""))


def _review_of(reviews: TrajectoryReviews, who: str, of: str) -> PersonReview:
    """The submitted review that ``who`` decides on; ``of`` may be empty when there is one."""
    if of == who:
        raise UserError(_("Nobody approves an own review"), "", _("Another person approves or rejects it"))
    waiting = [review for review in reviews.reviews if review.submitted and review.who != who]
    chosen = [review for review in waiting if review.who == of] if of else waiting
    if len(chosen) == 1:
        return chosen[0]
    names = ", ".join(review.who for review in waiting)
    if of:
        what = _("{who} submitted no review of {id}", who=of, id=reviews.folder.name)
    elif waiting:
        what = _("Several reviews of {id} are submitted", id=reviews.folder.name)
    else:
        what = _("No other person submitted a review of {id}", id=reviews.folder.name)
    raise UserError(what, "", _("Name one of: {known}", known=names) if names else "")


def _require_visible(reviews: TrajectoryReviews) -> None:
    """Raise UserError when something of others is hidden from who decides on it."""
    if reviews.hidden:
        raise UserError(_("You cannot decide on reviews of others here"), reviews.hidden)


def require_adjudicator(reviews: TrajectoryReviews, who: str, subject: Subject | None = None) -> None:
    """Raise UserError unless others disagree on ``subject``, or on anything, and ``who`` is none of them."""
    _require_visible(reviews)
    about = reviews.folder.name if subject is None or subject.kind == TASK else subject_text(subject)
    disputed = [item for item in reviews.disagreements if subject is None or item.subject == subject]
    if not disputed:
        raise UserError(
            _("Nothing is to be adjudicated on {about}", about=about),
            _("submitted reviews and judges do not differ on it"),
        )
    own = reviews.of(who)
    if all(who in item.people for item in disputed) or (own is not None and own.submitted):
        raise UserError(
            _("You cannot adjudicate {about}", about=about),
            _("you reviewed it yourself"),
            _("A third person adjudicates, or all agree and submit again"),
        )
