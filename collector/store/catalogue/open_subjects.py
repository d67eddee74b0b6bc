"""What judges say of the subjects that people have not decided, in the catalogue: no file is read for it.

How open a subject is becomes a number when a trajectory is read, so that thousands can be put in order.
"""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from collector.model.verdicts.judgement import PERSON, REACHED, UNDECIDED, Judgement, Subject
from collector.model.verdicts.voted_subject import judged_subjects, voted_subjects
from collector.store.catalogue.catalogue_row import items, listed


@dataclass(frozen=True, slots=True)
class OpenSubject:
    """A task or an essential state of a trajectory that people have not decided."""

    kind: str
    """task or state."""
    state: str
    """Id of the essential state; empty for a task."""
    verdicts: Mapping[str, str] = field(default_factory=dict)
    """Rule or model -> its verdict, an undecided one too."""
    confidence: Mapping[str, float] = field(default_factory=dict)
    """Judge -> its confidence, 0 to 1, of those who give one."""
    is_split: bool = False
    """Whether people say different things of it."""

    @property
    def decided(self) -> dict[str, str]:
        """Judge -> verdict, of those who could say."""
        return {judge: verdict for judge, verdict in self.verdicts.items() if verdict != UNDECIDED}

    @property
    def disagreement(self) -> float:
        """Twice the share of judges that do not say what most say, 1 at most."""
        said = list(self.decided.values())
        most = max(map(said.count, said), default=0)
        return min(1.0, 2 * (1 - most / len(said))) if said else 0.0

    @property
    def doubt(self) -> float:
        """The mean over judges of 1 for an undecided verdict, else of 1 less the confidence."""
        doubts = [
            1.0 if verdict == UNDECIDED else 1 - min(1.0, max(0.0, self.confidence.get(judge, 1.0)))
            for judge, verdict in self.verdicts.items()
        ]
        return sum(doubts) / len(doubts) if doubts else 0.0

    @property
    def openness(self) -> float:
        """How little is known of it, 0 to 1."""
        return 1.0 if self.is_split else max(self.disagreement, self.doubt)


@dataclass(frozen=True, slots=True)
class OpenTrajectory:
    """The open subjects of a trajectory, summed up."""

    task: str
    openness: float
    """The sum over its open subjects."""
    openness_of_judges: float
    """The sum over those on which people are not split."""
    seen: tuple[str, ...]
    """Open essential states that a judge saw reached."""
    text: str
    """What the catalogue keeps of them."""

    @property
    def subjects(self) -> list[OpenSubject]:
        return [
            OpenSubject(kind, state, verdicts, confidence, bool(is_split))
            for kind, state, verdicts, confidence, is_split in json.loads(self.text)
        ]


@dataclass(frozen=True, slots=True)
class StateCounts:
    """In how many trajectories of a task a state was reached."""

    reached: int = 0
    """Those in which any judge or person saw it."""
    judged: int = 0
    """Those of which anybody said whether it was."""


def open_subjects(
    judgements: Iterable[Judgement], settled: Mapping[Subject, Judgement]
) -> list[OpenSubject]:  # fmt: skip
    """The open subjects of one trajectory. ``judgements`` are those that count, of people too."""
    given = list(judgements)
    voted = {(item.kind, item.state): item for item in voted_subjects("", "", given, settled)}
    found = []
    for key, by_judge in judged_subjects(given).items():
        people = [item for item in by_judge.values() if item.kind == PERSON]
        subject = voted.get(key)
        is_split = subject is not None and bool(subject.people) and not subject.people_say
        if (people and not is_split) or (subject is not None and subject.settled):
            continue
        others = {judge: item for judge, item in by_judge.items() if item.kind != PERSON}
        sure = {judge: item.confidence for judge, item in others.items() if item.confidence is not None}
        found.append(
            OpenSubject(*key, {judge: item.verdict for judge, item in others.items()}, sure, is_split)
        )
    return found


OPEN_COLUMNS = {"openness": float, "openness_of_judges": float, "seen": str, "subjects": str}
"""Column of the table -> its type."""


def open_columns(subjects: Sequence[OpenSubject]) -> tuple[float, float, str, str] | None:
    """The open subjects of one trajectory as the catalogue keeps them; None without any."""
    if not subjects:
        return None
    lists = [
        [item.kind, item.state, dict(item.verdicts), dict(item.confidence), int(item.is_split)]
        for item in subjects
    ]
    return (
        sum(item.openness for item in subjects),
        sum(item.openness for item in subjects if not item.is_split),
        listed([item.state for item in subjects if REACHED in item.verdicts.values()]),
        json.dumps(lists, ensure_ascii=False, separators=(",", ":")),
    )


def read_open_trajectories(database: sqlite3.Connection) -> dict[str, OpenTrajectory]:
    """Folder, relative to the project -> open subjects, of the trajectories that have some."""
    columns = ", ".join(f"o.{name}" for name in OPEN_COLUMNS)
    sql = f"SELECT t.folder, t.task, {columns} FROM open_subjects o JOIN trajectories t ON t.key = o.key"  # noqa: S608 - constants
    return {
        folder: OpenTrajectory(task, openness, of_judges, tuple(items(seen)), subjects)
        for folder, task, openness, of_judges, seen, subjects in database.execute(sql)
    }


def read_state_counts(database: sqlite3.Connection) -> dict[tuple[str, str], StateCounts]:
    """Task and state -> in how many trajectories the state was reached."""
    reached: Counter[tuple[str, str]] = Counter()
    judged: Counter[tuple[str, str]] = Counter()
    sql = """
        SELECT task, reached, missed, count(*) FROM trajectories
        WHERE reached != '' OR missed != '' GROUP BY task, reached, missed"""
    for task, seen, unseen, count in database.execute(sql):
        states = set(items(seen))
        reached.update({(task, state): count for state in states})
        judged.update({(task, state): count for state in states.union(items(unseen))})
    return {key: StateCounts(reached[key], count) for key, count in judged.items()}
