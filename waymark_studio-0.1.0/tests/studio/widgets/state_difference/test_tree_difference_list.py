"""The list of node and text differences: what it says, what it emits, what it copies."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

from studio.widgets.state_difference.tree_difference_list import DifferenceListMode, TreeDifferenceList
from tests.helpers.compared_screens import FIRST, comparison, step_of
from tests.helpers.dumps import large_dump
from tests.helpers.shown_texts import shown_texts


def lines(widget: TreeDifferenceList) -> list[str]:
    model = widget.rows.differences
    return [model.index(row, 0).data() for row in range(model.rowCount())]


def counts(widget: TreeDifferenceList) -> list[str]:
    return [toggle.text() for toggle in widget.toggles if toggle.isVisibleTo(widget)]


def test_nodes_that_differ_are_listed_counted_filtered_and_chosen(hosted, qtbot):
    widget = hosted(TreeDifferenceList(), 340, 300)
    shown = comparison()
    widget.show_comparison(shown)
    assert "A step 1 to C step 1" in shown_texts(widget)
    assert lines(widget) == [
        "~ Button #chip_sort enabled true → false",
        '- TextView #tooltip "Sort by"',
        '+ FrameLayout #dialog 3 nodes  "Battery low"  "Ignore"',
    ]
    assert counts(widget) == ["+3", "-1", "~1"]
    chosen = []
    widget.nodes_chosen.connect(lambda *nodes: chosen.append([node and node.short_id for node in nodes]))
    qtbot.mouseClick(
        widget.rows.viewport(),
        Qt.MouseButton.LeftButton,
        pos=widget.rows.visualRect(widget.rows.differences.index(1, 0)).center(),
    )
    assert chosen == [["tooltip", None]]
    qtbot.keyClick(widget.rows, Qt.Key.Key_Down)
    assert chosen[-1] == [None, "dialog"]
    opened = []
    widget.node_opened.connect(lambda side, node: opened.append((side, node.short_id)))
    qtbot.keyClick(widget.rows, Qt.Key.Key_Return)
    assert opened == [(2, "dialog")]
    widget.rows.copy_row()
    assert QGuiApplication.clipboard().text().splitlines() == [
        '+ FrameLayout #dialog 3 nodes  "Battery low"  "Ignore"',
        '  + TextView "Battery low"',
        '  + Button #no "Ignore"',
    ]
    for toggle in widget.toggles:
        qtbot.mouseClick(toggle, Qt.MouseButton.LeftButton)
    assert "Nothing differs of the kinds that are listed" in shown_texts(widget)


def test_texts_are_listed_when_they_are_asked_for(hosted):
    widget = hosted(TreeDifferenceList(), 340, 300)
    widget.show_comparison(comparison())
    widget.set_mode(DifferenceListMode.TEXTS)
    assert lines(widget) == ['- "Sort by"', '+ "Battery low"', '+ "Ignore"']
    assert counts(widget) == ["+2", "-1"]


def test_an_empty_list_says_why(hosted):
    widget = hosted(TreeDifferenceList(), 340, 300)
    assert "There are no two steps to compare here" in shown_texts(widget)
    widget.show_comparison(comparison(step_of(0, FIRST), step_of(1, FIRST)))
    assert "Nothing differs" in shown_texts(widget)
    widget.show_comparison(comparison(step_of(0, "", step=8), step_of(1, FIRST)))
    assert "A step 9 has no tree" in shown_texts(widget)
    widget.show_comparison(comparison(step_of(0, ""), step_of(3, "")))
    assert "A step 1 and D step 1 have no tree" in shown_texts(widget)


def test_another_app_in_front_is_the_first_line(hosted):
    widget = hosted(TreeDifferenceList(), 340, 300)
    widget.show_comparison(
        comparison(step_of(0, FIRST), step_of(2, FIRST, package="com.example.adbsmarttest"))
    )
    assert lines(widget) == ["~ window package shop → adbsmarttest"]


def test_a_row_with_others_below_it_opens_by_chevron_and_key(hosted, qtbot):
    widget = hosted(TreeDifferenceList(), 340, 300)
    widget.show_comparison(comparison())
    rows = widget.rows
    dialog = rows.differences.index(2, 0)
    at = rows.visualRect(dialog)
    at.setLeft(rows.viewport().width() - 20)
    qtbot.mouseClick(rows.viewport(), Qt.MouseButton.LeftButton, pos=at.center())
    assert rows.isExpanded(dialog)
    assert not rows.currentIndex().isValid(), "opening a row does not choose it"
    rows.setCurrentIndex(dialog)
    qtbot.keyClick(rows, Qt.Key.Key_Left)
    assert not rows.isExpanded(dialog)


def test_the_models_contract_holds_for_thousands_of_rows(qapp, qtmodeltester):
    widget = TreeDifferenceList()
    widget.show_comparison(comparison(step_of(0, FIRST), step_of(1, large_dump(400).decode())))
    qtmodeltester.check(widget.rows.differences)
    widget.deleteLater()
