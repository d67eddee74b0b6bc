"""What every grid of painted cells does the same: walk, open, describe and copy, by keys and by mouse."""

from __future__ import annotations

from itertools import accumulate

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from collector.anomalies.rehearsal import RehearsalOutcome, RehearsedRule
from collector.anomalies.rehearsal_run import RehearsedState
from collector.model.geometry import Size
from collector.rules.backtest.backtest import BackTestResult
from collector.rules.backtest.backtest_rows import BackTestRows
from collector.rules.columns.corpus import TrajectoryRef
from collector.rules.columns.verdict_columns import FIRES, SILENT
from collector.rules.grammar.model import INJECTION, Rule
from collector.run.results.result_grid import ResultGrid
from rule_editor.widgets.cell_grid import GridCell
from rule_editor.widgets.matrix.rows import MatrixOrder, MatrixRows
from rule_editor.widgets.matrix.view import MatrixView
from studio.theme import theme
from studio.views.rules.rehearsal.lane_rows import LaneRows
from studio.views.rules.rehearsal.lane_view import LaneView
from studio.views.solvability.matrix_view import SolvabilityMatrix
from studio.views.solvability.result_table import SolvabilityTable
from studio.widgets.metric_plots.heat_cells import HeatCell, HeatSheet
from studio.widgets.metric_plots.heat_map_view import HeatMapView
from studio.widgets.result_grid.grid_view import ResultGridView
from tests.helpers.run_feed import sample_cells
from tests.helpers.solvability import STOPPED, plan, trial


def matrix_rows(*lengths):
    """The rows of a rule that fires on the last state of each trajectory of so many states."""
    outcomes = b"".join(bytes([SILENT] * (length - 1) + [FIRES]) for length in lengths)
    starts = list(accumulate(lengths, initial=0))
    refs = [TrajectoryRef(f"t{at}", f"task-{at}", "golden", "lin", "golden-1") for at in range(len(lengths))]
    tested = BackTestRows(refs, starts, outcomes, {})
    rows = MatrixRows()
    rows.set_result(BackTestResult(Rule(id="r", kind=INJECTION), "waymark", tested, 0.0, None))
    return rows


def back_test():
    return MatrixView(theme, matrix_rows(4, 9, 2))


def lane():
    def state(number):
        cells = {
            name: RehearsedRule(number, Rule(id=name, kind=INJECTION), RehearsalOutcome.SILENT, "No match")
            for name in ("first", "second", "third")
        }
        return RehearsedState(number, None, Size(9, 9), cells=cells)

    rows = LaneRows()
    rows.show([state(number) for number in range(1, 9)], ["first", "second", "third"])
    return LaneView(rows)


def results():
    view = ResultGridView()
    view.show_grid(ResultGrid(sample_cells(12), {}))
    return view


def solvability():
    view = SolvabilityMatrix()
    view.show_table(SolvabilityTable(plan("one", "two", "three"), (trial("one", "low"), STOPPED)), {})
    return view


def heat_map():
    names = tuple("abcdefgh")
    cells = tuple(
        tuple(HeatCell(40.0, "40.0", "2/5", f"{row}, {column}: 40.0 %\n2 of 5") for column in names)
        for row in names
    )
    view = HeatMapView("Success by two factors")
    view.show_sheet(HeatSheet(names, names, cells))
    return view


@pytest.fixture(params=[back_test, lane, results, solvability, heat_map])
def grid(request, hosted):
    return hosted(request.param(), 720, 220)


@pytest.fixture
def heard(grid):
    keys = {"chosen": [], "opened": []}
    grid.chosen.connect(keys["chosen"].append)
    grid.opened.connect(keys["opened"].append)
    return keys


def press(grid, *keys, modifiers=Qt.KeyboardModifier.NoModifier):
    for key in keys:
        QTest.keyClick(grid, key, modifiers)


def test_arrows_home_end_and_paging_walk_and_stop_at_the_edges(grid, heard):
    grid.set_current(grid.key_of(GridCell(0, 0)))
    for key, place in (
        (Qt.Key.Key_Left, (0, 0)), (Qt.Key.Key_Up, (0, 0)), (Qt.Key.Key_Right, (0, 1)),
        (Qt.Key.Key_Down, (1, 1)), (Qt.Key.Key_Home, (1, 0)), (Qt.Key.Key_PageUp, (0, 0)),
    ):  # fmt: skip
        press(grid, key)
        assert grid.current_cell == GridCell(*place)
        assert heard["chosen"][-1] == grid.current == grid.key_of(GridCell(*place))
    press(grid, Qt.Key.Key_End, Qt.Key.Key_Right, *[Qt.Key.Key_PageDown] * 20)
    last = grid.current_cell
    assert last.row == grid.row_count() - 1
    assert grid.cells_rect().contains(grid.cell_rect(last).center())
    assert heard["opened"] == []


