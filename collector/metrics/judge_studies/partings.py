"""Where judges part: the window of a trajectory to look at, of each subject that tables of judges count."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from collector.judge.votes.project_votes import read_votes
from collector.judge.windows import step_of_people
from collector.metrics.episode_columns import Ints
from collector.metrics.judge_studies.paired import places
from collector.metrics.report import CountedSubject, ReportRow, ReportTable
from collector.model.verdicts.judgement import REACHED, STATE, WINDOW, Judgement
from collector.model.verdicts.voted_subject import PEOPLE, VotedSubject
from collector.store.project.project import Project
from collector.store.trajectory.judgements import read_judgements


def subject_folders(tables: Iterable[ReportTable]) -> frozenset[Path]:
    """The trajectories that tables name."""
    return frozenset(item.folder for table in tables for row in table.rows for item in row.subjects)


def without_subjects(tables: Iterable[ReportTable], hidden: Collection[Path]) -> tuple[ReportTable, ...]:
    """The tables without what is said of the trajectories in ``hidden``; their numbers stay."""
    return _with_rows(tables, lambda row: _without(row, hidden)) if hidden else tuple(tables)


def _without(row: ReportRow, hidden: Collection[Path]) -> ReportRow:
    kept = places(subject.folder not in hidden for subject in row.subjects)
    if len(kept) == len(row.subjects):
        return row

    def among(counted: Ints | None) -> Ints | None:
        return None if counted is None else np.searchsorted(kept, counted[np.isin(counted, kept)])

    return replace(
        row, subjects=tuple(row.subjects[place] for place in kept.tolist()),
        cells=tuple(
            replace(cell, behind=among(cell.behind), positive=among(cell.positive)) for cell in row.cells
        ),
    )  # fmt: skip


def with_windows(tables: Iterable[ReportTable], subjects: Iterable[VotedSubject]) -> tuple[ReportTable, ...]:
    """The tables with the window of each subject on which judges part; reads the judgements of these."""
    partings = Partings(subjects)
    return _with_rows(tables, lambda row: replace(row, subjects=tuple(map(partings.located, row.subjects))))


def _with_rows(
    tables: Iterable[ReportTable], change: Callable[[ReportRow], ReportRow]
) -> tuple[ReportTable, ...]:
    return tuple(replace(table, rows=tuple(map(change, table.rows))) for table in tables)


def located(project: Project, subject: CountedSubject) -> CountedSubject:
    """A subject of a project with the window on which its judges part. Reads its trajectory alone.

    A window that is known stays: verdicts of a window study are not stored.
    """
    if subject.window is not None:
        return subject
    return Partings(read_votes(project, [subject.folder]).subjects).located(subject)


@dataclass
class Partings:
    """Finds the windows in which judges part."""

    subjects: Iterable[VotedSubject]
    _by_folder: dict[Path, list[VotedSubject]] = field(default_factory=dict)
    _windows: dict[Path, Sequence[Judgement]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for subject in self.subjects:
            if subject.folder is not None and subject.kind == STATE:
                self._by_folder.setdefault(subject.folder, []).append(subject)

    def located(self, counted: CountedSubject) -> CountedSubject:
        """The subject with the window in which its judges part; of a task that of its first such state."""
        if not counted.is_disputed:
            return counted
        states: Sequence[VotedSubject] = self._by_folder.get(counted.folder, ())
        if counted.state:
            states = [subject for subject in states if subject.state == counted.state]
        found = [window for subject in states if (window := self._of_state(subject, counted.verdicts))]
        return replace(counted, window=min(found, default=None))

    def _of_state(self, subject: VotedSubject, verdicts: Mapping[str, str]) -> tuple[int, int] | None:
        """Where those who say that a state is reached see it, if others deny it."""
        said = [_said(subject, who) for who in verdicts]
        steps = [step for verdict, step in said if verdict == REACHED and step is not None]
        if len({verdict for verdict, _step in said if verdict}) < 2 or not steps:
            return None
        assert subject.folder is not None
        return window_around(self._of(subject.folder), subject.state, tuple(verdicts), min(steps))

    def _of(self, folder: Path) -> Sequence[Judgement]:
        if folder not in self._windows:
            newest = read_judgements(folder).newest().values()
            self._windows[folder] = [item for item in newest if item.subject.kind == WINDOW]
        return self._windows[folder]


def window_around(
    judgements: Iterable[Judgement], state: str, judges: Sequence[str], step: int
) -> tuple[int, int]:
    """The window of a state that ``judges`` were asked about and that shows a step; else the step alone.

    Of several, one in which a judge saw the state, then one that ends at the step, then the first.
    """
    around = []
    for item in judgements:
        subject = item.subject
        if item.judge not in judges or subject.kind != WINDOW or subject.state != state:
            continue
        first, last = subject.first, subject.last
        if first is not None and last is not None and first <= step <= last:
            around.append((item.verdict != REACHED, last != step, first, last))
    return min(around)[2:] if around else (step, step)


def _said(subject: VotedSubject, who: str) -> tuple[str, int | None]:
    if who == PEOPLE:
        return subject.people_say, step_of_people(subject)
    return subject.votes.get(who, ""), subject.steps.get(who)
