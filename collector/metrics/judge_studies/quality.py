"""The quality of judges against people (A3, Tables 2 and 7; ProBench, Table 2), and tests between judges.

On tasks, state-related and process-related tasks are apart where the project tells them apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from collector.judge.votes.agreement import Quality, quality
from collector.judge.votes.votes import compared, judges_against, verdict_of
from collector.metrics.judge_studies.paired import (
    BOOTSTRAP,
    clusters_of,
    interval_of,
    paired_cells,
    places,
    share_cell,
    who_text,
)
from collector.metrics.measure import Counting, Unit
from collector.metrics.report import CountedSubject, ReportColumn, ReportRow, ReportTable
from collector.metrics.report_cell import ReportCell
from collector.metrics.statistics.bootstrap import ratio
from collector.model.i18n import N_, _
from collector.model.task import PROCESS_TASK, STATE_TASK
from collector.model.verdicts.judgement import STATE, TASK
from collector.model.verdicts.voted_subject import VotedSubject

_QUALITY = {
    "precision": (
        N_("Precision"),
        N_("Of the judge's positive verdicts, the share that the reference shares."),
    ),
    "recall": (
        N_("Recall"),
        N_("Of the positive verdicts of the reference, the share that the judge shares."),
    ),
    "f1": (N_("F1"), N_("Harmonic mean of precision and recall.")),
    "accuracy": (N_("Accuracy"), N_("Of all verdicts, the share that is the same.")),
}
_PARTS = (
    (STATE, "", N_("Essential states")),
    (TASK, "", N_("Tasks")),
    (TASK, STATE_TASK, N_("State-related tasks")),
    (TASK, PROCESS_TASK, N_("Process-related tasks")),
)
"""Kind of subject, type of its task (empty for all), and title."""


@dataclass(frozen=True, slots=True)
class StudiedVotes:
    """The votes that a study is made of."""

    subjects: Sequence[VotedSubject]
    judges: Sequence[str]
    against: str
    """The judge that counts as right, or people as a whole."""
    types: Mapping[str, str]
    """Task -> its type, of those that have one."""

    def parts(self) -> Iterator[tuple[str, str, list[VotedSubject]]]:
        """Kind of the subjects, title and subjects of each part of a table."""
        for kind, type_, title in _PARTS:
            subjects = [item for item in self.subjects if item.kind == kind]
            if type_:
                subjects = [item for item in subjects if self.types.get(item.task) == type_]
            yield kind, _(title), subjects


def _drawn(subjects: Iterable[VotedSubject]) -> tuple[list[str], list[Path | None]]:
    """The tasks and the trajectories of subjects."""
    chosen = list(subjects)
    return [item.task for item in chosen], [item.folder for item in chosen]


def quality_tables(votes: StudiedVotes) -> tuple[ReportTable, ...]:
    """Each judge against the reference, and the judges against each other; none without a verdict."""
    return tuple(table for table in (_quality_table(votes), _tests_table(votes)) if table.rows)


def counted_subject(subject: VotedSubject, names: Sequence[str]) -> CountedSubject:
    """A subject of a row about the judges ``names``."""
    assert subject.folder is not None
    verdicts = {name: verdict_of(subject, name) for name in names}
    return CountedSubject(subject.folder, subject.task, subject.state, verdicts)


# -- each judge --------------------------------------------------------------
def _quality_table(votes: StudiedVotes) -> ReportTable:
    columns = tuple(
        ReportColumn(name, _(title), Unit.PERCENT, _(how), counting=Counting.VERDICTS)
        for name, (title, how) in _QUALITY.items()
    )
    rows = []
    for kind, title, subjects in votes.parts():
        for judge in judges_against(votes.subjects, votes.judges, votes.against):
            found = compared(subjects, judge, votes.against, kind)
            if found:
                counted = tuple(counted_subject(item, (judge, votes.against)) for item, *_said in found)
                rows.append(ReportRow((judge, title), _quality_cells(found), subjects=counted))
    return ReportTable(
        "judge-quality", _("Quality of judges against {who}", who=who_text(votes.against)),
        (_("Judge"), _("Verdicts on")), columns, tuple(rows), (_(BOOTSTRAP),),
    )  # fmt: skip


def _quality_cells(found: Sequence[tuple[VotedSubject, bool, bool]]) -> tuple[ReportCell, ...]:
    counts = quality([(says, is_true) for _subject, says, is_true in found])
    right = [says and is_true for _subject, says, is_true in found]
    return (
        share_cell((says for _subject, says, _true in found), right),
        share_cell((is_true for _subject, _says, is_true in found), right),
        _f1_cell(found, counts),
        share_cell((True for _item in found), [says == is_true for _subject, says, is_true in found]),
    )


def _f1_cell(found: Sequence[tuple[VotedSubject, bool, bool]], counts: Quality) -> ReportCell:
    clusters = clusters_of(*_drawn(subject for subject, *_said in found))
    amounts = [(2 * (says and is_true), says + is_true) for _subject, says, is_true in found]
    low, high = interval_of(clusters, amounts, ratio)
    if counts.f1 is None:
        return ReportCell()
    behind = places(says or is_true for _subject, says, is_true in found)
    return ReportCell(counts.f1, counts.subjects, None, low, high, behind)


# -- two judges --------------------------------------------------------------
def _tests_table(votes: StudiedVotes) -> ReportTable:
    columns = (
        ReportColumn(
            "difference", _("Difference"), Unit.PERCENT,
            _("Accuracy of the second judge less that of the first, on what both judged."),
            counting=Counting.VERDICTS,
        ),
        ReportColumn("only-first", _("Only first right"), Unit.COUNT, counting=Counting.VERDICTS),
        ReportColumn("only-second", _("Only second right"), Unit.COUNT, counting=Counting.VERDICTS),
        ReportColumn(
            "p", _("p"), Unit.P_VALUE, _("Exact McNemar test of the two."), counting=Counting.VERDICTS
        ),
    )  # fmt: skip
    judges = judges_against(votes.subjects, votes.judges, votes.against)
    rows = []
    for kind, title, subjects in votes.parts():
        for first, second in combinations(judges, 2):
            row = _test_row(
                votes, kind, title, [item for item in subjects if second in item.votes], first, second
            )
            if row is not None:
                rows.append(row)
    return ReportTable(
        "judge-tests", _("Judges compared on the same verdicts"),
        (_("First judge"), _("Second judge"), _("Verdicts on")), columns, tuple(rows), (_(BOOTSTRAP),),
    )  # fmt: skip


def _test_row(
    votes: StudiedVotes, kind: str, title: str, subjects: Sequence[VotedSubject], first: str, second: str
) -> ReportRow | None:
    firsts = compared(subjects, first, votes.against, kind)
    if not firsts:
        return None
    common = [item for item, *_said in firsts]
    seconds = compared(common, second, votes.against, kind)
    right = [
        (own == is_true, other == is_true)
        for (_subject, own, is_true), (_same, other, _true) in zip(firsts, seconds, strict=True)
    ]
    counted = tuple(counted_subject(item, (first, second, votes.against)) for item in common)
    return ReportRow(
        (first, second, title), paired_cells(clusters_of(*_drawn(common)), right), subjects=counted
    )
