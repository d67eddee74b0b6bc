"""The verdicts of all judges on the same subjects: how far they agree, and where they do not."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from collector.judge.agreement import Agreement, Quality, agreement, quality
from collector.model.judgement import REACHED, STATE, SUCCESS, TASK, UNDECIDED, Judgement


@dataclass(frozen=True, slots=True)
class VotedSubject:
    """A task or an essential state of one trajectory, with every judge's verdict that counts."""

    trajectory: str
    task: str
    kind: str
    """task or state."""
    state: str
    """Id of the essential state; empty for a task."""
    votes: dict[str, str]
    """Judge -> verdict; a judge who could not say has no vote."""

    @property
    def is_disputed(self) -> bool:
        return len(set(self.votes.values())) > 1


@dataclass(frozen=True, slots=True)
class AgreementRow:
    """The agreement of some judges on some subjects."""

    judges: tuple[str, ...]
    kind: str
    of: str
    """The essential state or the task they are about; empty for all together."""
    agreement: Agreement


@dataclass(frozen=True, slots=True)
class QualityRow:
    """A judge's verdicts against those of a reference."""

    judge: str
    kind: str
    """state (A3's essential state level) or task."""
    quality: Quality


def voted_subjects(trajectory: str, task: str, judgements: Iterable[Judgement]) -> list[VotedSubject]:
    """The subjects of one trajectory with their votes.

    ``judgements`` are those that count: the newest of each judge on each subject.
    """
    votes: dict[tuple[str, str], dict[str, str]] = {}
    for item in judgements:
        if item.subject.kind in (TASK, STATE) and item.verdict != UNDECIDED:
            votes.setdefault((item.subject.kind, item.subject.state), {})[item.judge] = item.verdict
    return [VotedSubject(trajectory, task, kind, state, given) for (kind, state), given in votes.items()]


def agreement_rows(subjects: Sequence[VotedSubject], judges: Sequence[str]) -> list[AgreementRow]:
    """Each pair of judges, and all of them when they are more; in all, by task and by state."""
    rows = []
    groups = [*combinations(judges, 2), *([tuple(judges)] if len(judges) > 2 else [])]
    for kind in (TASK, STATE):
        of_kind = [subject for subject in subjects if subject.kind == kind]
        names = sorted({_name(subject) for subject in of_kind})
        for group in groups:
            for name in ("", *names):
                chosen = [subject for subject in of_kind if not name or _name(subject) == name]
                found = _agreement(chosen, group)
                if found.subjects:
                    rows.append(AgreementRow(tuple(group), kind, name, found))
    return rows


def quality_rows(subjects: Sequence[VotedSubject], judges: Sequence[str], against: str) -> list[QualityRow]:
    """Every other judge against the reference ``against``, as A3's Table 2: by state and by task."""
    positive = {STATE: REACHED, TASK: SUCCESS}
    rows = []
    for kind in (STATE, TASK):
        for judge in judges:
            pairs = [
                (subject.votes[judge] == positive[kind], subject.votes[against] == positive[kind])
                for subject in subjects
                if subject.kind == kind and judge in subject.votes and against in subject.votes
            ]
            if judge != against and pairs:
                rows.append(QualityRow(judge, kind, quality(pairs)))
    return rows


def _agreement(subjects: Sequence[VotedSubject], judges: Sequence[str]) -> Agreement:
    given = [{judge: subject.votes.get(judge) for judge in judges} for subject in subjects]
    return agreement([votes for votes in given if None not in votes.values()])


def _name(subject: VotedSubject) -> str:
    return subject.state if subject.kind == STATE else subject.task
