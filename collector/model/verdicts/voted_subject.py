"""The verdicts of all judges on a task or an essential state, and what people as a whole say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from collector.model.verdicts.judgement import (
    PERSON,
    REACHED,
    STATE,
    STEP,
    UNDECIDED,
    WINDOW,
    Judgement,
    Subject,
)

PEOPLE = "people"
"""Names all people as one judge: what was settled, else what most of them say."""


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
    settled_step: int | None = None
    """The step that reaches the state, as it was settled; None when no step was named."""

    @property
    def name(self) -> str:
        """The essential state or the task it is about."""
        return self.state if self.kind == STATE else self.task

    @property
    def people_say(self) -> str:
        """The verdict of people as a whole: what was settled, else of most; empty when they are split."""
        if self.settled:
            return "" if self.settled == UNDECIDED else self.settled
        return most_say(self.votes[who] for who in self.people)

    def is_disputed_by(self, judges: Iterable[str], tolerance: int = 0) -> bool:
        """Whether some of ``judges`` differ: in the verdict, or in the step by more than ``tolerance``."""
        group = list(judges)
        verdicts = {self.votes[judge] for judge in group if judge in self.votes}
        steps = [self.steps[judge] for judge in group if judge in self.steps]
        return len(verdicts) > 1 or (len(steps) > 1 and max(steps) - min(steps) > tolerance)


def most_say(verdicts: Iterable[str]) -> str:
    """The verdict that most people gave; empty when they are split, and without any."""
    most = Counter(verdicts).most_common(2)
    is_split = not most or (len(most) == 2 and most[0][1] == most[1][1])
    return "" if is_split else most[0][0]


def given_verdicts(
    votes: Mapping[str, str], steps: Mapping[str, int]
) -> dict[tuple[str, int | None], list[str]]:
    """Who gave each verdict, by the verdict and the step that reaches the state; judges in order of name."""
    given: dict[tuple[str, int | None], list[str]] = {}
    for judge in sorted(votes):
        given.setdefault((votes[judge], steps.get(judge)), []).append(judge)
    return given


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
    votes = judged_subjects(judgements)
    final = {
        (subject.kind, subject.state): item
        for subject, item in (settled or {}).items()
        if subject.kind != STEP
    }
    for key in final:  # it counts, also when nobody else could say
        votes.setdefault(key, {})
    return [
        _subject(trajectory, task, key, given, final.get(key), folder)
        for key, given in votes.items()
        if key in final or any(item.verdict != UNDECIDED for item in given.values())
    ]


def judged_subjects(judgements: Iterable[Judgement]) -> dict[tuple[str, str], dict[str, Judgement]]:
    """Kind and state of each subject of a trajectory -> judge -> what the judge says of it, undecided or not.

    Of a judge of windows it is the first window in which the state was seen. What is said of single steps is
    no vote on the trajectory.
    """
    votes: dict[tuple[str, str], dict[str, Judgement]] = {}
    asked = (item for item in judgements if item.subject.kind != STEP)
    for item in sorted(asked, key=lambda item: item.subject.kind == WINDOW):
        kind = STATE if item.subject.kind == WINDOW else item.subject.kind
        given = votes.setdefault((kind, item.subject.state), {})
        if item.subject.kind != WINDOW or _is_better_window(given.get(item.judge), item):
            given[item.judge] = item
    return votes


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
    trajectory: str, task: str, key: tuple[str, str], given: Mapping[str, Judgement],
    settled: Judgement | None, folder: Path | None,
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
        settled.verdict if settled is not None else "",
        folder,
        settled.subject.last if settled is not None and settled.verdict == REACHED else None,
    )


def judges_of(subjects: Iterable[VotedSubject]) -> tuple[list[str], list[str]]:
    """All judges with a vote, and those among them who are people; in order of name."""
    judges: set[str] = set()
    people: set[str] = set()
    for subject in subjects:
        judges.update(subject.votes)
        people.update(subject.people)
    return sorted(judges), sorted(people)
