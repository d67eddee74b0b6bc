"""A table of numbers as it is printed, copied and shown: from a pivot, or laid out as a paper's table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from collector.metrics.episode_columns import EpisodeColumns, Ints
from collector.metrics.measure import Counting, Measure, Unit
from collector.metrics.pivot import Pivot, pivot
from collector.metrics.pooled_configurations import pooled_notes
from collector.metrics.report_cell import ReportCell
from collector.metrics.sample_advice import sample_notes
from collector.model.i18n import _, ngettext
from collector.model.verdicts.judgement import STATE, TASK
from collector.store.trajectory.fingerprint import part_titles

_MOST_STALE = 5
"""Stale episodes that a note names."""


@dataclass(frozen=True)
class ReportColumn:
    """A column of numbers."""

    id: str
    title: str
    """Translated, as all texts here."""
    unit: Unit
    how: str = ""
    """How it is counted, in words."""
    group: str = ""
    """Title over several columns, such as a language; empty without one."""
    counting: Counting = Counting.EPISODES


@dataclass(frozen=True, slots=True)
class CountedSubject:
    """A task or an essential state of one trajectory that numbers about judges count."""

    folder: Path
    task: str
    state: str = ""
    """Empty for the task itself."""
    verdicts: Mapping[str, str] = field(default_factory=dict)
    """Judge, or people as a whole -> verdict."""
    window: tuple[int, int] | None = None
    """The steps, counted from 0, that the judges differ on; None where they agree and where it is unknown."""

    @property
    def kind(self) -> str:
        return STATE if self.state else TASK

    @property
    def is_disputed(self) -> bool:
        """Whether the verdicts differ."""
        return len(set(self.verdicts.values())) > 1


@dataclass(frozen=True)
class ReportRow:
    """A row: its labels, then its numbers."""

    labels: tuple[str, ...]
    cells: tuple[ReportCell, ...]
    episodes: Ints | None = None
    """All selected episodes of the row, those that no number counts included."""
    faults: int | None = None
    """How many of them a fault of the infrastructure ended; None where a paper's row is no group."""
    subjects: tuple[CountedSubject, ...] = ()
    """Of a row about judges: what its numbers count."""


@dataclass(frozen=True)
class ReportTable:
    """Rows and columns with titles, and the sentences below the table."""

    id: str
    title: str
    label_titles: tuple[str, ...]
    columns: tuple[ReportColumn, ...]
    rows: tuple[ReportRow, ...]
    notes: tuple[str, ...] = ()
    label_dimensions: tuple[str, ...] = ()
    """Ids of the dimensions of the first labels; the others are words of the table itself."""


def cell_of(table: EpisodeColumns, measure: Measure) -> ReportCell:
    """The number of all selected episodes of ``table``, as one cell."""
    result = pivot(table, (), (measure,))
    return result.cell(0, 0) if len(result.groups) else ReportCell()


def report_of(result: Pivot) -> ReportTable:
    """A pivot as a report; faults are in a sentence below it."""
    columns = tuple(
        ReportColumn(measure.id, _(measure.title), measure.unit, _(measure.how), counting=values.counting)
        for measure, values in zip(result.measures, result.columns, strict=True)
    )
    rows = tuple(
        ReportRow(
            labels,
            tuple(result.cell(row, column) for column in range(len(columns))),
            result.groups.members(row, result.table.selected),
            int(result.faults[row]),
        )
        for row, labels in enumerate(result.groups.labels)
    )
    notes = dict.fromkeys(column.note for column in result.columns if column.note)
    titles = tuple(_(dimension.title) for dimension in result.groups.dimensions)
    return ReportTable(
        "pivot", "", titles, columns, rows,
        (*notes, *episode_notes(result.table), *sample_notes(result.columns)),
        tuple(dimension.id for dimension in result.groups.dimensions),
    )  # fmt: skip


def episode_notes(table: EpisodeColumns) -> tuple[str, ...]:
    """What to know of the selected episodes: what no number counts and why, and what is stale."""
    others = table.selected & ~table.faults & ~table.stopped & ~table.offline
    faults = int(np.count_nonzero(table.faults & table.selected))
    stopped = int(np.count_nonzero(table.stopped & table.selected))
    helped = int(np.count_nonzero(table.helped & others))
    open_ = int(np.count_nonzero(others & ~table.helped & ~table.counted))
    sentences = [
        ngettext(
            "{count} episode ended by a fault of the machine; it is in no denominator.",
            "{count} episodes ended by a fault of the machine; they are in no denominator.",
            faults,
        )
    ]
    if stopped:
        sentences.append(
            ngettext(
                "{count} episode was stopped by a person; it is in no denominator.",
                "{count} episodes were stopped by people; they are in no denominator.",
                stopped,
            )
        )
    if offline := int(np.count_nonzero(table.offline & table.selected)):
        sentences.append(
            ngettext(
                "{count} episode was asked golden steps offline; measures of offline steps count it.",
                "{count} episodes were asked golden steps offline; measures of offline steps count them.",
                offline,
            )
        )
    if helped:
        sentences.append(
            ngettext(
                "{count} episode was helped by a person; it is in no denominator.",
                "{count} episodes were helped by a person; they are in no denominator.",
                helped,
            )
        )
    if open_:
        sentences.append(
            ngettext(
                "{count} episode has not ended or is not judged; it is in no denominator.",
                "{count} episodes have not ended or are not judged; they are in no denominator.",
                open_,
            )
        )
    return (*sentences, *_stale_notes(table), *pooled_notes(table))


def _stale_notes(table: EpisodeColumns) -> tuple[str, ...]:
    """How many selected episodes are stale, what changed since, and which they are."""
    counts = {part: int(np.count_nonzero(mask & table.selected)) for part, mask in table.changed.items()}
    stale = np.flatnonzero(table.stale & table.selected)
    count = len(stale)
    if not count:
        return ()
    changed = part_titles(part for part in counts if counts[part])
    sentence = ngettext(
        "{count} episode is stale: since it was run, {parts} changed. stale:no leaves it out.",
        "{count} episodes are stale: since they were run, {parts} changed. stale:no leaves them out.",
        count, parts=changed,
    )  # fmt: skip
    cells = "; ".join(_cell(table, int(row)) for row in stale[:_MOST_STALE])
    if count <= _MOST_STALE:
        return sentence, f"{cells}."
    more = ngettext(
        "{cells}; {count} more is found by stale:yes.", "{cells}; {count} more are found by stale:yes.",
        count - _MOST_STALE, cells=cells,
    )  # fmt: skip
    return sentence, more


def _cell(table: EpisodeColumns, row: int) -> str:
    """The experiment of an episode, and its cell there with seed and repeat."""
    experiment, cell = (table.texts[table.column(name)[row]] for name in ("experiment", "cell"))
    seed, repeat = (int(table.column(name)[row]) for name in ("seed", "repeat"))
    return f"{experiment}: {cell} / {seed} / {repeat}"
