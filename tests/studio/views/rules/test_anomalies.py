"""Somebody edits the project's anomalies in the Rules workspace."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QInputDialog

from collector.anomalies.reader import read_library
from collector.rules.grammar.model import INJECTION
from collector.store.files.layout import LIBRARY_FILE
from rule_editor.document.anomalies import anomaly_edits
from rule_editor.document.anomalies.anomaly_edits import ONE_BUTTON, TWO_BUTTONS
from rule_editor.widgets.rule_list import RuleState
from studio.bridge.rules.rule_names import ANOMALY_KIND
from studio.views.rules.document_pane import BOTH, YAML
from studio.widgets.controls import Button
from tests.helpers.rule_room import LIBRARY_TEXT
from tests.helpers.shown_texts import says

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
def workspace(room):
    """The one anomaly of the project is on show, a dialog with two buttons."""
    room.session.documents.anomalies.set_text(DIALOG)
    room.session.select(ANOMALY_KIND, "low_battery")
    room.until(lambda: not room.workspace.preview.picture.image.isNull())
    return room.workspace


def _library(room) -> str:
    return room.session.documents.anomalies.text


def _edit(workspace, change) -> None:
    workspace.anomaly_pane.form.edit_wanted.emit(change)


def test_an_anomaly_is_chosen_in_the_list_and_stands_where_a_rule_stood(room) -> None:
    room.workspace.list.chosen.emit(f"{ANOMALY_KIND}:", "low_battery")
    workspace = room.workspace
    assert room.session.anomaly.description == "Battery low"
    assert workspace.anomaly_pane.isVisible()
    assert workspace.preview.isVisible()
    assert not room.workspace.screen_pane.isVisible()
    assert not room.workspace.matrix.isVisible()
    assert workspace.anomaly_pane.yaml.text == LIBRARY_TEXT
    room.workspace.list.chosen.emit(INJECTION, "on_results")
    assert room.workspace.screen_pane.isVisible()
    assert room.workspace.matrix.isVisible()
    assert not workspace.anomaly_pane.isVisible()


def the_list_says_its_form_its_language_and_who_uses_it(room, workspace) -> None:
    entry = next(entry for entry in room.workspace.list.entries if entry.id == "low_battery")
    assert (entry.group, entry.detail) == (f"{ANOMALY_KIND}:System Resource", "EN 2 btn \u00b7 1")
    assert "used by one rule" in entry.tooltip
    assert says(workspace.anomaly_pane, "one rule")


def test_the_preview_follows_what_is_typed_and_the_switch_to_dark(room, workspace, qtbot) -> None:
    seen = workspace.preview.picture.image.copy()
    title = workspace.anomaly_pane.form.dialog.title
    title.setFocus()
    qtbot.keyClicks(title, " is empty")
    room.until(lambda: workspace.preview.picture.image != seen)
    assert "is empty" not in _library(room), "it is a draft still"
    seen = workspace.preview.picture.image.copy()
    room.run("anomaly.toggle-dark")
    room.until(lambda: workspace.preview.picture.image != seen)


def test_a_journey_from_two_buttons_to_one_and_back_on_disk(room, workspace) -> None:
    room.run("anomaly.toggle-buttons")
    assert room.session.anomaly.activity == ONE_BUTTON
    assert room.session.anomaly.answers[0].button == "Settings"
    room.run("anomaly.toggle-buttons")
    assert room.session.anomaly.activity == TWO_BUTTONS
    assert [answer.button for answer in room.session.anomaly.answers] == ["Settings", "Ignore"]
    assert [follow_up.message for follow_up in room.session.anomaly.answers[1].follow_ups] == ["goes on"]
    room.run("edit.undo")
    room.run("edit.undo")
    assert _library(room) == DIALOG
    _edit(workspace, lambda piece: anomaly_edits.set_parameter(piece, "param_title", "Power"))
    room.session.documents.save()
    path = room.folder / LIBRARY_FILE
    room.until(lambda: '"Power"' in path.read_text("utf-8"))
    assert path.read_text("utf-8") == DIALOG.replace('"Battery"', '"Power"')


def test_the_rules_form_offers_what_the_library_says_now(room, workspace) -> None:
    _edit(workspace, lambda piece: anomaly_edits.set_parameter(piece, "param_allow_btn_text", "Open"))
    room.session.select(INJECTION, "on_results")
    assert says(room.workspace.rule_pane.form.action_boxes[0], "Open")


def test_renaming_is_followed_by_the_rules_that_inject_it_in_one_step(room, workspace) -> None:
    room.run("anomaly.rename")
    dialog = room.workspace.findChild(QInputDialog)
    dialog.setTextValue("battery_low")
    dialog.accept()
    assert room.session.anomaly_id == "battery_low"
    rules = room.session.documents.documents[INJECTION]
    assert "interference_id: battery_low" in rules.text
    room.run("edit.undo")
    assert "interference_id: low_battery" in rules.text
    assert _library(room) == DIALOG


def test_a_name_that_is_taken_is_refused_in_a_sentence(room, workspace) -> None:
    room.run("anomaly.duplicate")
    copy = room.session.anomaly_id
    workspace.anomaly_pane.form.renamed.emit("low_battery")
    assert room.session.anomaly_id == copy
    assert room.toasts


def test_a_copy_is_deleted_and_the_toast_brings_it_back(room, workspace) -> None:
    room.run("anomaly.duplicate")
    with_copy = _library(room)
    room.run("anomaly.delete")
    assert _library(room) == DIALOG
    toast = next(shown for shown in room.studio.window.toasts.shown if "Deleted" in shown.accessibleName())
    toast.findChild(Button).click()
    assert _library(room) == with_copy


def test_another_language_and_another_form_join_the_family(room, workspace) -> None:
    room.run("anomaly.add-language")
    assert (room.session.anomaly_id, room.session.anomaly.language) == ("low_battery_zh", "zh")
    assert room.session.anomaly.family == "low"
    workspace.anomaly_pane.form.shown_wanted.emit("low_battery")
    room.run("anomaly.add-button-form")
    assert room.session.anomaly.activity == ONE_BUTTON
    assert room.session.anomaly.family == "low"
    room.run("edit.undo")
    room.run("edit.undo")
    assert _library(room) == DIALOG


def test_a_dialog_becomes_a_native_change_and_undo_brings_it_back(room, workspace) -> None:
    workspace.anomaly_pane.form.kind_wanted.emit("native")
    assert room.session.anomaly.native[0].apply
    assert workspace.anomaly_pane.form.ranges
    workspace.anomaly_pane.form.kind_wanted.emit("companion")
    assert len(room.session.anomaly.answers) == 2
    room.run("edit.undo")
    room.run("edit.undo")
    assert _library(room) == DIALOG


def test_a_new_anomaly_is_made_of_a_template_or_of_the_studio_s_own(room, workspace) -> None:
    room.run("anomaly.new")
    room.choose("one button")
    assert room.session.anomaly.activity == ONE_BUTTON
    written = _library(room)[room.session.anomaly.place.start :]
    assert written.index("family:") < written.index("category:") < written.index("params:")
    menu_before = room.session.anomaly_id
    workspace.anomalies.add({"id": menu_before, "target_activity": "LoginActivity"})
    assert room.session.anomaly_id == f"{menu_before}_2"


def test_a_project_without_a_library_gets_one_with_what_its_rules_name(room) -> None:
    book = room.session.documents
    book.anomalies.set_text("")
    book.documents[INJECTION].set_action_field("on_results", 0, "interference_id", "battery_low_double_en")
    room.run("rules.new")
    room.menu().hide()
    room.workspace.anomalies.add({"id": "mine", "target_activity": "LoginActivity"})
    assert [anomaly.id for anomaly in read_library(book.library).anomalies] == [
        "battery_low_double_en",
        "mine",
    ]
    room.run("edit.undo")
    assert book.library == ""


def test_typing_in_the_yaml_shows_in_the_form_and_a_fix_mends_it(room, workspace) -> None:
    at = _library(room).index("LocationPermissionActivity")
    workspace.anomaly_pane.yaml.typed.emit(at, at + 8, "Locatoin")
    assert room.session.anomaly.activity == "LocatoinPermissionActivity"
    room.until(lambda: workspace.anomaly_pane.form.dialog.diagnostics.shown)
    (diagnostic,) = workspace.anomaly_pane.form.dialog.diagnostics.shown
    workspace.anomaly_pane.form.fix_chosen.emit(diagnostic.fixes[0])
    assert _library(room) == DIALOG
    room.until(lambda: not workspace.anomaly_pane.form.dialog.diagnostics.shown)


def test_a_command_about_another_app_is_told_beside_its_answer(room, workspace) -> None:
    follow = [{"type": "adb", "command": "am force-stop com.example.other"}]
    _edit(workspace, lambda piece: anomaly_edits.set_follow_ups(piece, "deny", follow))
    box = workspace.anomaly_pane.form.dialog.answers["deny"]
    room.until(lambda: "W211" in [diagnostic.code for diagnostic in box.diagnostics.shown])
    fix = next(diagnostic.fixes[0] for diagnostic in box.diagnostics.shown if diagnostic.fixes)
    workspace.anomaly_edits.apply_fix(fix)
    assert "am force-stop com.example.shop" in _library(room)


def test_what_is_being_typed_belongs_to_the_anomaly_it_was_typed_for(room, workspace, qtbot) -> None:
    room.run("anomaly.duplicate")
    copy = room.session.anomaly_id
    title = workspace.anomaly_pane.form.dialog.title
    title.setFocus()
    qtbot.keyClicks(title, "!")
    room.session.select(ANOMALY_KIND, "low_battery")
    assert room.session.anomaly_document.anomaly(copy).value("param_title") == "!Battery"
    assert room.session.anomaly.value("param_title") == "Battery"
    assert title.text() == "Battery"


def test_the_last_anomaly_of_a_library_gives_its_place_to_a_rule(room, workspace) -> None:
    room.run("anomaly.delete")
    assert (room.session.kind, room.session.rule_id) == (INJECTION, "on_results")
    assert room.workspace.rule_pane.isVisible()


def form_yaml_or_both_is_switched_for_the_anomaly_on_show(room, workspace) -> None:
    room.run("rules.switch-editor")
    assert workspace.anomaly_pane.view == YAML
    assert workspace.anomaly_pane.yaml.isVisible()
    assert not workspace.anomaly_pane.form.isVisible()
    assert room.workspace.rule_pane.view == BOTH


def a_rule_leads_to_the_anomaly_it_injects(room, workspace) -> None:
    room.session.select(INJECTION, "on_results")
    room.workspace.rule_pane.form.action_boxes[0].open.click()
    assert room.session.anomaly_id == "low_battery"


def test_one_of_the_studio_s_own_is_copied_into_the_project_to_be_edited(room) -> None:
    book = room.session.documents
    book.anomalies.set_text("")
    book.documents[INJECTION].set_action_field("on_results", 0, "interference_id", "battery_low_double_en")
    room.session.select(INJECTION, "on_results")
    assert book.library == ""
    room.workspace.rule_pane.form.action_boxes[0].open.click()
    assert room.session.anomaly_id == "battery_low_double_en"
    assert [anomaly.id for anomaly in read_library(book.library).anomalies] == ["battery_low_double_en"]


def test_whoever_types_yaml_that_cannot_be_read_yet_goes_on_typing(room, workspace) -> None:
    workspace.anomaly_pane.set_view(YAML)
    workspace.anomaly_pane.yaml.setFocus()
    for typed in ("[", "[a"):
        room.session.documents.anomalies.set_text(DIALOG.replace('"Battery"', f'"Battery" {typed}'))
    assert (room.session.kind, room.session.anomaly) == (ANOMALY_KIND, None)
    assert workspace.anomaly_pane.yaml.isVisible()
    assert '"Battery" [a' in workspace.anomaly_pane.yaml.toPlainText()
    room.until(
        lambda: any("not YAML" in entry.tooltip for entry in workspace.list_presenter.anomaly_entries())
    )
    (entry,) = workspace.list_presenter.anomaly_entries()
    assert (entry.id, entry.state) == ("low_battery", RuleState.BROKEN)
    workspace.anomaly_pane.set_view("form")
    assert '"Battery" [a' in workspace.anomaly_pane.broken.text.toPlainText()
    assert "not YAML" in workspace.anomaly_pane.broken.reasons.text()
    assert "not YAML" in room.workspace.tally.toolTip()
    room.session.documents.anomalies.set_text(DIALOG)
    assert room.session.anomaly_id == "low_battery"
    assert "library.yaml" not in room.workspace.tally.toolTip()
    assert not workspace.anomaly_pane.broken.isVisible()


def test_what_changes_no_anomaly(room, workspace) -> None:
    """One window for all of it: to build it takes longer than what is done."""
    the_list_says_its_form_its_language_and_who_uses_it(room, workspace)
    a_rule_leads_to_the_anomaly_it_injects(room, workspace)
    form_yaml_or_both_is_switched_for_the_anomaly_on_show(room, workspace)
