"""The form shows a rule with its ticks, asks for changes, and does not lose what is being typed."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QLabel

from collector.hierarchy.parse import parse_tree
from collector.rules.evaluation.evaluate import evaluate
from collector.rules.evaluation.state_view import StateView
from collector.rules.grammar.rule_reader import read_rules
from rule_editor.widgets.rule_form.action_box import AnomalyChoice
from rule_editor.widgets.rule_form.condition_row import MIME
from rule_editor.widgets.rule_form.form import RuleForm
from tests.helpers.shown_texts import says

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", "This plugin does not support", extend=True)
TEXT = """rules:
  - id: low_battery_on_results
    description: Battery dialog
    priority: 10
    conditions:
      all:
        - {type: semantic_element_exists, keywords: [Sort, Filter, Metro], threshold: 0.6}
        - {type: current_package_is, value: com.example.shop}
        - not:
            - {type: element_exists, selector: "text='Close'"}
        - {type: min_step, value: 3}
    actions:
      - {type: inject_interference, interference_id: low_battery}
"""
XML = (
    b"<hierarchy><node text='Sort' bounds='[0,0][9,9]'/><node text='Retro' bounds='[0,0][9,9]'/></hierarchy>"
)
LIBRARY = [
    AnomalyChoice("low_battery", "Low", (("OK", "open Battery saver"),)),
    AnomalyChoice("wifi", "Wi-Fi"),
]


def rule(text: str = TEXT):
    return read_rules(text).rules[0]


@pytest.fixture
def form(toolkit, qtbot):
    form = RuleForm(toolkit)
    qtbot.addWidget(form)
    form.resize(404, 720)
    form.show_rule(rule(), LIBRARY)
    view = StateView(parse_tree(XML), XML, "com.example.shop", ".Results", 9)
    form.show_proof(evaluate(rule(), view), view)
    form.show()
    qtbot.waitExposed(form)
    return form


def test_what_the_conditions_are_for_is_read_whole_in_the_narrowest_panel(form, qtbot) -> None:
    form.resize(298, 720)
    qtbot.wait(0)
    words = next(label for label in form.findChildren(QLabel) if label.text() == "of these hold")
    needed = words.fontMetrics().boundingRect(words.rect(), Qt.TextFlag.TextWordWrap, words.text())
    assert words.rect().contains(needed)


def test_every_clause_says_why(form) -> None:
    assert form.rows[(0,)].why.startswith("1 of 3 keywords, needs 2; nearest miss: 'Metro'")
    assert form.rows[(1,)].why == "The package is com.example.shop"
    assert form.rows[(2, 0)].why == "No node matches"
    assert form.rows[(3,)].why == "This is step 9"


def test_inside_a_not_a_miss_is_good(form) -> None:
    marks = {path: row.mark.name for path, row in form.rows.items()}
    assert marks == {(0,): "state-err", (1,): "state-ok", (2, 0): "state-ok", (3,): "state-ok"}


def test_typed_values_are_asked_for_with_each_key(form, qtbot) -> None:
    row = form.rows[(3,)]
    line = row.fields["value"].line
    edits: list[object] = []
    form.condition_edited.connect(lambda _path, _key, value: edits.append(value))
    line.setFocus()
    line.selectAll()
    qtbot.keyClicks(line, "57")
    assert edits == [5, 57]
    qtbot.keyClicks(line, "x")
    assert edits == [5, 57]
    assert (row.mark.name, row.why) == ("state-err", "This is not a whole number")
    qtbot.keyClick(line, Qt.Key.Key_Backspace)
    assert row.mark.name == "state-ok"  # as was proved, until it is proved anew
    for _key in range(2):
        qtbot.keyClick(line, Qt.Key.Key_Backspace)
    assert row.why == "This field needs a value"


def test_a_completion_that_is_taken_is_asked_for(form, qtbot) -> None:
    editor = form.rows[(1,)].fields["value"]
    editor.offer(["com.example.shop", "com.example.chat"])
    editor.line.setFocus()
    editor.line.selectAll()
    assert editor.line.completer().popup().property("surface") == "float"  # black without it
    qtbot.keyClicks(editor.line, "chat")
    with qtbot.waitSignal(form.condition_edited) as signal:
        editor.line.completer().activated.emit("com.example.chat")
    assert signal.args == [(1,), "value", "com.example.chat"]


@pytest.mark.parametrize("typed", ["five", "", ".5"])
def test_a_value_that_means_nothing_is_marked_and_asked_for_by_nobody(form, qtbot, typed) -> None:
    line = form.rows[(3,)].fields["value"].line
    line.setFocus()
    line.selectAll()
    with qtbot.assertNotEmitted(form.condition_edited):
        qtbot.keyClick(line, Qt.Key.Key_Delete)
        qtbot.keyClicks(line, typed)
        qtbot.keyClick(line, Qt.Key.Key_Return)
    assert line.property("invalid") is True


def test_what_is_being_typed_stays_when_the_rule_is_shown_again(form, qtbot) -> None:
    line = form.description
    line.setFocus()
    qtbot.waitUntil(line.hasFocus)
    line.setCursorPosition(len(line.text()))
    qtbot.keyClicks(line, " later")
    form.show_rule(rule(TEXT.replace("priority: 10", "priority: 20")), LIBRARY)
    assert line.text() == "Battery dialog later"
    assert form.priority.value() == 20


def test_keywords_are_added_and_taken_away(form, qtbot) -> None:
    chips = form.rows[(0,)].fields["keywords"].chips
    with qtbot.waitSignal(form.condition_edited) as signal:
        qtbot.keyClicks(chips.field, "Retro")
        qtbot.keyClick(chips.field, Qt.Key.Key_Return)
    assert signal.args == [(0,), "keywords", ["Sort", "Filter", "Metro", "Retro"]]
    with qtbot.waitSignal(form.condition_edited) as signal:
        qtbot.mouseClick(chips, Qt.MouseButton.LeftButton, pos=chips.cross_rect(1).center())
    assert signal.args == [(0,), "keywords", ["Sort", "Metro"]]
    with qtbot.waitSignal(form.condition_edited) as signal:
        qtbot.keyClick(chips.field, Qt.Key.Key_Backspace)
    assert signal.args == [(0,), "keywords", ["Sort", "Filter"]]


def test_a_condition_dragged_between_two_others_asks_to_be_moved_there(form, qtbot) -> None:
    top = form.groups[()]
    data = QMimeData()
    data.setData(MIME, b"2,0")
    above = form.rows[(1,)].mapTo(top, QPoint(20, 2))
    with qtbot.waitSignal(form.condition_moved) as signal:
        drag(top, data, above)
    assert signal.args == [(2, 0), (), 1]


def test_a_group_cannot_be_dropped_into_itself(form, qtbot) -> None:
    data = QMimeData()
    data.setData(MIME, b"2")
    with qtbot.assertNotEmitted(form.condition_moved):
        drag(form.groups[(2,)], data, QPoint(20, 20))


def drag(target, data: QMimeData, at: QPoint) -> None:
    left, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    QApplication.sendEvent(target, QDragEnterEvent(at, Qt.DropAction.MoveAction, data, left, none))
    QApplication.sendEvent(target, QDropEvent(QPointF(at), Qt.DropAction.MoveAction, data, left, none))


@pytest.mark.parametrize(("path", "key", "moved_to"), [
    ((1,), Qt.Key.Key_Up, [(1,), (), 0]),
    ((0,), Qt.Key.Key_Down, [(0,), (), 2]),
    ((2, 0), Qt.Key.Key_Left, [(2, 0), (), 3]),
    ((1,), Qt.Key.Key_Right, [(1,), (2,), 1]),
])  # fmt: skip
def test_alt_and_an_arrow_move_a_condition(form, qtbot, path, key, moved_to) -> None:
    with qtbot.waitSignal(form.condition_moved) as moved:
        qtbot.keyClick(form.rows[path], key, Qt.KeyboardModifier.AltModifier)
    assert moved.args == moved_to


def test_delete_removes_and_focus_chooses(form, qtbot) -> None:
    with qtbot.waitSignal(form.condition_chosen) as chosen:
        form.rows[(1,)].setFocus()
    assert chosen.args == [(1,)]
    with qtbot.waitSignal(form.condition_removed) as removed:
        qtbot.keyClick(form.rows[(1,)], Qt.Key.Key_Delete)
    assert removed.args == [(1,)]


def test_an_anomaly_the_library_lacks_is_told(form) -> None:
    form.show_rule(rule(TEXT.replace("low_battery}", "low_batery}")), LIBRARY)
    assert says(form.action_boxes[0], "The library has no such anomaly")
    form.show_rule(rule(), LIBRARY)
    assert not says(form.action_boxes[0], "The library has no such anomaly")
    assert says(form.action_boxes[0], "open Battery saver")


def test_a_success_rule_has_no_priority_and_no_actions(form) -> None:
    success = read_rules("task:\n  conditions:\n    - {type: element_exists, selector: text='A'}\n").rules[0]
    form.show_rule(success)
    assert not form.priority.isVisible()
    assert form.action_boxes == []
    form.show_rule(None)
    assert not form.id_field.isVisible()


def test_of_an_id_that_is_too_long_the_beginning_is_shown(form) -> None:
    form.show_rule(rule(TEXT.replace("low_battery}", "low_" * 40 + "}")), LIBRARY)
    field = form.action_boxes[0].picker.lineEdit()
    assert (field.text()[:8], field.cursorPosition()) == ("low_low_", 0)
