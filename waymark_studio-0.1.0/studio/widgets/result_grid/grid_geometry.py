"""Where the cells of the result grid lie. Arithmetic without Qt, in logical pixels."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from collector.run.results.result_grid import ResultColumn
from studio.widgets.result_grid.cell_look import CELL_WIDTH

ROW = 23
HEAD = 23 + 21
"""The rows of agents and of conditions."""
PITCH = CELL_WIDTH + 2
_SIDE = 6
TITLE_LEFT, TITLE_RIGHT = 9, 7
"""The room beside the title of a group."""
LEAST_GROUP, MOST_GROUP = 64, 160


@dataclass(frozen=True, slots=True)
class GridGroup:
    """Neighbouring columns of an agent under a condition: their numbers, and their place."""

    agent: str
    title: str
    first: int
    last: int
    left: int
    right: int
    starts_agent: bool


class GridGeometry:
    """The places of groups and columns from the left edge of the cells."""

    def __init__(self, columns: Sequence[ResultColumn] = (), titles: Sequence[int] = ()) -> None:
        """``titles`` are the widths that the titles of the columns need."""
        self.groups: list[GridGroup] = []
        self._lefts: list[int] = []
        left = first = 0
        while first < len(columns):
            group = columns[first].group
            last = first
            while last + 1 < len(columns) and columns[last + 1].group == group:
                last += 1
            cells = _SIDE + PITCH * (last - first + 1) - 2
            width = max(cells, LEAST_GROUP, min(MOST_GROUP, titles[first] + TITLE_LEFT + TITLE_RIGHT))
            agent = columns[first].agent
            starts = not self.groups or self.groups[-1].agent != agent
            left += starts
            self.groups.append(
                GridGroup(agent, columns[first].title, first, last, left, left + width, starts)
            )
            self._lefts += [left + _SIDE + PITCH * number for number in range(last - first + 1)]
            left, first = left + width, last + 1
        self.width = left + (_SIDE if columns else 0)

    def left_of(self, column: int) -> int:
        """Where a column begins."""
        return self._lefts[column]

    def column_at(self, across: int) -> int | None:
        """The column at a distance from the left edge; None between two groups."""
        number = bisect_right(self._lefts, across) - 1
        if number < 0 or across >= self._lefts[number] + PITCH:
            return None
        return number

    def columns_within(self, left: int, right: int) -> range:
        """The columns that lie at least partly between two distances."""
        first = max(0, bisect_right(self._lefts, left) - 1)
        return range(first, bisect_right(self._lefts, right))

    def group_of(self, column: int) -> GridGroup:
        """The group that a column belongs to."""
        number = bisect_right([group.first for group in self.groups], column) - 1
        return self.groups[number]

    def agents(self) -> list[tuple[str, int, int]]:
        """Each agent with the left and the right edge of its groups."""
        spans: list[tuple[str, int, int]] = []
        for group in self.groups:
            if group.starts_agent:
                spans.append((group.agent, group.left, group.right))
            else:
                agent, left, _right = spans[-1]
                spans[-1] = (agent, left, group.right)
        return spans
