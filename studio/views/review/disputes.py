"""What people and judges disagree on in a trajectory, in words, with the verdicts that could settle it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from collector.model.episode_text import verdict_text
from collector.model.i18n import _
from collector.model.verdicts.failure_reason import FailureReason, reason_text
from collector.model.verdicts.judgement import REACHED, STATE, TASK, VERDICTS, Judgement
from collector.model.verdicts.voted_subject import given_verdicts
from collector.review.trajectory_reviews import TrajectoryReviews
from collector.store.trajectory.reviews.review_disagreements import ON_REASON, ReviewDisagreement
from studio.widgets.dialogs.judge_dialog import Dispute, VerdictChoice

LabelOf = Callable[[str], str]
"""The name of an essential state, by its id."""


@dataclass(frozen=True, slots=True)
class DisputeRow:
    """One disagreement, as the panel shows it."""

    title: str
    votes: str
    settled: str
    """Who settled it, and how; empty while it is open."""


def dispute_rows(
    reviews: TrajectoryReviews, label_of: LabelOf, reasons: Sequence[FailureReason]
) -> list[DisputeRow]:
    """All disagreements, those that are open first."""
    return [
        DisputeRow(_title(item, label_of), _votes(item, reasons), _settled(item.settled))
        for item in sorted(reviews.disagreements, key=lambda item: not item.is_open)
    ]


def disputes_to_settle(
    reviews: TrajectoryReviews, label_of: LabelOf, reasons: Sequence[FailureReason], step: int | None
) -> list[Dispute]:
    """What can be adjudicated, open ones first; ``step`` is on show, and can be chosen for a state."""
    return [
        Dispute(_title(item, label_of), _votes(item, reasons), *_choices(item, reviews.automatic, step))
        for item in sorted(reviews.disagreements, key=lambda item: not item.is_open)
    ]


def _title(item: ReviewDisagreement, label_of: LabelOf) -> str:
    if item.subject.kind == TASK:
        return _("The task")
    if item.subject.first is not None:
        return _("Step {number}", number=item.subject.first + 1)
    return label_of(item.subject.state)


def _votes(item: ReviewDisagreement, reasons: Sequence[FailureReason]) -> str:
    """Who says what."""
    if item.on == ON_REASON:
        said = [(who, reason_text(reason, reasons)) for who, reason in sorted(item.reasons.items())]
    else:
        given = given_verdicts(item.votes, item.steps)
        said = [(", ".join(judges), _what(verdict, step)) for (verdict, step), judges in given.items()]
    return "; ".join(f"{who}: {what}" for who, what in said)


def _settled(judgement: Judgement | None) -> str:
    if judgement is None:
        return ""
    step = judgement.subject.last if judgement.verdict == REACHED else None
    return _("{who} decided: {what}", who=judgement.judge, what=_what(judgement.verdict, step))


def _what(verdict: str, step: int | None) -> str:
    return _("reached at step {step}", step=step + 1) if step is not None else verdict_text(verdict)


def _choices(
    item: ReviewDisagreement, automatic: str, step: int | None
) -> tuple[tuple[VerdictChoice, ...], int]:
    """Every verdict on the subject, a state with each step that was named; and the place of the first."""
    given = given_verdicts(item.votes, item.steps)
    if item.subject.kind == STATE and step is not None:
        given.setdefault((REACHED, step), [])
    for verdict in VERDICTS[item.subject.kind]:
        if all(known != verdict for known, _step in given):
            given[verdict, None] = []
    order = VERDICTS[item.subject.kind]
    ordered = sorted(given, key=lambda key: (order.index(key[0]), key[1] if key[1] is not None else -1))
    choices = tuple(
        VerdictChoice(
            item.subject if at is None else replace(item.subject, first=at, last=at), verdict,
            " · ".join(filter(None, (_what(verdict, at), ", ".join(given[verdict, at])))),
        )
        for verdict, at in ordered
    )  # fmt: skip
    said = [len(given[key]) for key in ordered]  # what most say is there at the beginning
    first = [place for place, choice in enumerate(choices) if choice.verdict == automatic]
    return choices, first[0] if first else said.index(max(said))
