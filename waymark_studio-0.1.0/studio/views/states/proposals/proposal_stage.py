"""How far the proposals of a task are for the person at work, and what that person can do next."""

from __future__ import annotations

from enum import StrEnum

from collector.model.i18n import _
from studio.bridge.review.task_review import TaskReview


class ProposalStage(StrEnum):
    """What the person at work can do with the proposals of a task."""

    START = "start"
    """Nothing is proposed by the person, who can be an operator."""
    OPEN = "open"
    """The own proposal is not signed."""
    SIGNED = "signed"
    """The own proposal is signed; the other one is not."""
    DEFINE = "define"
    """Both are signed: the differences are to be settled."""
    STALE = "stale"
    """A proposal was changed since both were aligned."""
    FINISHED = "finished"
    """The agreed states are written."""
    WATCH = "watch"
    """The person is none of the operators."""


def stage_of(review: TaskReview) -> ProposalStage:
    """The stage of the proposals for the person of ``review``."""
    own = review.own
    if own is None:
        return ProposalStage.START if review.may_propose else ProposalStage.WATCH
    if not own.signed:
        return ProposalStage.OPEN
    if review.person not in review.operators:
        return ProposalStage.WATCH
    if review.alignment is None:
        return ProposalStage.SIGNED
    if review.stale_reason:
        return ProposalStage.STALE
    definition = review.definition
    return ProposalStage.FINISHED if definition is not None and definition.finished else ProposalStage.DEFINE


def stage_sentence(review: TaskReview, stage: ProposalStage) -> str:
    """What the stage is, in one line."""
    others = [who for who in review.work.operators if who != review.person]
    other = others[0] if others else ""
    if stage is ProposalStage.START:
        return _("Propose the states that your own golden trajectory shows; nobody sees them until you sign")
    if stage is ProposalStage.OPEN:
        return _("Your proposal is open: add its states, then sign it")
    if stage is ProposalStage.SIGNED:
        if not other:
            return _("Your proposal is signed; a second operator is missing")
        return _("Your proposal is signed; {who} has not signed yet", who=other)
    if stage is ProposalStage.DEFINE:
        return _("two operators, written blind from two golden trajectories")
    if stage is ProposalStage.STALE:
        return review.stale_reason
    if stage is ProposalStage.FINISHED:
        objections = _objections(review)
        if objections:
            return _("The audit sent the states back: {note}", note=objections)
        return _("agreed, and written into rules/states.yaml")
    return _watched(review)


def _objections(review: TaskReview) -> str:
    """The notes of a signed audit that rejects the states as they were defined last; empty without one."""
    definition = review.definition
    finished = definition.finished if definition is not None else ""
    rejecting = (
        audit
        for audit in review.work.audits
        if audit.signed and audit.has_rejected and audit.definition == finished
    )
    return next((audit.objections for audit in rejecting), "")


def _watched(review: TaskReview) -> str:
    definition = review.definition
    if review.alignment is None and definition is not None and definition.finished:
        return _("Two operators agreed on the states; you see their proposals when your audit is signed")
    if review.alignment is None:
        return _("Two operators propose the states of this task")
    if definition is None or not definition.finished:
        return _("Both operators have signed; they have not agreed yet")
    return _("agreed, and written into rules/states.yaml")