def test_the_first_key_goes_to_a_cell_and_without_cells_nowhere(grid):
    press(grid, Qt.Key.Key_Down)
    assert grid.current_cell == grid.first_cell()
    grid.set_current(None)
    assert grid.current is None
    assert grid.accessibleDescription() == ""


@pytest.mark.parametrize("modifier", [Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier])
def test_both_enter_keys_open_the_current_cell_alone(grid, heard, modifier):
    press(grid, Qt.Key.Key_Enter, modifiers=modifier)
    assert heard["opened"] == [], "no cell is current"
    press(grid, Qt.Key.Key_Down)
    press(grid, Qt.Key.Key_Return, Qt.Key.Key_Enter, modifiers=modifier)
    press(grid, Qt.Key.Key_Return, modifiers=Qt.KeyboardModifier.ControlModifier)
    assert heard["opened"] == [grid.current] * 2


def test_a_click_chooses_and_a_double_click_opens(grid, heard):
    cell = GridCell(1, 1)
    place = grid.cell_rect(cell).center()
    QTest.mouseClick(grid.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert heard["chosen"] == [grid.key_of(cell)]
    assert heard["opened"] == heard["chosen"] * grid.opens_on_click
    QTest.mouseDClick(grid.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert heard["opened"][-1] == grid.key_of(cell)
    QTest.mouseClick(grid.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(grid.width() - 3, 200))
    assert grid.current_cell == cell, "beside the cells nothing is chosen"


def test_the_cell_is_read_shown_in_its_tooltip_and_copied_in_the_same_words(grid):
    assert grid.accessibleName()
    press(grid, Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Home)
    words = grid.describe(grid.current_cell)
    assert words
    assert grid.accessibleDescription() == words
    assert grid.tip_at(grid.cell_rect(grid.current_cell).center()).split() == words.split()
    press(grid, Qt.Key.Key_C, modifiers=Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == words
    name = grid.tip_at(QPoint(20, grid.cell_rect(grid.current_cell).center().y()))
    assert name
    assert grid.tip_at(QPoint(-5, -5)) == ""


def test_a_menu_is_opened_on_the_cell_under_the_pointer_or_on_the_current_one(grid):
    assert grid.choose_at(None) is None
    place = grid.cell_rect(GridCell(1, 0)).center()
    assert grid.choose_at(place) == place
    assert grid.current_cell == GridCell(1, 0)
    assert grid.choose_at(None) == place
    assert grid.choose_at(QPoint(grid.width() - 3, 200)) is None


def test_letters_stay_commands_and_a_cell_set_by_the_program_is_not_announced(grid, heard):
    assert grid.property("takesNavigationKeys") is True
    grid.set_current(grid.key_of(GridCell(1, 0)))
    grid.refresh()
    press(grid, Qt.Key.Key_N)
    assert heard == {"chosen": [], "opened": []}
    assert grid.current_cell == GridCell(1, 0)


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_the_current_cell_is_framed_in_both_themes(grid, scheme):
    theme.use(scheme)
    plain = grid.viewport().grab().toImage()
    grid.set_current(grid.key_of(GridCell(1, 1)))
    framed = grid.viewport().grab().toImage()
    box = grid.cell_rect(GridCell(1, 1))
    assert framed.copy(box) != plain.copy(box)
    assert framed.copy(0, 0, grid.names_width, 5) == plain.copy(0, 0, grid.names_width, 5)


def test_a_cell_stays_current_where_sorting_and_filtering_put_it(hosted):
    rows = matrix_rows(4, 9, 2)
    view = hosted(MatrixView(theme, rows), 720, 220)
    view.go(GridCell(1, 3))
    key = view.current
    rows.set_order(MatrixOrder.FIRST_FIRE)
    view.refresh()
    assert view.current == key
    assert view.current_cell == rows.cell_of(key)
    rows.set_filter("nothing has these words")
    view.refresh()
    assert view.current is None
    rows.set_filter("")
    view.refresh()
    assert view.current == key


def test_end_goes_to_the_last_cell_of_a_short_row_and_down_into_one(hosted):
    rows = matrix_rows(4, 9, 2)
    view = hosted(MatrixView(theme, rows), 720, 220)
    view.go(GridCell(1, 0))
    press(view, Qt.Key.Key_End)
    assert view.current_cell == GridCell(1, 8)
    press(view, Qt.Key.Key_Down)
    assert view.current_cell == GridCell(2, 1)
    press(view, Qt.Key.Key_Home, Qt.Key.Key_End, Qt.Key.Key_Right)
    assert view.current_cell == GridCell(2, 1)
