"""The rows of the back-test matrix, filtered and sorted."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from collector.rules.backtest.backtest import BackTestResult
from collector.rules.backtest.backtest_rows import BackTestRow
from rule_editor.widgets.cell_grid import GridCell


class MatrixOrder(StrEnum):
    """The order of the rows."""

    RECORDED = "recorded"
    FIRST_FIRE = "first-fire"
    MOST_FIRES = "most-fires"
    WRONG = "wrong"


class MatrixRows:
    """The rows of one result, filtered and sorted."""

    def __init__(self) -> None:
        self._all: Sequence[BackTestRow] = ()
        self._text = ""
        self._order = MatrixOrder.RECORDED
        self.shown: list[BackTestRow] = []

    @property
    def order(self) -> MatrixOrder:
        return self._order

    @property
    def columns(self) -> int:
        """Number of states of the longest trajectory shown."""
        return max((len(row.outcomes) for row in self.shown), default=0)

    def set_result(self, result: BackTestResult | None) -> None:
        self._all = result.rows if result is not None else ()
        self._arrange()

    def set_filter(self, text: str) -> None:
        """Show rows whose task, title, person or kind contain every word of ``text``."""
        self._text = text
        self._arrange()

    def set_order(self, order: MatrixOrder) -> None:
        self._order = order
        self._arrange()

    def cell_of(self, position: int) -> GridCell | None:
        """The cell of a position of the corpus; None when its row is filtered out."""
        for number, row in enumerate(self.shown):
            if row.first <= position < row.first + len(row.outcomes):
                return GridCell(number, position - row.first)
        return None

    def position_of(self, cell: GridCell) -> int | None:
        """The position of a cell in the corpus; None for a cell after the end of its trajectory."""
        if not 0 <= cell.row < len(self.shown):
            return None
        row = self.shown[cell.row]
        return row.first + cell.column if 0 <= cell.column < len(row.outcomes) else None

    def _arrange(self) -> None:
        words = self._text.lower().split()
        rows = [row for row in self._all if all(word in _searchable(row) for word in words)]
        if self._order is MatrixOrder.FIRST_FIRE:
            rows.sort(key=lambda row: (row.first_fire is None, row.first_fire or 0))
        elif self._order is MatrixOrder.MOST_FIRES:
            rows.sort(key=lambda row: -row.fires)
        elif self._order is MatrixOrder.WRONG:
            rows.sort(key=lambda row: -(len(row.wrong) + len(row.missed)))
        self.shown = rows


def _searchable(row: BackTestRow) -> str:
    header = row.trajectory
    return f"{header.task_id} {header.title} {header.who} {header.kind} {header.id}".lower()
