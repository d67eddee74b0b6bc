"""Decide on reviews of others: approve, reject with a reason, adjudicate, and take the newest act back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from collector.judge.person_judge import settle
from collector.model.episode_text import verdict_text
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.judgement import TASK, VERDICTS, Judgement, Subject
from collector.model.review import APPROVED, REJECTED, ReviewApproval
from collector.review.review_clock import stamp
from collector.review.review_edit import ReviewEdit, write_change
from collector.review.reviewing import Reviewing
from collector.review.trajectory_reviews import TrajectoryReviews, read_reviews
from collector.store.judgements import remove_judgement
from collector.store.person_reviews import PersonReview, digest_of
from collector.store.review_lock import review_lock
from collector.store.review_records import ReviewWork


@dataclass(frozen=True, slots=True)
class UndoneAct:
    """The act of a person that was taken back."""

    act: str
    """verdict, submit, approve, reject or adjudicate."""
    time: str
    edit: ReviewEdit
    """Its redo makes the act again."""


class Deciding:
    """What a person decides on a trajectory that others reviewed. Any thread may call."""

    def __init__(self, reviewing: Reviewing) -> None:
        self._reviewing = reviewing
        self.who = reviewing.who

    def approve(self, folder: Path, of: str = "", note: str = "") -> ReviewEdit:
        """Approve a submitted review; ``of`` may be empty when there is one. Raises UserError, StoreError."""
        return self._decide(folder, of, APPROVED, note.strip())

    def reject(self, folder: Path, of: str = "", reason: str = "") -> ReviewEdit:
        """Reject a submitted review with a reason; who gave it corrects it. Raises UserError, StoreError."""
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
        """Settle what others disagree on: from now on this verdict counts above theirs, which stay.

        Of a state that was reached, ``subject`` has the step in ``first`` and ``last``. Raises UserError when
        nobody disagrees, or the person is one of those who do, and StoreError.
        """
        if verdict not in VERDICTS.get(subject.kind, ()):
            raise UserError(
                _("{verdict} is no verdict here", verdict=verdict),
                "",
                _("Use one of: {known}", known=", ".join(VERDICTS[subject.kind])),
            )
        self._reviewing.require_reason(reason_id)
        reviews, about = self._visible(folder), Subject(subject.kind, subject.state)
        self._require_third_person(reviews, about)
        more = any(item.is_open and item.subject != about for item in reviews.disagreements)
        with review_lock(folder):
            time = stamp(self._reviewing.clock())
            judgement = settle(folder, self.who, subject, verdict, reason, reason_id, time)
            title = _("adjudicate {verdict}", verdict=verdict_text(verdict))
            return write_change(folder, self.who, title, _same if more else _let_go, judgement)

    def undo(self, folder: Path) -> UndoneAct:
        """Take back the newest act of the person: a verdict, submission, approval, rejection, adjudication.

        What was before it counts again. Raises UserError when there is none, and StoreError.
        """
        with review_lock(folder):
            acts = _acts_of(read_reviews(folder), self.who)
            if not acts:
                raise UserError(_("{who} has done nothing here that can be undone", who=self.who))
            newest = max(acts, key=lambda act: (act.time, act.rank))
            if newest.judgement is not None:
                remove_judgement(folder, newest.judgement)
            edit = write_change(folder, self.who, _("undo"), newest.take_back)
            act = ReviewEdit(folder, newest.name, edit.after, edit.before, newest.judgement)
            return UndoneAct(newest.name, newest.time, act)

    # -- checks ------------------------------------------------------------------
    def _decide(self, folder: Path, of: str, status: str, reason: str) -> ReviewEdit:
        review = self._review_of(self._visible(folder), of.strip())
        now = stamp(self._reviewing.clock())
        digest = digest_of(review.labels, review.verdict)
        approval = ReviewApproval(review.who, status, reason, now, review.submitted, digest)
        if status == APPROVED:
            title = _("approve the review of {who}", who=review.who)
        else:
            title = _("reject the review of {who}", who=review.who)

        def change(work: ReviewWork) -> ReviewWork:
            approvals = (*work.record.approvals, approval)
            return _let_go(replace(work, record=replace(work.record, approvals=approvals)))

        with review_lock(folder):
            return write_change(folder, self.who, title, change)

    def _visible(self, folder: Path) -> TrajectoryReviews:
        """All reviews of a trajectory. Raises UserError when the person works blind on it."""
        reviews = self._reviewing.of(folder)
        if reviews.hidden:
            raise UserError(_("You cannot decide on reviews of others here"), reviews.hidden)
        return reviews

    def _review_of(self, reviews: TrajectoryReviews, of: str) -> PersonReview:
        waiting = [review for review in reviews.reviews if review.submitted and review.who != self.who]
        if of == self.who:
            raise UserError(
                _("Nobody approves an own review"), "", _("Another person approves or rejects it")
            )
        chosen = [review for review in waiting if review.who == of] if of else waiting
        if len(chosen) == 1:
            return chosen[0]
        names = ", ".join(review.who for review in waiting)
        if of:
            what, why = _("{who} submitted no review of {id}", who=of, id=reviews.folder.name), ""
        elif waiting:
            what, why = _("Several reviews of {id} are submitted", id=reviews.folder.name), ""
        else:
            what, why = _("No other person submitted a review of {id}", id=reviews.folder.name), ""
        raise UserError(what, why, _("Name one of: {known}", known=names) if names else "")

    def _require_third_person(self, reviews: TrajectoryReviews, subject: Subject) -> None:
        about = subject.state or reviews.folder.name
        disagreement = next((item for item in reviews.disagreements if item.subject == subject), None)
        if disagreement is None:
            raise UserError(
                _("Nothing is to be adjudicated on {about}", about=about),
                _("submitted reviews and judges do not differ on it"),
            )
        own = reviews.of(self.who)
        if self.who in disagreement.people or (own is not None and own.submitted):
            raise UserError(
                _("You cannot adjudicate {about}", about=about),
                _("you reviewed it yourself"),
                _("A third person adjudicates, or all agree and submit again"),
            )


@dataclass(frozen=True, slots=True)
class _Act:
    """Something a person did that can be taken back."""

    name: str
    time: str
    rank: int
    """Of acts at the same time the highest is the newest."""
    take_back: Callable[[ReviewWork], ReviewWork]
    judgement: Judgement | None = None


def _acts_of(reviews: TrajectoryReviews, who: str) -> list[_Act]:
    acts = [
        _Act("adjudicate" if item.settles else "verdict", item.time, 3 if item.settles else 0, _same, item)
        for item in reviews.all_judgements
        if item.judge == who and (item.settles or item.subject.kind == TASK)
    ]
    work = reviews.work_of(who)
    if work.labels.submitted:
        acts.append(_Act("submit", work.labels.submitted, 1, _not_submitted))
    if work.record.approvals:
        newest = work.record.approvals[-1]
        name = "approve" if newest.status == APPROVED else "reject"
        acts.append(_Act(name, newest.time, 2, _without_newest_approval))
    return acts


def _same(work: ReviewWork) -> ReviewWork:
    return work


def _let_go(work: ReviewWork) -> ReviewWork:
    """The work without its hold: what was to be decided is."""
    return replace(work, record=replace(work.record, hold=None, skipped=""))


def _not_submitted(work: ReviewWork) -> ReviewWork:
    return replace(work, labels=replace(work.labels, submitted=""))


def _without_newest_approval(work: ReviewWork) -> ReviewWork:
    return replace(work, record=replace(work.record, approvals=work.record.approvals[:-1]))
