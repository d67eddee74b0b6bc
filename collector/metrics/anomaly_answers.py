"""The answers that agents gave to each anomaly that appeared, as a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from collector.metrics.breakdowns.dimensions import Dimension
from collector.metrics.breakdowns.grouping import Groups, group_by
from collector.metrics.episode_columns import EpisodeColumns, Ints
from collector.metrics.measure import Counting, Unit
from collector.metrics.report import ReportColumn, ReportRow, ReportTable, episode_notes
from collector.metrics.report_cell import ReportCell
from collector.metrics.statistics.intervals import wilson_intervals
from collector.model.i18n import _
from collector.store.catalogue.catalogue_row import items

NO_ANSWER = ""


@dataclass(frozen=True)
class _Appearances:
    """Each time an anomaly appeared in an episode that ended."""

    episodes: Ints
    anomalies: Ints
    """Number of the anomaly in ``names``."""
    answers: Ints
    """Number of the answer in ``given``."""
    names: tuple[str, ...]
    given: tuple[str, ...]
    """In the order of how often each was given; no answer at all comes last."""


def anomaly_answers(table: EpisodeColumns, rows: Sequence[Dimension]) -> ReportTable:
    """Of the selected episodes that ended: by ``rows`` and anomaly, the share of each answer."""
    appearances = _appearances(table)
    groups = group_by(table, rows)
    row_of = groups.of[appearances.episodes] * max(1, len(appearances.names)) + appearances.anomalies
    how = _("Times that this answer was given divided by the times that the anomaly appeared.")
    columns = (
        ReportColumn(
            "appeared", _("Appeared"), Unit.COUNT, _("Times that the anomaly appeared."),
            counting=Counting.ANOMALIES,
        ),
        *(
            ReportColumn(
                answer or "none", answer or _("No answer"), Unit.PERCENT, how, counting=Counting.ANOMALIES
            )
            for answer in appearances.given
        ),
    )  # fmt: skip
    return ReportTable(
        "answers", _("Answers to each anomaly"),
        (*(_(dimension.title) for dimension in rows), _("Anomaly")), columns,
        tuple(_row(appearances, groups, row_of, int(row)) for row in np.unique(row_of)), episode_notes(table),
        tuple(dimension.id for dimension in rows),
    )  # fmt: skip


def _row(appearances: _Appearances, groups: Groups, row_of: Ints, row: int) -> ReportRow:
    group, anomaly = divmod(row, max(1, len(appearances.names)))
    chosen = row_of == row
    episodes, answers = appearances.episodes[chosen], appearances.answers[chosen]
    behind = np.unique(episodes)
    cells = [ReportCell(len(episodes), len(episodes), behind=behind)]
    for answer in range(len(appearances.given)):
        given = answers == answer
        hits, count = np.array([np.count_nonzero(given)]), np.array([len(answers)])
        low, high = wilson_intervals(hits, count)
        rate, positive = float(hits[0] / count[0]), np.unique(episodes[given])
        numbers = (rate, int(count[0]), int(hits[0]), float(low[0]), float(high[0]))
        cells.append(ReportCell(*numbers, behind, positive))
    return ReportRow((*groups.labels[group], appearances.names[anomaly]), tuple(cells))


def _appearances(table: EpisodeColumns) -> _Appearances:
    column = table.column("answers")
    ended = np.flatnonzero(table.ended & table.selected & (column > 0))
    found: list[tuple[Ints, str, str]] = []
    for code in np.unique(column[ended]).tolist():
        episodes = ended[column[ended] == code]
        for item in items(table.texts[code]):
            anomaly, _equals, answer = item.rpartition("=")
            found.append((episodes, anomaly, answer))
    times: dict[str, int] = {}
    for episodes, _anomaly, answer in found:
        times[answer] = times.get(answer, 0) + len(episodes)
    names = tuple(sorted({anomaly for _episodes, anomaly, _answer in found}, key=str.casefold))
    given = tuple(sorted(times, key=lambda answer: (answer == NO_ANSWER, -times[answer], answer)))
    nothing = [np.empty(0, np.int64)]
    return _Appearances(
        np.concatenate([episodes for episodes, _anomaly, _answer in found] or nothing),
        np.concatenate([np.full(len(group), names.index(name)) for group, name, _answer in found] or nothing),
        np.concatenate([np.full(len(group), given.index(text)) for group, _name, text in found] or nothing),
        names, given,
    )  # fmt: skip
