"""The results of an experiment as a grid: tasks down, agents, conditions and seeds across.

What each cell has come to is known by :class:`~collector.run.progress.RunProgress`; the grid arranges and
counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from collector.model.episode_text import condition_name, fault_text
from collector.model.i18n import N_, _, join_sentences
from collector.model.reasons.stored_reasons import shown_reason
from collector.model.verdicts.judgement import FAILURE, SUCCESS, UNCOMPLETED
from collector.run.experiment.model import Cell
from collector.run.progress import ANSWERED, FAULT, RUNNING, UNJUDGED, WAITING, CellProgress
from collector.store.trajectory.fingerprint import part_titles

COUNTED = (SUCCESS, FAILURE, UNCOMPLETED)
"""Statuses that a success rate is a share of."""
STATUS_WORDS: Mapping[str, str] = {
    SUCCESS: N_("success"),
    FAILURE: N_("failure"),
    UNCOMPLETED: N_("uncompleted"),
    UNJUDGED: N_("not judged"),
    ANSWERED: N_("answered"),
    FAULT: N_("fault of the machine"),
    RUNNING: N_("running"),
    WAITING: N_("waiting"),
}


@dataclass(frozen=True, slots=True)
class ResultColumn:
    """A column of the grid: one agent under one condition, with one seed and repeat."""

    agent: str
    condition: str
    details: tuple[str, ...] = ()
    """Modality, variation, language and goal style, as far as they differ within an agent."""
    seed: int = 0
    repeat: int = 0

    @property
    def group(self) -> tuple[str, str, tuple[str, ...]]:
        """What its seeds and repeats share."""
        return (self.agent, self.condition, self.details)

    @property
    def title(self) -> str:
        """The condition for a header, with the details."""
        return " · ".join((condition_name(self.condition), *self.details))


@dataclass(frozen=True, slots=True)
class ResultPlace:
    """A cell of the grid: the number of its task and of its column, from 0."""

    row: int
    column: int


@dataclass(frozen=True, slots=True)
class ResultRate:
    """The outcomes of an agent under a condition, counted."""

    agent: str
    condition: str
    counts: Mapping[str, int]
    """By status of a cell."""

    @property
    def counted(self) -> int:
        """The episodes that a rate is a share of."""
        return sum(self.counts.get(status, 0) for status in COUNTED)

    @property
    def total(self) -> int:
        """All cells, those that wait included."""
        return sum(self.counts.values())

    @property
    def success(self) -> float | None:
        """The share of successes, from 0 to 1; None before an episode counts."""
        return self.counts.get(SUCCESS, 0) / self.counted if self.counted else None


class ResultGrid:
    """The cells of an experiment in rows and columns, and their statuses counted by row."""

    def __init__(self, cells: Sequence[Cell] = (), known: Mapping[str, CellProgress] | None = None) -> None:
        """``known`` is read when cells are asked for: the ``cells`` of a RunProgress."""
        self._known = known if known is not None else {}
        self.row_names: tuple[str, ...] = tuple(dict.fromkeys(map(_row_name, cells)))
        """The tasks; where agents begin at steps, or are asked golden ones, a row for each of these."""
        varying = _varying(cells)
        order = _column_order(cells, varying)
        self.columns: tuple[ResultColumn, ...] = tuple(order)
        rows = {name: number for number, name in enumerate(self.row_names)}
        self._places: dict[str, ResultPlace] = {}
        self._cells: list[list[Cell | None]] = [[None] * len(order) for _name in self.row_names]
        for cell in cells:
            place = ResultPlace(rows[_row_name(cell)], order[_column(cell, varying)])
            self._places[cell.id] = place
            self._cells[place.row][place.column] = cell
        self._statuses = [[WAITING if cell is not None else "" for cell in row] for row in self._cells]
        self._row_counts: list[Counter[str]] = [
            Counter({WAITING: sum(cell is not None for cell in row)}) for row in self._cells
        ]
        self._counts = Counter({WAITING: len(self._places)})
        self.update(self._places)

    @property
    def total(self) -> int:
        """How many cells there are."""
        return len(self._places)

    def cell(self, place: ResultPlace) -> Cell | None:
        """The cell at a place; None where the experiment has none."""
        inside = 0 <= place.row < len(self.row_names) and 0 <= place.column < len(self.columns)
        return self._cells[place.row][place.column] if inside else None

    def place_of(self, cell_id: str) -> ResultPlace | None:
        """Where the cell with this id is."""
        return self._places.get(cell_id)

    def result(self, place: ResultPlace) -> CellProgress | None:
        """What the cell at a place has come to; None where the experiment has no cell."""
        cell = self.cell(place)
        return None if cell is None else self._known.get(cell.id) or CellProgress(cell.id)

    def status(self, place: ResultPlace) -> str:
        """The status of the cell at a place, as it was counted; empty where the experiment has no cell."""
        return self._statuses[place.row][place.column] if self.cell(place) is not None else ""

    def row_statuses(self, row: int) -> Sequence[str]:
        """The statuses of a task's cells, column by column; empty texts where there is no cell."""
        return self._statuses[row]

    def stale_columns(self, row: int) -> frozenset[int]:
        """The columns of a task's cells whose results other things made than those of now."""
        cells = enumerate(self._cells[row])
        return frozenset(
            column for column, cell in cells
            if cell is not None and (known := self._known.get(cell.id)) is not None and known.stale
        )  # fmt: skip

    @property
    def stale(self) -> Mapping[str, tuple[str, ...]]:
        """Cells, by id, whose results are stale -> the parts that changed since."""
        known = self._known.items()
        return {cell: result.stale for cell, result in known if result.stale and cell in self._places}

    def row_counts(self, row: int) -> Mapping[str, int]:
        """How many cells of a task have each status."""
        return self._row_counts[row]

    def success_of(self, row: int) -> float | None:
        """The share of successes of a task, from 0 to 1; None before an episode counts."""
        counts = self._row_counts[row]
        counted = sum(counts[status] for status in COUNTED)
        return counts[SUCCESS] / counted if counted else None

    def counts(self) -> Mapping[str, int]:
        """How many cells have each status; a status that no cell has may be left out."""
        return self._counts

    def rates(self) -> list[ResultRate]:
        """The outcomes by agent and condition, in the order of the columns."""
        counters: dict[tuple[str, str], Counter[str]] = {
            (column.agent, column.condition): Counter() for column in self.columns
        }
        for place in self._places.values():
            column = self.columns[place.column]
            counters[column.agent, column.condition][self._statuses[place.row][place.column]] += 1
        return [ResultRate(agent, condition, counts) for (agent, condition), counts in counters.items()]

    def update(self, cell_ids: Iterable[str]) -> list[ResultPlace]:
        """Count these cells anew, after they changed; return the places with another status."""
        changed = []
        for cell_id in cell_ids:
            place, known = self._places.get(cell_id), self._known.get(cell_id)
            if place is None or known is None:
                continue
            before = self._statuses[place.row][place.column]
            if known.status != before:
                for counts in (self._row_counts[place.row], self._counts):
                    counts[before] -= 1
                    counts[known.status] += 1
                self._statuses[place.row][place.column] = known.status
                changed.append(place)
        return changed


