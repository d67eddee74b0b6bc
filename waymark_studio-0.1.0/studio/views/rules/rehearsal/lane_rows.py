"""The rows of the lane: rules in the order they are tried, and what each did at every state; no painting."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from collector.anomalies.rehearsal import RehearsalOutcome, RehearsedRule
from collector.anomalies.rehearsal_run import RehearsedState


@dataclass(frozen=True, slots=True)
class LaneCell:
    """A cell: a rule by its id, a state by its number."""

    rule_id: str
    number: int


class LaneRows:
    """The rules down, the states across."""

    def __init__(self) -> None:
        self.rules: list[str] = []
        self.moments: Sequence[RehearsedState] = ()

    def show(self, moments: Sequence[RehearsedState], tried: Sequence[str]) -> None:
        """Show the rules that are ``tried`` now, followed by those tried only before."""
        self.moments = moments
        before = [rule_id for moment in reversed(moments) for rule_id in moment.cells]
        self.rules = list(dict.fromkeys([*tried, *before]))

    def result(self, row: int, column: int) -> RehearsedRule | None:
        """Return what a rule did at a state; None when it was not tried, or there is no such cell."""
        if not (0 <= row < len(self.rules) and 0 <= column < len(self.moments)):
            return None
        return self.moments[column].cells.get(self.rules[row])

    def cell_at(self, row: int, column: int) -> LaneCell | None:
        """Return the cell at a row and a column; None outside."""
        if not (0 <= row < len(self.rules) and 0 <= column < len(self.moments)):
            return None
        return LaneCell(self.rules[row], self.moments[column].number)

    def place_of(self, cell: LaneCell) -> tuple[int, int] | None:
        """Return row and column of a cell; None when it is no longer shown."""
        column = cell.number - self.moments[0].number if self.moments else -1
        if cell.rule_id not in self.rules or not 0 <= column < len(self.moments):
            return None
        return self.rules.index(cell.rule_id), column

    def notable_cell(self, moment: RehearsedState, before: LaneCell | None) -> LaneCell | None:
        """Return the cell of a new state to explain: one that fires, or that of the rule before."""
        for shown in (RehearsalOutcome.FIRED, RehearsalOutcome.WOULD_FIRE, RehearsalOutcome.FAILED):
            for rule_id, cell in moment.cells.items():
                if cell.shown is shown:
                    return LaneCell(rule_id, moment.number)
        rule_id = before.rule_id if before is not None else next(iter(moment.cells), "")
        return LaneCell(rule_id, moment.number) if rule_id in moment.cells else None
