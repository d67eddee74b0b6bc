"""The verdicts of all judges on the same subjects: how far they agree, and where they do not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path

from collector.judge.agreement import Agreement, Quality, agreement, quality
from collector.model.judgement import (
    PERSON,
    REACHED,
    STATE,
    SUCCESS,
    TASK,
    UNDECIDED,
    WINDOW,
    Judgement,
    Subject,
)

PEOPLE = "people"
"""Names all people as one reference: what was settled, else what most of them say."""
POSITIVE = {STATE: REACHED, TASK: SUCCESS}
"""By kind of subject, the verdict that precision and recall count."""


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
    steps: dict[str, int] = field(default_factory=dict)
    """Judge -> the step that reaches the state, counted from 0, of judges who name one."""
    people: tuple[str, ...] = ()
    """Judges who are people, in order of name."""
    settled: str = ""
    """The verdict that a person settled a disagreement with; empty without one."""
    folder: Path | None = None

    @property
    def is_disputed(self) -> bool:
        return len(set(self.votes.values())) > 1

    @property
    def name(self) -> str:
        """The essential state or the task it is about."""
        return self.state if self.kind == STATE else self.task

    @property
    def people_say(self) -> str:
        """The verdict of people as a whole: what was settled, else of most; empty when they are split."""
        if self.settled:
            return "" if self.settled == UNDECIDED else self.settled
        most = Counter(self.votes[who] for who in self.people).most_common(2)
        is_split = not most or (len(most) == 2 and most[0][1] == most[1][1])
        return "" if is_split else most[0][0]

    def is_disputed_by(self, judges: Iterable[str], tolerance: int = 0) -> bool:
        """Whether some of ``judges`` differ: in the verdict, or in the step by more than ``tolerance``."""
        group = list(judges)
        verdicts = {self.votes[judge] for judge in group if judge in self.votes}
        steps = [self.steps[judge] for judge in group if judge in self.steps]
        return len(verdicts) > 1 or (len(steps) > 1 and max(steps) - min(steps) > tolerance)


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


def voted_subjects(
    trajectory: str,
    task: str,
    judgements: Iterable[Judgement],
    settled: Mapping[Subject, Judgement] | None = None,
    folder: Path | None = None,
) -> list[VotedSubject]:
    """The subjects of one trajectory with their votes.

    ``judgements`` are those that count: the newest of each judge on each subject. A judge of windows saw a
    state reached that it saw in any window, unless it judged the state as a whole.
    """
    votes: dict[tuple[str, str], dict[str, Judgement]] = {}
    ordered = sorted(judgements, key=lambda item: item.subject.kind == WINDOW)
    for item in ordered:
        kind = STATE if item.subject.kind == WINDOW else item.subject.kind
        given = votes.setdefault((kind, item.subject.state), {})
        if item.subject.kind != WINDOW or _is_better_window(given.get(item.judge), item):
            given[item.judge] = item
    final = {(subject.kind, subject.state): item.verdict for subject, item in (settled or {}).items()}
    return [
        _subject(trajectory, task, key, given, final.get(key, ""), folder)
        for key, given in votes.items()
        if any(item.verdict != UNDECIDED for item in given.values())
    ]


def _is_better_window(before: Judgement | None, window: Judgement) -> bool:
    """Whether a window says more than what its judge said before: the first in which the state was seen."""
    if before is None:
        return True
    if before.subject.kind != WINDOW:
        return False
    if REACHED in (before.verdict, window.verdict) and before.verdict != window.verdict:
        return window.verdict == REACHED
    if before.verdict == REACHED:
        return (window.subject.last or 0) < (before.subject.last or 0)
    return before.verdict == UNDECIDED


def _subject(
    trajectory: str, task: str, key: tuple[str, str], given: Mapping[str, Judgement], settled: str,
    folder: Path | None,
) -> VotedSubject:  # fmt: skip
    decided = {judge: item for judge, item in given.items() if item.verdict != UNDECIDED}
    return VotedSubject(
        trajectory,
        task,
        *key,
        {judge: item.verdict for judge, item in decided.items()},
        {
            judge: item.subject.last
            for judge, item in decided.items()
            if item.verdict == REACHED and item.subject.last is not None
        },
        tuple(sorted(judge for judge, item in decided.items() if item.kind == PERSON)),
        settled,
        folder,
    )


def judges_of(subjects: Iterable[VotedSubject]) -> tuple[list[str], list[str]]:
    """All judges with a vote, and those among them who are people; in order of name."""
    judges: set[str] = set()
    people: set[str] = set()
    for subject in subjects:
        judges.update(subject.votes)
        people.update(subject.people)
    return sorted(judges), sorted(people)


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
        of_kind = [subject for subject in subjects if subject.kind == kind]
        names = sorted({subject.name for subject in of_kind})
        for group in groups_of(judges, people):
            for name in ("", *names):
                chosen = [subject for subject in of_kind if not name or subject.name == name]
                row = agreement_row(chosen, group, kind, name, tolerance=tolerance)
                if row.agreement.subjects:
                    rows.append(row)
    return rows


def agreement_row(
    subjects: Sequence[VotedSubject], judges: Sequence[str], kind: str, of: str = "", *, tolerance: int = 0
) -> AgreementRow:
    """The agreement of some judges on subjects of one kind; only those that all of them judged count."""
    group = tuple(judges)
    common = [subject for subject in subjects if all(judge in subject.votes for judge in group)]
    stepped = [subject for subject in common if all(judge in subject.steps for judge in group)]
    same = [subject for subject in stepped if not subject.is_disputed_by(group, tolerance)]
    return AgreementRow(
        group,
        kind,
        of,
        agreement([{judge: subject.votes[judge] for judge in group} for subject in common]),
        sum(any(judge in subject.votes for judge in group) for subject in subjects),
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
    _judges, people = judges_of(subjects)
    left_out = set(people) if against == PEOPLE else {against}
    rows = []
    for kind in (STATE, TASK):
        of_kind = [(subject, _reference(subject, against)) for subject in subjects if subject.kind == kind]
        for judge in judges:
            pairs = [
                (subject.votes[judge] == POSITIVE[kind], truth == POSITIVE[kind])
                for subject, truth in of_kind
                if truth and judge in subject.votes
            ]
            if judge not in left_out and pairs:
                rows.append(QualityRow(judge, kind, quality(pairs)))
    return rows


def _reference(subject: VotedSubject, against: str) -> str:
    return subject.people_say if against == PEOPLE else subject.votes.get(against, "")
