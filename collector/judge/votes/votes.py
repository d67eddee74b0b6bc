"""The verdicts of all judges on the same subjects: how far they agree, and where they do not."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from collector.judge.votes.agreement import Agreement, Quality, agreement, quality
from collector.model.verdicts.judgement import REACHED, STATE, SUCCESS, TASK
from collector.model.verdicts.voted_subject import PEOPLE, VotedSubject, judges_of

POSITIVE = {STATE: REACHED, TASK: SUCCESS}
"""By kind of subject, the verdict that precision and recall count."""


@dataclass(frozen=True, slots=True)
class AgreementRow:
    """The agreement of some judges on some subjects."""

    judges: tuple[str, ...]
    kind: str
    of: str
    """The essential state or the task they are about; empty for all together."""
    agreement: Agreement
    judged_by_some: int = 0
    """Number of subjects that at least one of the judges judged."""
    same_step: float | None = None
    """Of the states that all of them saw reached at a known step: percentage with the same one."""
    with_steps: int = 0
    """Number of these states."""


@dataclass(frozen=True, slots=True)
class QualityRow:
    """A judge's verdicts against those of a reference."""

    judge: str
    kind: str
    """state (A3's essential state level) or task."""
    quality: Quality


def groups_of(judges: Sequence[str], people: Sequence[str]) -> list[tuple[str, ...]]:
    """Each pair of judges; all people, and all judges, when they are more than two."""
    groups: list[tuple[str, ...]] = list(combinations(judges, 2))
    for several in (tuple(people), tuple(judges)):
        if len(several) > 2 and several not in groups:
            groups.append(several)
    return groups


def agreement_rows(
    subjects: Sequence[VotedSubject], judges: Sequence[str], people: Sequence[str] = (), *, tolerance: int = 0
) -> list[AgreementRow]:
    """Each group of :func:`groups_of`; in all, by task and by state.

    Steps are the same when they are at most ``tolerance`` apart.
    """
    rows = []
    for kind in (TASK, STATE):
        by_name: dict[str, list[VotedSubject]] = {"": []}
        for subject in subjects:
            if subject.kind == kind:
                by_name[""].append(subject)
                by_name.setdefault(subject.name, []).append(subject)
        for group in groups_of(judges, people):
            for name in sorted(by_name):
                row = agreement_row(by_name[name], group, kind, name, tolerance=tolerance)
                if row.agreement.subjects:
                    rows.append(row)
    return rows


def agreement_row(
    subjects: Sequence[VotedSubject], judges: Sequence[str], kind: str, of: str = "", *, tolerance: int = 0
) -> AgreementRow:
    """The agreement of some judges on subjects of one kind; only those that all of them judged count."""
    group, every = tuple(judges), set(judges)
    common = [subject for subject in subjects if every <= subject.votes.keys()]
    stepped = [subject for subject in common if every <= subject.steps.keys()]
    same = [subject for subject in stepped if not subject.is_disputed_by(group, tolerance)]
    return AgreementRow(
        group,
        kind,
        of,
        agreement([{judge: subject.votes[judge] for judge in group} for subject in common]),
        sum(not every.isdisjoint(subject.votes) for subject in subjects),
        100 * len(same) / len(stepped) if stepped else None,
        len(stepped),
    )


def disputed(
    subjects: Iterable[VotedSubject], judges: Sequence[str], *, tolerance: int = 0
) -> list[VotedSubject]:
    """The subjects on which some of ``judges`` differ, in verdict or step; by task, trajectory and state."""
    found = [subject for subject in subjects if subject.is_disputed_by(judges, tolerance)]
    return sorted(found, key=lambda item: (item.task, item.trajectory, item.kind != TASK, item.state))


def quality_rows(subjects: Sequence[VotedSubject], judges: Sequence[str], against: str) -> list[QualityRow]:
    """Every other judge against the reference ``against``, as A3's Table 2: by state and by task.

    Against :data:`PEOPLE` the judges are those that are not people themselves; subjects on which people are
    split do not count.
    """
    rows = []
    for kind in (STATE, TASK):
        for judge in judges_against(subjects, judges, against):
            pairs = [(says, is_true) for _subject, says, is_true in compared(subjects, judge, against, kind)]
            if pairs:
                rows.append(QualityRow(judge, kind, quality(pairs)))
    return rows


def judges_against(subjects: Sequence[VotedSubject], judges: Sequence[str], against: str) -> list[str]:
    """Those of ``judges`` that can be compared with a reference: it is not they, nor one of them people."""
    left_out = set(judges_of(subjects)[1]) if against == PEOPLE else {against}
    return [judge for judge in judges if judge not in left_out]


def compared(
    subjects: Iterable[VotedSubject], judge: str, against: str, kind: str
) -> list[tuple[VotedSubject, bool, bool]]:
    """The subjects of a kind that both judged, with whether the judge and the reference say yes.

    Subjects on which people are split do not count against :data:`PEOPLE`.
    """
    positive = POSITIVE[kind]
    return [
        (subject, subject.votes[judge] == positive, truth == positive)
        for subject in subjects
        if subject.kind == kind and judge in subject.votes and (truth := verdict_of(subject, against))
    ]


def verdict_of(subject: VotedSubject, against: str) -> str:
    """What a judge, or people as a whole, say of a subject; empty when they do not."""
    return subject.people_say if against == PEOPLE else subject.votes.get(against, "")