def _row_name(cell: Cell) -> str:
    place = cell.start or cell.offline
    return f"{cell.task} · {place}" if place else cell.task


def _varying(cells: Sequence[Cell]) -> tuple[str, ...]:
    """The details that differ within the cells of one agent: an agent's only modality tells nothing."""
    names = ("modality", "variation", "language", "goal_style")
    seen: dict[tuple[str, str], set[str]] = {}
    for cell in cells:
        for name in names:
            seen.setdefault((cell.agent, name), set()).add(getattr(cell, name))
    return tuple(
        name for name in names if any(len(values) > 1 for (_a, key), values in seen.items() if key == name)
    )


def _column(cell: Cell, varying: tuple[str, ...]) -> ResultColumn:
    details = tuple(getattr(cell, name) or _("default") for name in varying)
    return ResultColumn(cell.agent, cell.condition, details, cell.seed, cell.repeat)


def _column_order(cells: Sequence[Cell], varying: tuple[str, ...]) -> dict[ResultColumn, int]:
    """The number of each column: agents, then conditions, then seeds, each as they come in the matrix."""
    columns = dict.fromkeys(_column(cell, varying) for cell in cells)
    ranks: tuple[dict[object, int], ...] = ({}, {}, {}, {}, {})
    for column in columns:
        for rank, value in zip(ranks, _parts(column), strict=True):
            rank.setdefault(value, len(rank))

    def order(column: ResultColumn) -> list[int]:
        return [rank[value] for rank, value in zip(ranks, _parts(column), strict=True)]

    return {column: number for number, column in enumerate(sorted(columns, key=order))}


def _parts(column: ResultColumn) -> tuple[object, ...]:
    return (column.agent, column.condition, column.details, column.seed, column.repeat)


def status_text(status: str) -> str:
    """The status of a cell in words."""
    word = STATUS_WORDS.get(status)
    return _(word) if word else status


def result_text(result: CellProgress) -> str:
    """What a cell has come to, in words, with the reason."""
    words = status_text(result.status)
    if result.early_stop:
        words = _("{outcome}, stopped early", outcome=words)
    why = fault_text(result.infrastructure) or shown_reason(result.reason)
    if why and result.status == WAITING:
        words = _("waiting to be run again")
    words = f"{words}: {why}" if why else words
    if result.stale:
        changed = _("stale: since it was run, {parts} changed", parts=part_titles(result.stale))
        return join_sentences(words, changed)
    return words


def cell_text(cell: Cell) -> str:
    """A cell in words for people: task, agent, condition and what tells it from its neighbours."""
    details = [cell.modality, cell.variation, cell.language, cell.goal_style, cell.start, cell.offline]
    details.append(_("seed {number}", number=cell.seed))
    if cell.repeat:
        details.append(_("repeat {number}", number=cell.repeat))
    return " · ".join(filter(None, (cell.task, cell.agent, cell.condition, *details)))
