"""The bias of judges (A3, Tables 3 and 6): agents under each judge, its optimism, and the rankings."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np

from collector.metrics.breakdowns.dimensions import DIMENSIONS
from collector.metrics.episode_columns import EpisodeColumns, Ints
from collector.metrics.judge_studies.paired import BOOTSTRAP, clusters_of, paired_cells, share_cell, who_text
from collector.metrics.measure import Counting, Unit
from collector.metrics.measures.outcomes import SUCCESS_RATE
from collector.metrics.measures.states import ESSENTIAL_STATES
from collector.metrics.pivot import Pivot, pivot
from collector.metrics.report import CountedSubject, ReportColumn, ReportRow, ReportTable
from collector.metrics.report_cell import ReportCell
from collector.metrics.statistics.rank_agreement import rank_agreement
from collector.model.i18n import _

Folders = Mapping[int, Path]
"""Key of an episode -> its folder."""


def bias_tables(
    judges: Sequence[str], table_of: Callable[[str], EpisodeColumns], folders: Folders, against: str,
    others: Sequence[str],
) -> tuple[ReportTable, ...]:  # fmt: skip
    """Agents under each of ``judges``, the optimism of ``others`` against a reference, and the rankings.

    ``table_of`` gives the episodes as a judge sees them. No table has nothing to compare.
    """
    tables = {judge: table_of(judge) for judge in judges}
    by_judge = {
        judge: pivot(table, (DIMENSIONS["agent"],), (SUCCESS_RATE, ESSENTIAL_STATES))
        for judge, table in tables.items()
    }
    by_judge = {judge: result for judge, result in by_judge.items() if np.any(result.columns[0].counts)}
    if len(by_judge) < 2:
        return ()
    found = [_agents_table(by_judge, folders)]
    if against in by_judge:
        compared = [judge for judge in others if judge in by_judge]
        found.append(_optimism_table(by_judge, compared, against, folders))
    return tuple(table for table in (*found, _agreement_table(by_judge, folders)) if table.rows)


def _agents_table(by_judge: Mapping[str, Pivot], folders: Folders) -> ReportTable:
    columns = tuple(
        ReportColumn(
            f"{measure.id}-{judge}", _(measure.title), measure.unit, _(measure.how), who_text(judge),
            result.columns[at].counting,
        )
        for judge, result in by_judge.items()
        for at, measure in enumerate(result.measures)
    )  # fmt: skip
    first = next(iter(by_judge.values()))
    rows = [
        ReportRow(labels, cells, subjects=subjects)
        for row, labels in enumerate(first.groups.labels)
        for cells, subjects in (_agent_cells(by_judge, row, folders),)
    ]
    title = _("Success of agents under each judge")
    return ReportTable("judges", title, (_("Agent"),), columns, tuple(rows))


def _agent_cells(
    by_judge: Mapping[str, Pivot], row: int, folders: Folders
) -> tuple[tuple[ReportCell, ...], tuple[CountedSubject, ...]]:
    """The numbers of an agent under each judge, and the episodes behind any of them."""
    cells = [result.cell(row, at) for result in by_judge.values() for at in range(len(result.measures))]
    behind = [cell.behind for cell in cells if cell.behind is not None]
    episodes = np.unique(np.concatenate(behind)) if behind else np.empty(0, np.int64)
    within = (
        replace(cell, behind=_within(cell.behind, episodes), positive=_within(cell.positive, episodes))
        for cell in cells
    )
    return tuple(within), _subjects(by_judge, episodes, folders)


def _within(chosen: Ints | None, episodes: Ints) -> Ints | None:
    """The places of the chosen episodes among all."""
    return None if chosen is None else np.searchsorted(episodes, chosen)


def _subjects(by_judge: Mapping[str, Pivot], episodes: Ints, folders: Folders) -> tuple[CountedSubject, ...]:
    """The tasks of episodes with what each judge says of them."""
    table = next(iter(by_judge.values())).table
    keys, tasks = table.keys[episodes].tolist(), table.column("task")[episodes].tolist()
    said = {
        who: [result.table.texts[code] for code in result.table.verdicts.status[episodes].tolist()]
        for who, result in by_judge.items()
    }
    return tuple(
        CountedSubject(
            folders[key], table.texts[task], "",
            {who: words[place] for who, words in said.items()},
        )
        for place, (key, task) in enumerate(zip(keys, tasks, strict=True))
    )  # fmt: skip


# -- optimism ----------------------------------------------------------------
def _optimism_table(
    by_judge: Mapping[str, Pivot], judges: Sequence[str], against: str, folders: Folders
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
        for row in _optimism_rows(judge, by_judge[judge], against, by_judge[against], folders)
    ]
    return ReportTable(
        "judge-optimism", _("Optimism of judges against {who}", who=who), (_("Judge"), _("Agent")), columns,
        tuple(rows), (_(BOOTSTRAP),),
    )  # fmt: skip


def _optimism_rows(
    judge: str, own: Pivot, against: str, reference: Pivot, folders: Folders
) -> list[ReportRow]:
    """All agents together, then each."""
    common = own.columns[0].behind & reference.columns[0].behind
    groups: list[tuple[tuple[str, ...], Ints]] = [((judge, _("All agents")), np.flatnonzero(common))]
    if len(own.groups) > 1:
        groups += [
            ((judge, *labels), own.groups.members(number, common))
            for number, labels in enumerate(own.groups.labels)
        ]
    return [
        _optimism_row(labels, episodes, {against: reference, judge: own}, folders)
        for labels, episodes in groups
        if len(episodes)
    ]


def _optimism_row(
    labels: tuple[str, ...], episodes: Ints, both: Mapping[str, Pivot], folders: Folders
) -> ReportRow:
    subjects = _subjects(both, episodes, folders)
    masks = [result.columns[0].positive for result in both.values()]
    firsts, seconds = ([mask is not None and bool(mask[at]) for at in episodes.tolist()] for mask in masks)
    everything = [True] * len(episodes)
    difference, *others = paired_cells(
        clusters_of([subject.task for subject in subjects], episodes.tolist()),
        list(zip(firsts, seconds, strict=True)),
    )
    cells = (share_cell(everything, seconds), share_cell(everything, firsts), difference, *others)
    return ReportRow(labels, cells, subjects=subjects)


# -- rankings ----------------------------------------------------------------
def _agreement_table(by_judge: Mapping[str, Pivot], folders: Folders) -> ReportTable:
    how = _("How far two judges rank the agents alike by their success: 1 alike, -1 reversed.")
    columns = (
        ReportColumn("kendall", _("Kendall's tau"), Unit.RATIO, how, counting=Counting.AGENTS),
        ReportColumn("spearman", _("Spearman's rho"), Unit.RATIO, how, counting=Counting.AGENTS),
    )
    rows = []
    for names in combinations(by_judge, 2):
        both = {judge: by_judge[judge] for judge in names}
        first, second = (result.columns[0] for result in both.values())
        found = rank_agreement(first.values, second.values)
        subjects = _subjects(both, np.flatnonzero(first.behind | second.behind), folders)
        cells = tuple(
            ReportCell(value, found.count, behind=np.arange(len(subjects)))
            for value in (found.kendall, found.spearman)
        )
        rows.append(ReportRow(tuple(map(who_text, names)), cells, subjects=subjects))
    return ReportTable(
        "judge-ranks", _("Rank agreement of judges"), (_("Judge"), _("Judge")), columns, tuple(rows)
    )
