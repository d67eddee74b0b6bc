"""Two proposals side by side: walked, decided and read by mouse and keyboard."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from studio.app.main_window.window_actions import keyboard_use
from studio.widgets.operator_comparison.rows import (
    Comparison,
    ComparisonRow,
    ProposalCell,
    RowChoice,
    RowKind,
    SideHead,
)
from studio.widgets.operator_comparison.view import ComparisonView

_HEADS = (SideHead("Lin", "operator A", "2 states"), SideHead("Agreed"), SideHead("Sara", "operator B"))


def cell(number, sentence="Signed in"):
    return ProposalCell(number, sentence, "element_exists id/badge", "step 6")


def same(row_id, decision=""):
    choices = () if decision else (RowChoice("a", "Agree", "A"),)
    return ComparisonRow(row_id, cell("A1"), cell("B1"), RowKind.SAME, "Same", choices, "", decision)


def different(row_id, chosen="", decision=""):
    choices = (RowChoice("a", "Lin", "A"), RowChoice("b", "Sara", "B"), RowChoice("edited", "Edit...", "E"))
    kind = RowKind.DIFFERENT
    return ComparisonRow(
        row_id, cell("A2"), cell("B2", "Logged in"), kind, "Wording", choices, chosen, decision
    )


def one_sided(row_id):
    choices = (RowChoice("b", "Keep", "K"), RowChoice("dropped", "Drop", "D"))
    return ComparisonRow(row_id, None, cell("B3"), RowKind.ONE_SIDED, "Only Sara proposes it", choices)


@pytest.fixture
def view(hosted):
    view = hosted(ComparisonView(), 900, 300)
    view.show_comparison(
        Comparison(*_HEADS, (same("1", "agreed"), different("2"), one_sided("3"), same("4")))
    )
    return view


def test_keys_walk_decide_and_jump_to_what_is_not_settled(view, qtbot):
    decided, opened = [], []
    view.key_pressed.connect(lambda *what: decided.append(what))
    view.opened.connect(opened.append)
    view.setFocus()
    assert view.current == "1"
    assert keyboard_use(view).takes("N")  # so that no command of the workspace runs
    assert keyboard_use(view).takes("A")
    QTest.keyClick(view, Qt.Key.Key_Down)
    QTest.keyClick(view, Qt.Key.Key_B)
    QTest.keyClick(view, Qt.Key.Key_Return)
    QTest.keyClick(view, Qt.Key.Key_N)
    assert view.current == "3"
    QTest.keyClick(view, Qt.Key.Key_D)
    QTest.keyClick(view, Qt.Key.Key_N)
    assert view.current == "2"  # from the start again: row 4 is the same on both sides
    QTest.keyClick(view, Qt.Key.Key_End)
    assert view.current == "4"
    assert (decided, opened) == ([("2", "B"), ("3", "D")], ["2"])
    view.show_comparison(Comparison(*_HEADS, (ComparisonRow("1", cell("A1"), None, RowKind.ALONE, ""),)))
    assert not keyboard_use(view).takes("N")  # nothing is to be decided: it adds an essential state


def test_when_all_differences_are_settled_next_leads_to_what_only_has_to_be_agreed(view):
    rows = (same("1", "agreed"), different("2", "a", "Lin's"), same("4"))
    view.show_comparison(Comparison(*_HEADS, rows))
    assert view.comparison.settled == 2
    assert view.go_to_next_difference()
    assert view.current == "4"
    view.show_comparison(Comparison(*_HEADS, (same("1", "agreed"),)))
    assert not view.go_to_next_difference()


def test_a_button_decides_its_row_and_shows_what_was_chosen(view, qtbot):
    decided = []
    view.decided.connect(lambda *what: decided.append(what))
    row = view.row_views[1]
    QTest.mouseClick(row.button("b"), Qt.MouseButton.LeftButton)
    assert decided == [("2", "b")]
    assert view.current == "2"
    assert not row.button("b").isChecked()  # until it is decided
    view.show_comparison(Comparison(*_HEADS, (same("1", "agreed"), different("2", "b", "Sara's, by Lin"))))
    assert row.button("b").isChecked()
    assert not row.button("a").isChecked()
    assert row.button("b").icon_name == "check"
    assert "Sara's, by Lin" in row.accessibleName()
    assert len(view.row_views) == 2


def test_a_click_selects_and_a_double_click_opens(view):
    selected, opened = [], []
    view.selected.connect(selected.append)
    view.opened.connect(opened.append)
    QTest.mouseClick(view.row_views[2], Qt.MouseButton.LeftButton, pos=QPoint(20, 20))
    QTest.mouseDClick(view.row_views[2], Qt.MouseButton.LeftButton, pos=QPoint(20, 20))
    assert (selected, opened) == (["3"], ["3"])


def test_a_side_that_must_not_be_seen_is_covered_by_a_sentence(view):
    sentence = "Sara's proposal is shown after you sign yours"
    view.show_comparison(Comparison(*_HEADS, (), hidden_right=sentence))
    (right,) = (label for label in view.findChildren(QLabel) if label.isVisible())
    assert right.text() == sentence
    assert view.row_views == []
    assert right.geometry().left() > view.width() / 2
