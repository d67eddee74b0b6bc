"""Who did what and when in the reviews of a trajectory, from its files."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from collector.model.episode_text import subject_text, verdict_text
from collector.model.i18n import _
from collector.model.verdicts.judgement import PERSON, STEP, TASK
from collector.model.verdicts.review import APPROVED
from collector.review.trajectory_reviews import TrajectoryReviews


@dataclass(frozen=True, slots=True)
class ReviewAct:
    """One act of a person."""

    time: str
    """ISO 8601, UTC."""
    who: str
    act: str
    """open, verdict, submit, approve, reject or adjudicate."""
    sentence: str


def history_of(reviews: TrajectoryReviews) -> tuple[ReviewAct, ...]:
    """The acts in the order they were done; what was undone or is hidden is not among them."""
    return tuple(sorted(_acts(reviews), key=lambda act: (act.time, act.who, act.act)))


def _acts(reviews: TrajectoryReviews) -> Iterator[ReviewAct]:
    for who, work in reviews.works.items():
        if work.record.opened:
            yield ReviewAct(work.record.opened, who, "open", _("{who} began the review", who=who))
        if work.labels.submitted:
            submitted = _("{who} submitted the review", who=who)
            yield ReviewAct(work.labels.submitted, who, "submit", submitted)
        for item in work.record.approvals:
            values = {"who": who, "of": item.of, "reason": item.reason or "-"}
            if item.status == APPROVED:
                yield ReviewAct(item.time, who, "approve", _("{who} approved the review of {of}", **values))
            else:
                said = _("{who} rejected the review of {of}: {reason}", **values)
                yield ReviewAct(item.time, who, "reject", said)
    for judgement in reviews.all_judgements:
        if judgement.kind != PERSON or not (judgement.settles or judgement.subject.kind in (TASK, STEP)):
            continue
        values = {"who": judgement.judge, "verdict": verdict_text(judgement.verdict)}
        if judgement.settles:
            about = subject_text(judgement.subject)
            said = _("{who} adjudicated {about}: {verdict}", about=about, **values)
            yield ReviewAct(judgement.time, judgement.judge, "adjudicate", said)
        elif judgement.subject.kind == STEP:
            said = _("{who} said of {about}: {verdict}", about=subject_text(judgement.subject), **values)
            yield ReviewAct(judgement.time, judgement.judge, "step", said)
        else:
            said = _("{who} gave the verdict {verdict}", **values)
            yield ReviewAct(judgement.time, judgement.judge, "verdict", said)
