"""Somebody edits the project's anomalies in the Rules workspace."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QInputDialog

from collector.anomalies.reader import read_library
from collector.rules.grammar.model import INJECTION
from collector.store.layout import LIBRARY_FILE
from rule_editor.document.anomalies import anomaly_edits
from rule_editor.document.anomalies.anomaly_edits import ONE_BUTTON, TWO_BUTTONS
from studio.views.rules.document_pane import BOTH, YAML
from studio.views.rules.list_entries import GROUP
from tests.helpers.rule_room import LIBRARY_TEXT

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", "grabbing the keyboard", "raise", extend=True)
DIALOG = """# kept
interference_library:
  - id: low_battery
    family: low
    category: System Resource
    language: en
    description: Battery low
    target_activity: LocationPermissionActivity
    params:
      param_title: "Battery"
      param_message: "5% left"
      param_allow_btn_text: "Settings"
      param_deny_btn_text: "Ignore"
      param_allow_log_event: LOW_ACCEPTED
      param_deny_log_event: LOW_DENIED
    post_actions:
      EVENT:LOW_DENIED:
        - {type: log, message: "goes on"}
"""


@pytest.fixture
def desk(room):
    """The one anomaly of the project is on show, a dialog with two buttons."""
    room.home.book.anomalies.set_text(DIALOG)
    room.home.show_rule(GROUP, "low_battery")
    room.until(lambda: not room.home.desk.preview.picture.image.isNull())
    return room.home.desk


def _library(room) -> str:
    return room.home.book.anomalies.text


def _edit(desk, change) -> None:
    desk.pane.form.edit_wanted.emit(change)


def test_an_anomaly_is_chosen_in_the_list_and_stands_where_a_rule_stood(room) -> None:
    room.home.list.chosen.emit(f"{GROUP}:", "low_battery")
    desk = room.home.desk
    assert desk.anomaly.description == "Battery low"
    assert desk.pane.isVisible()
    assert desk.preview.isVisible()
    assert not room.home.stage.isVisible()
    assert not room.home.matrix.isVisible()
    assert desk.pane.yaml.text == LIBRARY_TEXT
    room.home.list.chosen.emit(INJECTION, "on_results")
    assert room.home.stage.isVisible()
    assert room.home.matrix.isVisible()
    assert not desk.pane.isVisible()


def test_the_list_says_its_form_its_language_and_who_uses_it(room, desk) -> None:
    entry = next(entry for entry in room.home.list._entries if entry.id == "low_battery")
    assert (entry.group, entry.fact) == (f"{GROUP}:System Resource", "EN 2 btn \u00b7 1")
    assert "used by one rule" in entry.note
    assert desk.pane._fact.text() == "one rule"


def test_the_preview_follows_what_is_typed_and_the_switch_to_dark(room, desk, qtbot) -> None:
    seen = desk.preview.picture.image.copy()
    title = desk.pane.form.dialog.title
    title.setFocus()
    qtbot.keyClicks(title, " is empty")
    room.until(lambda: desk.preview.picture.image != seen)
    assert "is empty" not in _library(room), "it is a draft still"
    seen = desk.preview.picture.image.copy()
    room.run("anomaly.toggle-dark")
    room.until(lambda: desk.preview.picture.image != seen)


def test_a_journey_from_two_buttons_to_one_and_back_on_disk(room, desk) -> None:
    room.run("anomaly.toggle-buttons")
    assert desk.anomaly.activity == ONE_BUTTON
    assert desk.anomaly.answers[0].button == "Settings"
    room.run("anomaly.toggle-buttons")
    assert desk.anomaly.activity == TWO_BUTTONS
    assert [answer.button for answer in desk.anomaly.answers] == ["Settings", "Ignore"]
    assert [one.message for one in desk.anomaly.answers[1].follow_ups] == ["goes on"]
    room.run("rules.undo")
    room.run("rules.undo")
    assert _library(room) == DIALOG
    _edit(desk, lambda piece: anomaly_edits.set_parameter(piece, "param_title", "Power"))
    room.home.book.save()
    path = room.folder / LIBRARY_FILE
    room.until(lambda: '"Power"' in path.read_text("utf-8"))
    assert path.read_text("utf-8") == DIALOG.replace('"Battery"', '"Power"')


def test_the_rules_form_offers_what_the_library_says_now(room, desk) -> None:
    _edit(desk, lambda piece: anomaly_edits.set_parameter(piece, "param_allow_btn_text", "Open"))
    room.home.show_rule(INJECTION, "on_results")
    (known,) = room.home.pane.form.action_boxes[0]._anomalies
    assert known.answers[0][0] == "Open"


def test_renaming_is_followed_by_the_rules_that_inject_it_in_one_step(room, desk) -> None:
    room.run("anomaly.rename")
    dialog = room.home.findChild(QInputDialog)
    dialog.setTextValue("battery_low")
    dialog.accept()
    assert desk.shown == "battery_low"
    rules = room.home.book.documents[INJECTION]
    assert "interference_id: battery_low" in rules.text
    room.run("rules.undo")
    assert "interference_id: low_battery" in rules.text
    assert _library(room) == DIALOG


def test_a_name_that_is_taken_is_refused_in_a_sentence(room, desk) -> None:
    room.run("anomaly.duplicate")
    copy = desk.shown
    desk.pane.form.renamed.emit("low_battery")
    assert desk.shown == copy
    assert room.toasts


def test_a_copy_is_deleted_and_the_toast_brings_it_back(room, desk) -> None:
    room.run("anomaly.duplicate")
    with_copy = _library(room)
    room.run("anomaly.delete")
    assert _library(room) == DIALOG
    toast = next(one for one in room.studio.window.toasts.shown if "Deleted" in one.accessibleName())
    toast._do()
    assert _library(room) == with_copy


def test_another_language_and_another_form_join_the_family(room, desk) -> None:
    room.run("anomaly.add-language")
    assert (desk.shown, desk.anomaly.language) == ("low_battery_zh", "zh")
    assert desk.anomaly.family == "low"
    desk.pane.form.shown_wanted.emit("low_battery")
    room.run("anomaly.add-button-form")
    assert desk.anomaly.activity == ONE_BUTTON
    assert desk.anomaly.family == "low"
    room.run("rules.undo")
    room.run("rules.undo")
    assert _library(room) == DIALOG


def test_a_dialog_becomes_a_native_change_and_undo_brings_it_back(room, desk) -> None:
    desk.pane.form.kind_wanted.emit("native")
    assert desk.anomaly.native[0].apply
    assert desk.pane.form.ranges
    desk.pane.form.kind_wanted.emit("companion")
    assert len(desk.anomaly.answers) == 2
    room.run("rules.undo")
    room.run("rules.undo")
    assert _library(room) == DIALOG


def test_a_new_anomaly_is_made_of_a_template_or_of_the_studio_s_own(room, desk) -> None:
    room.run("anomaly.new")
    room.choose("one button")
    assert desk.anomaly.activity == ONE_BUTTON
    written = _library(room)[desk.anomaly.place.start :]
    assert written.index("family:") < written.index("category:") < written.index("params:")
    menu_before = desk.shown
    desk.deeds.add({"id": menu_before, "target_activity": "LoginActivity"})
    assert desk.shown == f"{menu_before}_2"


def test_a_project_without_a_library_gets_one_with_what_its_rules_name(room) -> None:
    book = room.home.book
    book.anomalies.set_text("")
    book.documents[INJECTION].set_action_field("on_results", 0, "interference_id", "battery_low_double_en")
    room.run("rules.new")
    room.menu().hide()
    room.home.desk.deeds.add({"id": "mine", "target_activity": "LoginActivity"})
    assert [anomaly.id for anomaly in read_library(book.library).anomalies] == [
        "battery_low_double_en",
        "mine",
    ]
    room.run("rules.undo")
    assert book.library == ""


def test_typing_in_the_yaml_shows_in_the_form_and_a_fix_mends_it(room, desk) -> None:
    at = _library(room).index("LocationPermissionActivity")
    desk.pane.yaml.typed.emit(at, at + 8, "Locatoin")
    assert desk.anomaly.activity == "LocatoinPermissionActivity"
    room.until(lambda: desk.pane.form.dialog.problems.found)
    (found,) = desk.pane.form.dialog.problems.found
    desk.pane.form.fix_chosen.emit(found.fixes[0])
    assert _library(room) == DIALOG
    room.until(lambda: not desk.pane.form.dialog.problems.found)


def test_a_command_about_another_app_is_told_beside_its_answer(room, desk) -> None:
    follow = [{"type": "adb", "command": "am force-stop com.example.other"}]
    _edit(desk, lambda piece: anomaly_edits.set_follow_ups(piece, "deny", follow))
    box = desk.pane.form.dialog.answers["deny"]
    room.until(lambda: "W211" in [one.code for one in box.problems.found])
    fix = next(one.fixes[0] for one in box.problems.found if one.fixes)
    desk.deeds.apply_fix(fix)
    assert "am force-stop com.example.shop" in _library(room)


def test_what_is_being_typed_belongs_to_the_anomaly_it_was_typed_for(room, desk, qtbot) -> None:
    room.run("anomaly.duplicate")
    copy = desk.shown
    title = desk.pane.form.dialog.title
    title.setFocus()
    qtbot.keyClicks(title, "!")
    room.home.show_rule(GROUP, "low_battery")
    assert desk.document.anomaly(copy).value("param_title") == "!Battery"
    assert desk.anomaly.value("param_title") == "Battery"
    assert title.text() == "Battery"


def test_the_last_anomaly_of_a_library_gives_its_place_to_a_rule(room, desk) -> None:
    room.run("anomaly.delete")
    assert (room.home.kind, room.home.rule_id) == (INJECTION, "on_results")
    assert room.home.pane.isVisible()


def test_form_yaml_or_both_is_switched_for_the_anomaly_on_show(room, desk) -> None:
    room.run("rules.switch-editor")
    assert desk.pane.view == YAML
    assert desk.pane.yaml.isVisible()
    assert not desk.pane.form.isVisible()
    assert room.home.pane.view == BOTH


def test_a_rule_leads_to_the_anomaly_it_injects(room, desk) -> None:
    room.home.show_rule(INJECTION, "on_results")
    room.home.pane.form.action_boxes[0].open.click()
    assert desk.shown == "low_battery"


def test_one_of_the_studio_s_own_is_copied_into_the_project_to_be_edited(room) -> None:
    book = room.home.book
    book.anomalies.set_text("")
    book.documents[INJECTION].set_action_field("on_results", 0, "interference_id", "battery_low_double_en")
    room.home.show_rule(INJECTION, "on_results")
    assert book.library == ""
    room.home.pane.form.action_boxes[0].open.click()
    assert room.home.desk.shown == "battery_low_double_en"
    assert [anomaly.id for anomaly in read_library(book.library).anomalies] == ["battery_low_double_en"]


def test_whoever_types_yaml_that_cannot_be_read_yet_goes_on_typing(room, desk) -> None:
    desk.pane.set_view(YAML)
    desk.pane.yaml.setFocus()
    for typed in ("[", "[a"):
        room.home.book.anomalies.set_text(DIALOG.replace('"Battery"', f'"Battery" {typed}'))
    assert (room.home.kind, desk.anomaly) == (GROUP, None)
    assert desk.pane.yaml.isVisible()
    assert '"Battery" [a' in desk.pane.yaml.toPlainText()
    room.until(lambda: any("not YAML" in entry.note for entry in desk.entries()))
    assert [entry.id for entry in desk.entries()] == ["library.yaml"]
    assert "not YAML" in room.home._problems.toolTip()
    room.home.book.anomalies.set_text(DIALOG)
    assert desk.shown == "low_battery"
    assert "library.yaml" not in room.home._problems.toolTip()
