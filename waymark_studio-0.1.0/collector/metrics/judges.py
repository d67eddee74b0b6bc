"""Judges in numbers: how well each agrees with people, and whether agents rank alike under each.

A3 compares its judges so: Table 2 has their quality, Tables 3 and 6 the same agents under two judges.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations

import numpy as np

from collector.judge.votes.project_votes import read_votes
from collector.judge.votes.votes import QualityRow, quality_rows
from collector.metrics.dimensions import DIMENSIONS
from collector.metrics.episode_columns import RECORDED, EpisodeColumns
from collector.metrics.measure import Counting, Unit
from collector.metrics.measures.outcomes import SUCCESS_RATE
from collector.metrics.measures.states import ESSENTIAL_STATES
from collector.metrics.pivot import Pivot, pivot
from collector.metrics.report import ReportColumn, ReportRow, ReportTable
from collector.metrics.report_cell import ReportCell
from collector.metrics.statistics.rank_agreement import rank_agreement
from collector.model.i18n import N_, _
from collector.model.judgement import STATE
from collector.model.voted_subject import PEOPLE
from collector.store.project.project import Project

_QUALITY = {
    "precision": (N_("Precision"), N_("Of the judge's positive verdicts, the share that people share.")),
    "recall": (N_("Recall"), N_("Of the positive verdicts of people, the share that the judge shares.")),
    "f1": (N_("F1"), N_("Harmonic mean of precision and recall.")),
    "accuracy": (N_("Accuracy"), N_("Of all verdicts, the share that is the same.")),
}


def judge_tables(
    project: Project, judges: Sequence[str], table_of: Callable[[str], EpisodeColumns]
) -> tuple[ReportTable, ...]:
    """The tables about the judges of a project; none for what no two judges, or no person, judged.

    ``table_of`` gives the episodes as one judge sees them.
    """
    tables = (
        _quality_table(project),
        *_ranking_tables([judge for judge in judges if judge != RECORDED], table_of),
    )
    return tuple(table for table in tables if table is not None)


def _quality_table(project: Project) -> ReportTable | None:
    """A3's Table 2: each judge against people, on essential states and on tasks."""
    votes = read_votes(project)
    rows = quality_rows(votes.subjects, votes.judges, PEOPLE)
    if not rows:
        return None
    columns = tuple(
        ReportColumn(name, _(title), Unit.PERCENT, _(how), counting=Counting.VERDICTS)
        for name, (title, how) in _QUALITY.items()
    )
    return ReportTable(
        "a3-2", _("Table 2. Quality of judges against people"), (_("Judge"), _("Verdicts on")), columns,
        tuple(_quality_row(row) for row in rows),
    )  # fmt: skip


def _quality_row(row: QualityRow) -> ReportRow:
    on = _("Essential states") if row.kind == STATE else _("Tasks")
    values = (getattr(row.quality, name) for name in _QUALITY)
    cells = tuple(ReportCell(value, row.quality.subjects) for value in values)
    return ReportRow((row.judge, on), cells)


def _ranking_tables(
    judges: Sequence[str], table_of: Callable[[str], EpisodeColumns]
) -> tuple[ReportTable, ...]:
    """SR and ESAR of every agent under each judge, and how far the rankings agree."""
    by_judge = {
        judge: pivot(table_of(judge), (DIMENSIONS["agent"],), (SUCCESS_RATE, ESSENTIAL_STATES))
        for judge in judges
    }
    by_judge = {judge: result for judge, result in by_judge.items() if np.any(result.columns[0].counts)}
    if len(by_judge) < 2:
        return ()
    return _agents_table(by_judge), _agreement_table(by_judge)


def _agents_table(by_judge: dict[str, Pivot]) -> ReportTable:
    columns: list[ReportColumn] = []
    lines: dict[tuple[str, ...], list[ReportCell]] = {}
    for judge, result in by_judge.items():
        for at, measure in enumerate(result.measures):
            columns.append(
                ReportColumn(
                    f"{measure.id}-{judge}", _(measure.title), measure.unit, _(measure.how), judge,
                    result.columns[at].counting,
                )
            )  # fmt: skip
            for row, labels in enumerate(result.groups.labels):
                lines.setdefault(labels, []).append(result.cell(row, at))
    rows = tuple(ReportRow(labels, tuple(cells)) for labels, cells in lines.items())
    return ReportTable("judges", _("Success of agents under each judge"), (_("Agent"),), tuple(columns), rows)


def _agreement_table(by_judge: dict[str, Pivot]) -> ReportTable:
    how = _("How far two judges rank the agents alike by their success: 1 alike, -1 reversed.")
    columns = (
        ReportColumn("kendall", _("Kendall's tau"), Unit.RATIO, how, counting=Counting.AGENTS),
        ReportColumn("spearman", _("Spearman's rho"), Unit.RATIO, how, counting=Counting.AGENTS),
    )
    rows = []
    for first, second in combinations(by_judge, 2):
        found = rank_agreement(*(by_judge[judge].columns[0].values for judge in (first, second)))
        cells = (ReportCell(value, found.count) for value in (found.kendall, found.spearman))
        rows.append(ReportRow((first, second), tuple(cells)))
    return ReportTable(
        "judge-ranks", _("Rank agreement of judges"), (_("Judge"), _("Judge")), columns, tuple(rows)
    )
