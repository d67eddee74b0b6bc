"""The bias of judges (A3, Tables 3 and 6): agents under each judge, its optimism, and the rankings."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from pathlib import Path

import numpy as np

from collector.metrics.dimensions import DIMENSIONS
from collector.metrics.episode_columns import EpisodeColumns, Ints
from collector.metrics.judge_studies.paired import clusters_of, paired_cells, who_text, wilson_cell
from collector.metrics.measure import Counting, Unit
from collector.metrics.measures.outcomes import SUCCESS_RATE
from collector.metrics.measures.states import ESSENTIAL_STATES
from collector.metrics.pivot import Pivot, pivot
from collector.metrics.report import CountedSubject, ReportColumn, ReportRow, ReportTable
from collector.metrics.report_cell import ReportCell
from collector.metrics.statistics.rank_agreement import rank_agreement
from collector.model.i18n import _

FoldersOf = Callable[[Sequence[int]], Mapping[int, Path]]
"""Key of an episode -> its folder."""


def bias_tables(
    judges: Sequence[str], table_of: Callable[[str], EpisodeColumns], folders_of: FoldersOf, against: str,
    others: Sequence[str],
) -> tuple[ReportTable, ...]:  # fmt: skip
    """Agents under each of ``judges``, the optimism of ``others`` against a reference, and the rankings.

    ``table_of`` gives the episodes as one judge sees them. No table has nothing to compare.
    """
    tables = {judge: table_of(judge) for judge in judges}
    by_judge = {
        judge: pivot(table, (DIMENSIONS["agent"],), (SUCCESS_RATE, ESSENTIAL_STATES))
        for judge, table in tables.items()
    }
    by_judge = {judge: result for judge, result in by_judge.items() if np.any(result.columns[0].counts)}
    if len(by_judge) < 2:
        return ()
    found = [_agents_table(by_judge)]
    if against in by_judge:
        compared = [judge for judge in others if judge in by_judge]
        found.append(_optimism_table(by_judge, compared, against, folders_of))
    return tuple(table for table in (*found, _agreement_table(by_judge)) if table.rows)


def _agents_table(by_judge: Mapping[str, Pivot]) -> ReportTable:
    columns: list[ReportColumn] = []
    lines: dict[tuple[str, ...], list[ReportCell]] = {}
    for judge, result in by_judge.items():
        for at, measure in enumerate(result.measures):
            columns.append(
                ReportColumn(
                    f"{measure.id}-{judge}", _(measure.title), measure.unit, _(measure.how), who_text(judge),
                    result.columns[at].counting,
                )
            )  # fmt: skip
            for row, labels in enumerate(result.groups.labels):
                lines.setdefault(labels, []).append(result.cell(row, at))
    rows = tuple(ReportRow(labels, tuple(cells)) for labels, cells in lines.items())
    return ReportTable("judges", _("Success of agents under each judge"), (_("Agent"),), tuple(columns), rows)


# -- optimism ----------------------------------------------------------------
def _optimism_table(
    by_judge: Mapping[str, Pivot], judges: Sequence[str], against: str, folders_of: FoldersOf
) -> ReportTable:
    who, counted = who_text(against), Counting.EPISODES
    columns = (
        ReportColumn("sr", _("SR by the judge"), Unit.PERCENT),
        ReportColumn("sr-reference", _("SR by {who}", who=who), Unit.PERCENT),
        ReportColumn(
            "optimism", _("Optimism"), Unit.PERCENT,
            _("SR by the judge less SR by {who}, of the episodes that both judged.", who=who),
            counting=counted,
        ),
        ReportColumn("too-low", _("Success for {who} alone", who=who), Unit.COUNT),
        ReportColumn("too-high", _("Success for the judge alone"), Unit.COUNT),
        ReportColumn("p", _("p"), Unit.P_VALUE, _("Exact McNemar test of the two.")),
    )  # fmt: skip
    rows = [
        row
        for judge in judges
        for row in _optimism_rows(judge, by_judge[judge], against, by_judge[against], folders_of)
    ]
    return ReportTable(
        "judge-optimism", _("Optimism of judges against {who}", who=who), (_("Judge"), _("Agent")), columns,
        tuple(rows),
    )  # fmt: skip


def _optimism_rows(
    judge: str, own: Pivot, against: str, reference: Pivot, folders_of: FoldersOf
) -> list[ReportRow]:
    """All agents together, then each."""
    common = own.columns[0].behind & reference.columns[0].behind
    groups: list[tuple[tuple[str, ...], Ints]] = [((judge, _("All agents")), np.flatnonzero(common))]
    if len(own.groups) > 1:
        groups += [
            ((judge, *labels), own.groups.members(number, common))
            for number, labels in enumerate(own.groups.labels)
        ]
    folders = folders_of(own.table.keys[common].tolist())
    return [
        _optimism_row(labels, episodes, {against: reference, judge: own}, folders)
        for labels, episodes in groups
        if len(episodes)
    ]


def _optimism_row(
    labels: tuple[str, ...], episodes: Ints, both: Mapping[str, Pivot], folders: Mapping[int, Path]
) -> ReportRow:
    table = next(iter(both.values())).table
    tasks = [table.texts[code] for code in table.column("task")[episodes].tolist()]
    masks = [result.columns[0].positive for result in both.values()]
    successes = [np.zeros(len(table), bool) if mask is None else mask for mask in masks]
    firsts, seconds = (mask[episodes].tolist() for mask in successes)
    difference, *others = paired_cells(
        clusters_of(tasks, episodes.tolist()), list(zip(firsts, seconds, strict=True))
    )
    cells = (
        wilson_cell(sum(seconds), len(episodes), episodes, episodes[seconds]),
        wilson_cell(sum(firsts), len(episodes), episodes, episodes[firsts]),
        difference, *others,
    )  # fmt: skip
    words = {who: [result.table.texts[code] for code in result.table.verdicts.status[episodes].tolist()]
             for who, result in both.items()}  # fmt: skip
    subjects = tuple(
        CountedSubject(folders[key], task, "", {who: said[place] for who, said in words.items()})
        for place, (key, task) in enumerate(zip(table.keys[episodes].tolist(), tasks, strict=True))
        if key in folders
    )
    return ReportRow(labels, cells, episodes, subjects=subjects)


# -- rankings ----------------------------------------------------------------
def _agreement_table(by_judge: Mapping[str, Pivot]) -> ReportTable:
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
