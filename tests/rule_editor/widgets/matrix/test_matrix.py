"""The matrix shows what the back-test says, and is walked by keys and clicks."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QAbstractButton

from collector.model.trajectory import State, Step, TrajectoryHeader
from collector.rules.backtest.backtest import BackTest
from collector.rules.columns.corpus import Corpus
from collector.rules.conditions.current_package_is import CurrentPackageIs
from collector.rules.conditions.semantic_element_exists import SemanticElementExists
from collector.rules.evaluation.proof import ProofOutcome
from collector.rules.grammar.model import INJECTION, Group, Rule
from rule_editor.widgets.cell_grid import GridCell
from rule_editor.widgets.matrix.explanation_panel import Advice
from rule_editor.widgets.matrix.panel import BackTestPanel
from rule_editor.widgets.matrix.rows import MatrixOrder
from tests.helpers.shown_texts import says, shown_texts

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", extend=True)


class Recorded:
    """A recording whose states show the words given."""

    def __init__(self, name: str, task: str, *screens: str) -> None:
        self.header = TrajectoryHeader(name, task, who="lin", status="finished")
        self.steps = [
            Step(index, 0, "", State(tree=f"{index}.xml", package="com.example.shop"))
            for index, _words in enumerate(screens)
        ]
        self._screens = screens

    def tree(self, step: Step) -> bytes:
        nodes = "".join(
            f'<node text="{word}" resource-id="" class="a.B" bounds="[0,0][9,9]"/>'
            for word in self._screens[step.index].split()
        )
        return f"<hierarchy rotation='0'>{nodes}</hierarchy>".encode()

    def screenshot(self, _step: Step) -> None:
        return None

    def app_data(self, _state: State) -> None:
        return None


def rule(threshold: float) -> Rule:
    clause = SemanticElementExists(keywords=("Sort", "Filter", "Metro"), match_threshold=threshold)
    group = Group(conditions=(clause, CurrentPackageIs(value="com.example.shop")))
    return Rule(id="r", kind=INJECTION, conditions=group)


@pytest.fixture
def tested():
    corpus = Corpus([
        Recorded("a", "shop-1", "Home", "Sort Filter", "Sort", "Sort Filter Metro"),
        Recorded("b", "todo-2", "Home", "Late", *["Sort"] * 40),
    ])  # fmt: skip
    return BackTest(corpus)


@pytest.fixture
def panel(toolkit, qtbot, tested):
    panel = BackTestPanel(toolkit)
    qtbot.addWidget(panel)
    panel.resize(1200, 220)
    panel.set_result(tested.run(rule(0.66)))
    panel.show()
    qtbot.waitExposed(panel)
    return panel


def test_rows_say_what_fires_where(panel) -> None:
    first = panel.rows.shown[0]
    assert [first.outcome(index) for index in range(4)] == [
        ProofOutcome.SILENT, ProofOutcome.FIRES, ProofOutcome.NEAR, ProofOutcome.FIRES,
    ]  # fmt: skip
    assert panel.rows.columns == 42


def test_a_click_chooses_a_cell_and_goes_there(panel, qtbot) -> None:
    place = panel.view.cell_rect(GridCell(0, 1)).center()
    with qtbot.waitSignal(panel.cell_chosen) as chosen, qtbot.waitSignal(panel.cell_opened) as opened:
        qtbot.mouseClick(panel.view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert chosen.args == opened.args == [1]


def test_arrows_only_choose_and_enter_goes_there(panel, qtbot) -> None:
    panel.set_current(0)
    with qtbot.assertNotEmitted(panel.cell_opened), qtbot.waitSignal(panel.cell_chosen):
        qtbot.keyClick(panel.view, Qt.Key.Key_Right)
    with qtbot.waitSignal(panel.cell_opened) as opened:
        qtbot.keyClick(panel.view, Qt.Key.Key_Return)
    assert opened.args == [1]


def test_a_click_behind_the_end_of_a_trajectory_chooses_nothing(panel, qtbot) -> None:
    place = panel.view.cell_rect(GridCell(0, 7)).center()
    with qtbot.assertNotEmitted(panel.cell_chosen):
        qtbot.mouseClick(panel.view.viewport(), Qt.MouseButton.LeftButton, pos=place)


def test_keys_walk_and_stop_at_the_edges(panel, qtbot) -> None:
    panel.view.setFocus()
    for key, cell in (
        (Qt.Key.Key_Right, (0, 0)), (Qt.Key.Key_Right, (0, 1)), (Qt.Key.Key_Down, (1, 1)),
        (Qt.Key.Key_Down, (1, 1)), (Qt.Key.Key_End, (1, 41)), (Qt.Key.Key_Up, (0, 3)),
        (Qt.Key.Key_Home, (0, 0)), (Qt.Key.Key_Left, (0, 0)),
    ):  # fmt: skip
        qtbot.keyClick(panel.view, key)
        assert panel.view.current_cell == GridCell(*cell)


def test_control_and_an_arrow_jump_to_the_next_cell_that_is_not_silent(panel, qtbot) -> None:
    control = Qt.KeyboardModifier.ControlModifier
    for key, cell in (
        (Qt.Key.Key_Right, (0, 1)), (Qt.Key.Key_Right, (0, 2)), (Qt.Key.Key_Right, (0, 3)),
        (Qt.Key.Key_Right, (1, 2)), (Qt.Key.Key_Left, (0, 3)),
    ):  # fmt: skip
        qtbot.keyClick(panel.view, key, control)
        assert panel.view.current_cell == GridCell(*cell)


def test_the_current_cell_is_scrolled_into_view(panel) -> None:
    panel.resize(700, 120)
    panel.set_current(4 + 41)
    box = panel.view.cell_rect(GridCell(1, 41))
    assert panel.view.viewport().rect().contains(box)


def test_filter_and_order_arrange_the_rows(panel, qtbot) -> None:
    qtbot.keyClicks(panel.filter, "todo golden")
    assert [row.trajectory.task_id for row in panel.rows.shown] == ["todo-2"]
    panel.filter.clear()
    panel.rows.set_order(MatrixOrder.MOST_FIRES)
    assert panel.rows.shown[0].trajectory.task_id == "shop-1"
    assert panel.rows.cell_of(4) == GridCell(1, 0)


def test_an_explanation_has_a_line_for_every_clause_and_hands_back_advice(panel, qtbot, tested) -> None:
    proof = tested.proof(rule(0.66), 2)
    panel.explain.show_proof(
        "shop-1",
        proof,
        tested.corpus.view(2),
        2,
        wrong="Not its task",
        advice=[Advice("Try less", "Try 0.3", 0.3)],
    )
    sentences = panel.explain.sentences
    assert sentences[0].startswith("1 of 3 keywords, needs 2")
    assert sentences[1:4] == ["The package is com.example.shop", "Not its task", "Try less"]
    button = next(
        button for button in panel.explain.findChildren(QAbstractButton) if button.text() == "Try 0.3"
    )
    with qtbot.waitSignal(panel.explain.tried) as tried:
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert tried.args == [0.3]


def test_versions_are_compared_in_words(panel, tested) -> None:
    panel.set_differences(tested.compare(rule(0.66), rule(1.0)))
    assert "no longer fires in 1 state" in shown_texts(panel)
    assert panel.grab().height() > 100


def test_without_recordings_it_says_so(panel) -> None:
    panel.set_result(None)
    assert says(panel, "Nothing is recorded")


def test_the_name_of_a_trajectory_is_told_whole(panel) -> None:
    view = panel.view
    box = view.cell_rect(GridCell(1, 0))
    assert view.tip_at(QPoint(20, box.center().y())).startswith("todo-2 · ")
    assert view.tip_at(QPoint(20, 2)) == ""
