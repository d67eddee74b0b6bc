"""The table of a solvability check: which trial a cell stands for, and what is said of it."""

from __future__ import annotations

from collector.replay.outcomes import RecoveryMove
from collector.replay.solvability.trials import TrialResult, TrialStep
from rule_editor.widgets.cell_grid import GridCell
from studio.views.solvability.result_table import (
    RESULT_APPEARANCE,
    RESULT_BACKGROUND,
    RESULT_LABELS,
    SolvabilityTable,
    summary_words,
)
from tests.helpers.solvability import BROKEN, STOPPED, plan, trial

PLAN = plan("one", "two", "three")
RECOVERED = trial("one", "quiet", TrialResult.RECOVERED, met_at=0, ways=(RecoveryMove.REOPENED,))
ALL = (
    trial("one", "low"),
    RECOVERED,
    STOPPED,
    trial("two", "quiet", TrialResult.NOT_MET, why="no SIM"),
    BROKEN,
)


def test_every_result_has_a_shape_of_its_own():
    assert set(RESULT_APPEARANCE) == set(RESULT_LABELS) == set(TrialResult)
    assert len({icon for icon, _tone in RESULT_APPEARANCE.values()}) == len(TrialResult)
    assert set(RESULT_BACKGROUND) < set(TrialResult)


def test_cells_say_what_became_of_them():
    table = SolvabilityTable(PLAN, ALL)
    words = [[table.words(GridCell(row, column)) for column in range(2)] for row in range(3)]
    assert words == [["solvable", "with recovery"], ["step 3", "not injected"], ["cannot be replayed"] * 2]
    assert (
        table.description(GridCell(1, 0))
        .splitlines()[1]
        .startswith("accepted: stops at step 3. Expected: 'Buy'")
    )
    assert [table.tally(row) for row in (0, 1)] == [(2, 2), (0, 1)]
    assert summary_words(table) == "2 of 3 stay solvable, 1 not injected, one task cannot be replayed"


def test_a_cell_of_several_runs_stands_for_the_worst_that_was_met():
    runs = (
        trial("one", "low"),
        trial("one", "low", TrialResult.STOPS),
        trial("one", "low", TrialResult.NOT_MET),
    )
    table = SolvabilityTable(PLAN, runs)
    assert table.worst(GridCell(0, 0)) is runs[1]
    assert table.words(GridCell(0, 0)) == "not done 1/3"
    assert SolvabilityTable(PLAN, runs[::2]).worst(GridCell(0, 0)) is runs[0]


def test_what_is_to_come_and_what_runs_are_told_apart():
    table = SolvabilityTable(PLAN)
    assert (table.words(GridCell(0, 0)), summary_words(table)) == ("", "")
    table.doing = TrialStep("one", "low", "accept", 0, 3)
    assert table.words(GridCell(0, 0)) == "running"
    assert table.description(GridCell(0, 0)) == "one / low: it runs now"
    assert table.description(GridCell(0, 1)) == "one / quiet: not tried yet"
    assert not table.has(GridCell(3, 0))
    assert not table.has(GridCell(0, -1))
