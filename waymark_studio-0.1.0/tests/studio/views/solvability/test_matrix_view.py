"""The matrix and the facts beside it, by mouse and keyboard."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QHelpEvent, QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QToolTip

from rule_editor.widgets.cell_grid import GridCell
from studio.theme import theme
from studio.views.solvability.matrix_view import SolvabilityMatrix
from studio.views.solvability.result_table import SolvabilityTable
from studio.views.solvability.trial_details import TrialDetailsPanel
from studio.widgets.controls import Button
from tests.helpers.solvability import BROKEN, STOPPED, plan, trial

pytestmark = pytest.mark.qt_log_ignore("raise", "not accepted by receiving widget", extend=True)
PLAN = plan("one", "two", "three")


@pytest.fixture
def matrix(dressed, qtbot):
    matrix_view = SolvabilityMatrix()
    qtbot.addWidget(matrix_view)
    matrix_view.resize(900, 200)
    matrix_view.show_table(SolvabilityTable(PLAN, (trial("one", "low"), STOPPED, BROKEN)), {"one": "Do one"})
    matrix_view.show()
    qtbot.waitExposed(matrix_view)
    return matrix_view


def test_a_click_chooses_and_a_double_click_opens(matrix, qtbot):
    chosen, opened = [], []
    matrix.chosen.connect(chosen.append)
    matrix.opened.connect(opened.append)
    place = matrix.cell_rect(GridCell(1, 0)).center()
    QTest.mouseClick(matrix.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert chosen == [GridCell(1, 0)]
    assert "stops at step 3" in matrix.accessibleDescription()
    QTest.mouseDClick(matrix.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert opened == [GridCell(1, 0)]
    QTest.mouseClick(matrix.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(880, 190))
    assert chosen[-1] == GridCell(1, 0)


def test_keys_go_from_cell_to_cell_and_no_further_than_the_last(matrix):
    opened = []
    matrix.opened.connect(opened.append)
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Return):
        QTest.keyClick(matrix, key)
    assert opened == [GridCell(1, 1)]
    QTest.keyClick(matrix, Qt.Key.Key_Up)
    assert matrix.current == GridCell(0, 1)


def test_many_cells_scroll_the_chosen_one_into_view(matrix):
    tasks = tuple(f"task-{number}" for number in range(40))
    matrix.resize(400, 160)
    matrix.show_table(SolvabilityTable(plan(*tasks)), {})
    matrix.go(GridCell(39, 1))
    assert matrix.viewport().rect().contains(matrix.cell_rect(GridCell(39, 1)).center())
    matrix.go(GridCell(0, 0))
    assert (matrix.verticalScrollBar().value(), matrix.horizontalScrollBar().value()) == (0, 0)


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_results_are_painted_in_their_colours(matrix, scheme):
    theme.use(scheme)
    picture = matrix.viewport().grab().toImage()
    places = [
        matrix.cell_rect(cell).topRight() - QPoint(6, -4)
        for cell in (GridCell(0, 0), GridCell(1, 0), GridCell(0, 1))
    ]
    seen = [picture.pixelColor(place).name() for place in places]
    grounds = QImage(3, 1, QImage.Format.Format_ARGB32_Premultiplied)
    grounds.fill(theme.color("bg-1"))
    painter = QPainter(grounds)
    painter.fillRect(0, 0, 1, 1, theme.color("ok-weak"))
    painter.fillRect(1, 0, 1, 1, theme.color("err-weak"))
    painter.end()
    assert seen == [grounds.pixelColor(at, 0).name() for at in range(3)]
    assert len(set(seen)) == 3


def test_a_task_that_cannot_be_replayed_is_outlined_as_one(matrix):
    matrix.go(GridCell(2, 1))
    picture, row = matrix.viewport().grab().toImage(), matrix.cell_rect(GridCell(2, 0))
    line = theme.color("accent").name()
    assert picture.pixelColor(row.left() + 40, row.top() + 1).name() == line
    assert picture.pixelColor(row.right(), row.center().y()).name() != line


def test_a_tooltip_says_it_in_a_sentence(matrix, qtbot):
    for place, words in (
        (matrix.cell_rect(GridCell(1, 0)).center(), "stops at step 3"),
        (QPoint(20, matrix.cell_rect(GridCell(0, 0)).center().y()), "one: Do one"),
    ):
        event = QHelpEvent(QEvent.Type.ToolTip, place, matrix.viewport().mapToGlobal(place))
        QApplication.sendEvent(matrix.viewport(), event)
        assert words in QToolTip.text()
    QToolTip.hideText()


def said(panel):
    return [label.text() for label in panel.widget().findChildren(QLabel)]


def test_the_facts_tell_what_it_took_and_lead_to_the_step(dressed, qtbot):
    panel = TrialDetailsPanel()
    qtbot.addWidget(panel)
    opened = []
    panel.opened.connect(opened.append)
    panel.show_trials("two", "low", [STOPPED], "")
    words = said(panel)
    assert words[:3] == ["two  ·  low", "stops at step 3", "12 s"]
    assert {"Injected before step 2", "The dialog was answered: accepted", "What it took: BACK x 2",
            "Expected: 'Buy' to touch", "the launcher is in front"} <= set(words)  # fmt: skip
    (button,) = panel.widget().findChildren(Button)
    assert button.text() == "Open at step 3"
    button.click()
    assert opened == [STOPPED]


def test_facts_of_what_needed_nothing_and_of_what_was_not_tried(dressed, qtbot):
    panel = TrialDetailsPanel()
    qtbot.addWidget(panel)
    quiet = trial("one", "quiet", problems=("settings put refused",))
    panel.show_trials("one", "quiet", [quiet], "")
    assert "Nothing more was needed: every step was done as recorded" in said(panel)
    assert "Did not work: settings put refused" in said(panel)
    panel.show_trials("one", "low", [], "It was not tried")
    assert said(panel) == ["one  ·  low", "It was not tried"]


def test_where_there_is_little_room_the_tasks_give_way_to_a_whole_cell(matrix):
    matrix.resize(354, 120)
    for cell in (GridCell(0, 0), GridCell(1, 0)):
        matrix.go(cell)
        assert matrix.cells_rect().contains(matrix.cell_rect(cell))
