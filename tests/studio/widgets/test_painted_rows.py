"""Assistive technology reads the rows and cells of what is painted: matrices, timeline, graph of states."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest

from rule_editor.widgets.cell_grid import GridCell
from studio.widgets.state_graph.canvas import StateGraphCanvas
from studio.widgets.state_graph.state_card import StateCard
from studio.widgets.thumbnail_cache import ThumbnailCache
from studio.widgets.timeline.canvas import TimelineCanvas
from studio.widgets.timeline.lanes import state_mark, step_track
from tests.helpers.sample_steps import sample_steps
from tests.studio.widgets.test_cell_grid import back_test, lane, results, solvability


@pytest.fixture(autouse=True)
def _reading():
    QAccessible.setActive(True)
    yield
    QAccessible.setActive(False)


def read(item):
    return item.text(QAccessible.Text.Name)


def parts(item):
    return [item.child(number) for number in range(item.childCount())]


def focus(widget):
    widget.window().activateWindow()
    assert QTest.qWaitForWindowActive(widget.window())
    widget.setFocus()


@pytest.mark.parametrize("make", [back_test, lane, results, solvability])
def test_a_matrix_has_named_rows_and_cells_in_their_places(hosted, make):
    grid = hosted(make(), 720, 220)
    table = QAccessible.queryAccessibleInterface(grid)
    rows = parts(table)
    assert (table.role(), len(rows)) == (QAccessible.Role.Table, grid.row_count())
    assert all(read(row) and row.parent() is table for row in rows)
    cells = parts(rows[0])
    assert all(cell.role() == QAccessible.Role.Cell and read(cell) for cell in cells)
    last = GridCell(0, len(cells) - 1)
    assert read(cells[-1]).split() == ", ".join(grid.describe(last).splitlines()).split()
    assert cells[0].rect().topLeft() == grid.viewport().mapToGlobal(grid.cell_rect(GridCell(0, 0)).topLeft())
    assert rows[0].childAt(*cells[0].rect().center().toTuple()) is cells[0]
    focus(grid)
    grid.set_current(grid.key_of(GridCell(0, 0)))
    assert table.focusChild() is cells[0]
    assert cells[0].state().focused
    assert not cells[-1].state().focused


def test_rows_that_are_scrolled_away_are_there_and_said_to_be_out_of_sight(hosted):
    grid = hosted(results(), 500, 60)
    rows = parts(QAccessible.queryAccessibleInterface(grid))
    assert not rows[0].state().invisible
    assert rows[-1].state().invisible
    assert read(rows[-1])


def test_the_timeline_has_a_row_a_lane_and_a_cell_a_step_or_mark(hosted):
    canvas = hosted(TimelineCanvas(ThumbnailCache()), 1100, 220)
    canvas.set_track(step_track("a", sample_steps(), states=[state_mark(2, "Signed in")]))
    rows = {read(row): row for row in parts(QAccessible.queryAccessibleInterface(canvas))}
    assert set(rows) == {"Steps", "Actions", "States"}
    count = canvas.track.count
    assert [read(cell) for cell in parts(rows["Steps"])][:2] == [f"Step 1 of {count}", f"Step 2 of {count}"]
    assert [read(cell) for cell in parts(rows["States"])] == ["Step 3: Signed in"]
    assert read(parts(rows["Actions"])[0]) == "Step 1: Shop"
    focus(canvas)
    QTest.keyClick(canvas, Qt.Key.Key_Right)
    assert read(QAccessible.queryAccessibleInterface(canvas).focusChild()) == f"Step 2 of {count}"


def test_the_graph_of_states_has_a_row_of_cards_and_one_of_steps(hosted):
    canvas = hosted(StateGraphCanvas(ThumbnailCache()), 900, 380)
    canvas.set_cards(
        [StateCard("a", "M1", "Signed in", "flag", step=1), StateCard("b", "M2", "In the cart", "flag")]
    )
    canvas.set_film("t", sample_steps())
    cards, steps = parts(QAccessible.queryAccessibleInterface(canvas))
    assert [read(cards), read(steps)] == ["Essential states", "Steps"]
    assert [read(card) for card in parts(cards)] == ["M1 Signed in, reached at step 2", "M2 In the cart"]
    assert len(parts(steps)) == len(sample_steps())
    assert all(read(step).startswith(f"Step {number}: ") for number, step in enumerate(parts(steps), 1))
    focus(canvas)
    canvas.set_selected("b")
    assert read(QAccessible.queryAccessibleInterface(canvas).focusChild()) == "M2 In the cart"


def test_its_parts_go_with_the_widget(hosted):
    grid = hosted(results(), 500, 200)
    table = QAccessible.queryAccessibleInterface(grid)
    ids = [QAccessible.uniqueId(part) for row in parts(table) for part in (row, *parts(row))]
    assert all(QAccessible.accessibleInterface(each) is not None for each in ids)
    del table
    grid.setParent(None)
    grid.deleteLater()
    QTest.qWait(0)
    assert all(QAccessible.accessibleInterface(each) is None for each in ids)
