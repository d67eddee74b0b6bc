"""The rows of the result grid: which tasks are shown, and in which order."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from collector.run.results.result_grid import ResultGrid, ResultPlace


class ResultOrder(StrEnum):
    """The order of the rows."""

    TASK = "task"
    """As in the experiment."""
    NAME = "name"
    WORST = "worst"
    """The lowest success rate first."""
    BEST = "best"


class ResultRows:
    """Numbers of the tasks that are shown, sorted; a cell that the filter leaves out is drawn faintly."""

    def __init__(self) -> None:
        self.grid = ResultGrid()
        self.order = ResultOrder.TASK
        self.statuses: frozenset[str] = frozenset()
        """Rows with a cell of one of these are shown; all when empty."""
        self.shown: list[int] = []
        self._rows: dict[int, int] = {}

    def set_grid(self, grid: ResultGrid) -> None:
        """Show another grid."""
        self.grid = grid
        self.arrange()

    def set_order(self, order: ResultOrder) -> None:
        """Sort the rows."""
        self.order = order
        self.arrange()

    def set_statuses(self, statuses: Iterable[str]) -> None:
        """Show the rows with a cell of these statuses; all rows when there are none."""
        self.statuses = frozenset(statuses)
        self.arrange()

    def accepts(self, status: str) -> bool:
        """Whether a cell of this status passes the filter."""
        return not self.statuses or status in self.statuses

    def place(self, row: int, column: int) -> ResultPlace | None:
        """The place in the grid of a cell by the row that is shown; None where there is no cell."""
        if not 0 <= row < len(self.shown):
            return None
        place = ResultPlace(self.shown[row], column)
        return place if self.grid.cell(place) is not None else None

    def row_of(self, place: ResultPlace) -> int | None:
        """The shown row of a place; None when it is filtered out."""
        return self._rows.get(place.row)

    def arrange(self) -> None:
        """Filter and sort again, after results changed."""
        grid = self.grid
        rows = [
            number for number in range(len(grid.row_names))
            if not self.statuses or any(grid.row_counts(number).get(status) for status in self.statuses)
        ]  # fmt: skip
        if self.order is ResultOrder.NAME:
            rows.sort(key=lambda number: grid.row_names[number].casefold())
        elif self.order is not ResultOrder.TASK:
            sign = 1 if self.order is ResultOrder.WORST else -1
            rows.sort(key=lambda number: _by_rate(grid.success_of(number), sign))
        self.shown = rows
        self._rows = {task: number for number, task in enumerate(rows)}


def _by_rate(rate: float | None, sign: int) -> tuple[bool, float]:
    """Sort tasks without a rate last."""
    return (rate is None, sign * (rate or 0.0))
