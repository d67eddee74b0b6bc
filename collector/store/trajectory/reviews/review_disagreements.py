"""What judges and people disagree on in one trajectory: its verdict, reason, essential states and steps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from collector.model.verdicts.judgement import PERSON, STEP, SUCCESS, TASK, UNDECIDED, Judgement, Subject
from collector.model.verdicts.voted_subject import VotedSubject, voted_subjects

ON_VERDICT, ON_STEP, ON_REASON = "verdict", "step", "reason"


@dataclass(frozen=True, slots=True)
class ReviewDisagreement:
    """One subject that judges say different things of."""

    subject: Subject
    """The task, an essential state, or a step."""
    on: str
    """verdict; step when people saw the state reached at different steps; reason when they name others."""
    votes: Mapping[str, str]
    """Judge -> verdict."""
    steps: Mapping[str, int] = field(default_factory=dict)
    """Judge -> the step that reaches the state, counted from 0."""
    reasons: Mapping[str, str] = field(default_factory=dict)
    """Person -> id of the reason of a failure."""
    people: tuple[str, ...] = ()
    """Judges who are people."""
    settled: Judgement | None = None
    """The verdict it was settled with; None while it is open."""

    @property
    def is_open(self) -> bool:
        return self.settled is None


def disagreements_of(
    judgements: Iterable[Judgement], settled: Mapping[Subject, Judgement], drafts: Iterable[str] = ()
) -> tuple[ReviewDisagreement, ...]:
    """The disagreements of one trajectory: on the task, on states in order of id, then on steps.

    ``judgements`` are those that count, ``drafts`` the people whose reviews are not submitted: they have no
    vote yet.
    """
    without = set(drafts)
    given = [item for item in judgements if not (item.kind == PERSON and item.judge in without)]
    reasons = {
        item.judge: item.reason_id
        for item in given
        if item.kind == PERSON and item.subject.kind == TASK and item.reason_id and item.verdict != SUCCESS
    }
    ordered = sorted(voted_subjects("", "", given), key=lambda subject: (subject.kind != TASK, subject.state))
    found = []
    for voted in ordered:
        named = reasons if voted.kind == TASK else {}
        on = _differs_on(voted, named)
        if on:
            subject = Subject(voted.kind, voted.state)
            found.append(
                ReviewDisagreement(
                    subject, on, dict(voted.votes), dict(voted.steps), dict(named), voted.people,
                    settled.get(subject),
                )
            )  # fmt: skip
    return (*found, *_on_steps(given, settled))


def _on_steps(
    judgements: Iterable[Judgement], settled: Mapping[Subject, Judgement]
) -> Iterator[ReviewDisagreement]:
    """The steps of which people say different things. Models judge every step: they ask nobody to decide."""
    votes: dict[Subject, dict[str, str]] = {}
    for item in judgements:
        if item.subject.kind == STEP and item.kind == PERSON and item.verdict != UNDECIDED:
            votes.setdefault(item.subject, {})[item.judge] = item.verdict
    for subject in sorted(votes, key=lambda subject: subject.first or 0):
        given = votes[subject]
        if len(set(given.values())) > 1:
            people = tuple(sorted(given))
            yield ReviewDisagreement(subject, ON_VERDICT, given, people=people, settled=settled.get(subject))


def has_open_disagreement(
    judgements: Iterable[Judgement], settled: Mapping[Subject, Judgement], drafts: Iterable[str] = ()
) -> bool:
    """Whether something of a trajectory is still to be settled."""
    return any(item.is_open for item in disagreements_of(judgements, settled, drafts))


def _differs_on(voted: VotedSubject, reasons: Mapping[str, str]) -> str:
    """What judges differ on; empty when they agree. Steps and reasons are compared between people alone."""
    if len(set(voted.votes.values())) > 1:
        return ON_VERDICT
    if voted.is_disputed_by(voted.people):
        return ON_STEP
    return ON_REASON if len(set(reasons.values())) > 1 else ""
