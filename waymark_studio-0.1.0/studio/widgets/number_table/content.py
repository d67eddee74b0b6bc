"""What a table of numbers shows: columns of texts and of numbers, row by row. No Qt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class ColumnKind(StrEnum):
    """How the cells of a column are painted."""

    LABEL = "label"
    NUMBER = "number"
    INTERVAL = "interval"
    """The number of another column as a mark with its 95 % interval, on a track from 0 to 100 %."""


@dataclass(frozen=True, slots=True, eq=False)
class NumberColumn:
    """A column. Arrays have one entry a row; ``nan`` where there is no number."""

    title: str
    kind: ColumnKind = ColumnKind.NUMBER
    tip: str = ""
    group: str = ""
    """Title over neighbouring columns; empty without one."""
    texts: tuple[str, ...] = ()
    """What is written, row by row; of an interval what assistive technology reads."""
    details: tuple[str, ...] = ()
    """What is written after a label, in a quieter tone."""
    values: Floats | None = None
    """What rows are sorted by, else by the texts; where the mark of an interval stands: 0 to 1."""
    low: Floats | None = None
    high: Floats | None = None
    marks: Floats | None = None
    """Where the baseline of a row stands on the track of an interval."""
    describe: Callable[[int], str] | None = None
    """What a tooltip says of the number of a row."""
    report_column: int = -1
    """The column of the report whose number is selected by a click; -1 for none."""
    is_main: bool = False
    """Whether its numbers stand out."""


@dataclass(frozen=True, slots=True, eq=False)
class TableContent:
    """Columns and how many rows they have."""

    columns: tuple[NumberColumn, ...] = ()
    row_count: int = 0
    keys: tuple[tuple[str, ...], ...] = field(default=())
    """What identifies each row, so that the selected one stays selected when other numbers arrive."""

    @property
    def is_grouped(self) -> bool:
        """Whether some columns have a title over them."""
        return any(column.group for column in self.columns)

    def sorted_rows(self, column: int, *, descending: bool) -> Ints:
        """The numbers of the rows in the order of a column; rows without a number come last."""
        chosen = self.columns[column]
        rows = np.arange(self.row_count)
        if chosen.values is None:
            texts = [text.casefold() for text in chosen.texts]
            return np.array(sorted(rows.tolist(), key=texts.__getitem__, reverse=descending), np.int64)
        known = ~np.isnan(chosen.values)
        values = chosen.values[known]
        order = np.argsort(-values if descending else values, kind="stable")
        return np.concatenate([rows[known][order], rows[~known]])

    def is_repeated(self, row: int, before: int, column: int) -> bool:
        """Whether a label and those left of it are the same in two rows, so that it is not written again."""
        return all(label.texts[row] == label.texts[before] for label in self.columns[: column + 1])
