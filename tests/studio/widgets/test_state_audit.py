"""The checklist of an auditor: answers, notes and decisions by mouse and keyboard."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from studio.app.main_window.window_actions import keyboard_use
from studio.widgets.state_audit.checklist import AuditChecklist
from studio.widgets.state_audit.rows import AuditedRow, AuditSheet, CriterionRow
from tests.helpers.shown_texts import says

_CRITERIA = (
    CriterionRow("seen", "Visual verifiability", "Can it be seen?", facts=(("state-ok", "On step 3"),)),
    CriterionRow("critical", "Criticality", "Must it be done?"),
)
_ROWS = (
    AuditedRow("s1", "M1", "Signed in", "accept", "", _CRITERIA),
    AuditedRow("s2", "M2", "Posters searched", "", "", _CRITERIA),
)


@pytest.fixture
def checklist(hosted):
    checklist = hosted(AuditChecklist(), 340, 640)
    checklist.show_sheet(AuditSheet("by Jo, blind", _ROWS, problem="M2 has no decision"), "s2")
    return checklist


def test_keys_decide_while_the_checklist_has_the_keyboard_but_not_in_a_note(checklist):
    decided = []
    checklist.decided.connect(lambda *what: decided.append(what))
    checklist.list.setFocus()
    assert keyboard_use(checklist.list).takes("2")
    QTest.keyClick(checklist.list, Qt.Key.Key_2)
    button = checklist.criteria["seen"].answers.buttons["yes"]
    assert keyboard_use(button).takes("1")
    QTest.keyClick(button, Qt.Key.Key_1)
    note = checklist.criteria["seen"].note
    QTest.keyClicks(note, "3")
    assert note.text() == "3"
    checklist.save_notes()
    QTest.mouseClick(checklist.buttons["reject"], Qt.MouseButton.LeftButton)
    assert decided == [("s2", "fix"), ("s2", "accept"), ("s2", "reject")]


def test_answers_and_notes_are_of_the_state_on_show(checklist):
    answered, noted = [], []
    checklist.answered.connect(lambda *what: answered.append(what))
    checklist.noted.connect(lambda *what: noted.append(what))
    view = checklist.criteria["critical"]
    QTest.mouseClick(view.answers.buttons["doubt"], Qt.MouseButton.LeftButton)
    QTest.keyClicks(view.note, "Only on phones")
    checklist.show_sheet(checklist.sheet, "s1")  # typing that was not saved belongs to the state before
    assert answered == [("s2", "critical", "doubt")]
    assert noted == [("s2", "critical", "Only on phones")]
    assert checklist.criteria["critical"].note.text() == ""


def test_typing_goes_on_while_other_answers_arrive(checklist):
    view = checklist.criteria["seen"]
    QTest.keyClicks(view.note, "The chi")
    checklist.show_sheet(replace(checklist.sheet, about="by Jo"), "s2")
    assert view.note.text() == "The chi"
    checklist.save_notes()


def test_progress_problem_and_signature(checklist):
    assert says(checklist, "1 of 2")
    assert not checklist.sign.isEnabled()
    assert says(checklist, "M2 has no decision")
    rows = (_ROWS[0], replace(_ROWS[1], decision="fix", decision_note="Wording"))
    checklist.show_sheet(AuditSheet("by Jo, blind", rows), "s2")
    assert checklist.sign.isEnabled()
    assert says(checklist, "Wording")
    signed = []
    checklist.signed.connect(lambda: signed.append(True))
    QTest.mouseClick(checklist.sign, Qt.MouseButton.LeftButton)
    assert signed == [True]
    checklist.show_sheet(AuditSheet("by Jo", rows, is_signed=True, verdict="Accepted by Jo"), "s2")
    decided = []
    checklist.decided.connect(lambda *what: decided.append(what))
    QTest.keyClick(checklist.list, Qt.Key.Key_1)
    assert decided == []  # nobody changes a signed audit
    assert not checklist.sign.isVisible()
    assert not checklist.criteria["seen"].answers.isEnabled()


def test_arrows_walk_the_states(checklist):
    chosen = []
    checklist.chosen.connect(chosen.append)
    QTest.keyClick(checklist.list, Qt.Key.Key_Up)
    QTest.keyClick(checklist.list, Qt.Key.Key_Down)
    QTest.mouseClick(checklist.list, Qt.MouseButton.LeftButton, pos=checklist.list.row_rect("s1").center())
    assert chosen == ["s1", "s2", "s1"]
    assert AuditSheet("", _ROWS).next_undecided("s2") == "s2"
    assert AuditSheet("", _ROWS[:1]).next_undecided("s1") == ""
