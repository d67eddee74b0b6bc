"""Lay numbers out as a paper's table: rows of agents, columns of parts of the episodes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from collector.metrics.breakdowns.dimensions import DIMENSIONS, Dimension
from collector.metrics.breakdowns.grouping import Groups, group_by, values_of
from collector.metrics.episode_columns import EpisodeColumns, Mask, different, numbered
from collector.metrics.measure import Counting, Measure, MeasureColumn
from collector.metrics.pairs import pair_notes
from collector.metrics.pivot import Pivot
from collector.metrics.report import ReportColumn, ReportRow, ReportTable, episode_notes
from collector.model.i18n import _, paragraph


@dataclass(frozen=True, slots=True)
class PaperColumn:
    """A column of a paper's table: a measure of some of the episodes."""

    id: str
    """Equal in every language."""
    title: str
    measure: Measure
    among: Mask | None = None
    """Which episodes the column counts; None for all that are selected."""
    group: str = ""
    """Title over several columns."""


def paper_table(
    table: EpisodeColumns, id: str, title: str, rows: tuple[Dimension, ...], columns: tuple[PaperColumn, ...]  # noqa: A002 - as the field is called
) -> ReportTable:  # fmt: skip
    """Fill ``columns`` for the groups of the selected episodes by ``rows``; faults are in sentences below."""
    groups = group_by(table, rows)
    result = _numbers(table, groups, columns)
    notes: dict[str, None] = {}
    for column in result.columns:
        # Pairs are described once, for all columns together.
        notes |= dict.fromkeys(pair_notes(table) if column.counting is Counting.PAIRS else (column.note,))
    lines = tuple(
        ReportRow(
            labels,
            tuple(result.cell(row, column) for column in range(len(columns))),
            groups.members(row, table.selected),
            int(result.faults[row]),
        )
        for row, labels in enumerate(groups.labels)
    )
    return ReportTable(
        id, title, tuple(_(dimension.title) for dimension in rows),
        tuple(_report_column(*pair) for pair in zip(columns, result.columns, strict=True)), lines,
        (*(note for note in notes if note), *episode_notes(table)),
        tuple(dimension.id for dimension in rows),
    )  # fmt: skip


def _numbers(table: EpisodeColumns, groups: Groups, columns: tuple[PaperColumn, ...]) -> Pivot:
    """Each column among its own episodes, all of them in the same groups."""
    values = []
    for column in columns:
        among = table.selected if column.among is None else table.selected & column.among
        own = replace(groups, of=np.where(among, groups.of, -1))
        values.append(column.measure.compute(table.where(among), own))
    return Pivot(
        table, groups, tuple(column.measure for column in columns), tuple(values),
        groups.count(table.selected), groups.count(table.faults),
    )  # fmt: skip


def _report_column(column: PaperColumn, values: MeasureColumn) -> ReportColumn:
    measure = column.measure
    return ReportColumn(column.id, column.title, measure.unit, _(measure.how), column.group, values.counting)


def agent_dimensions(table: EpisodeColumns) -> tuple[Dimension, ...]:
    """What papers call a model: the agent, and its model and prompt where any of the selected has one.

    A prompt tells agents apart only where there is more than one.
    """
    selected = table.selected
    models, prompts = (np.unique(table.column(name)[selected]) for name in ("model", "prompt"))
    names = ["agent", *["model"] * bool(models.any()), *["prompt"] * (len(prompts) > 1)]
    return tuple(DIMENSIONS[name] for name in names)


def where_several(table: EpisodeColumns, *names: str) -> tuple[Dimension, ...]:
    """The dimensions in which episodes of the same task differ, so that a row mixes nothing.

    A task that is always run on a phone in its own language is no reason to tell languages apart.
    """
    chosen = table.selected
    tasks = table.column("task")[chosen]
    count = len(different(tasks)[0])

    def is_several(dimension: Dimension) -> bool:
        codes = values_of(table, dimension)[1][chosen]
        return bool(numbered([tasks, codes], len(tasks)).max(initial=-1) + 1 > count)

    return tuple(DIMENSIONS[name] for name in names if is_several(DIMENSIONS[name]))


def labels_of(table: EpisodeColumns, dimension: Dimension, nameless: str = "") -> dict[str, Mask]:
    """Label -> its episodes, in order, of those that a selected episode has.

    Episodes without a label have the name ``nameless``; they are left out when that is empty.
    """
    labels, of = values_of(table, dimension)
    present = set(np.unique(of[table.selected]).tolist())
    return {
        label or nameless: of == at
        for at, label in enumerate(labels)
        if (label or nameless) and at in present
    }


def with_columns(tables: Iterable[ReportTable]) -> tuple[ReportTable, ...]:
    """The tables that have a column: none tells of app categories where no task has one."""
    return tuple(table for table in tables if table.columns)


def by_measure(tables: dict[str, ReportTable], title: str) -> ReportTable:
    """Tables of the same shape as one, in which each row is there once a table, named by its key."""
    first = next(iter(tables.values()))
    rows = []
    for row in range(len(first.rows)):
        for name, part in tables.items():
            line = part.rows[row]
            cells = tuple(
                replace(cell, how=column.how, counting=column.counting)
                for cell, column in zip(line.cells, part.columns, strict=True)
            )
            rows.append(ReportRow((*line.labels, name), cells))
    columns = tuple(
        replace(column, how=paragraph(*(f"{name}: {part.columns[at].how}" for name, part in tables.items())))
        for at, column in enumerate(first.columns)
    )
    notes = dict.fromkeys(note for part in tables.values() for note in part.notes)
    return replace(
        first,
        label_titles=(*first.label_titles, title),
        columns=columns,
        rows=tuple(rows),
        notes=tuple(notes),
    )
