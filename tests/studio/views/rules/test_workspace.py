"""What the parts of the Rules workspace tell each other, in a built window over a project on disk."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QMenu

from collector.rules.conditions.image_matches import ImageMatches
from collector.rules.conditions.semantic_element_exists import SemanticElementExists
from studio.app.language import use_language
from studio.views.rules.completion_vocabulary import field_values, vocabulary
from studio.widgets.controls import Button
from tests.helpers.rule_room import INJECTION_TEXT

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", "grabbing the keyboard", "raise", extend=True)


def suggested(room, text: str = "Sort"):
    """Suggestions for the node that says ``text``."""
    node = next(node for node in room.session.state.nodes if node.text == text)
    room.workspace.screen_pane.picker.picked.emit((node,), QPoint(10, 10))
    room.until(room.workspace.menu.isVisible)
    suggestions = room.workspace.menu.suggestions
    room.workspace.menu.hide()
    return suggestions


def test_a_click_on_a_node_offers_conditions_and_one_joins_the_rule(room) -> None:
    room.at(1)
    suggestions = suggested(room)
    assert suggestions[0].score >= suggestions[-1].score
    room.workspace.menu.chosen.emit(suggestions[0])
    assert suggestions[0].condition in room.session.rule.conditions.conditions


def test_without_a_rule_the_condition_begins_one(room) -> None:
    room.run("rules.delete")
    room.at(1)
    room.workspace.menu.chosen.emit(suggested(room)[0])
    assert room.session.rule_id == "buy_injection"
    assert len(room.session.rule.conditions.conditions) == 1


def test_a_picture_is_cut_from_the_recorded_state_into_the_project(room) -> None:
    room.at(1)
    with room.qtbot.waitSignal(room.session.backtests.suggested, timeout=20_000):
        room.workspace.screen_pane.picker.region.emit(room.session.state.nodes[2].bounds, QPoint(10, 10))
    room.until(room.workspace.menu.isVisible)
    room.workspace.menu.hide()
    chosen = next(
        suggestion
        for suggestion in room.workspace.menu.suggestions
        if isinstance(suggestion.condition, ImageMatches)
    )
    room.workspace.menu.chosen.emit(chosen)
    name = room.session.rule.conditions.conditions[-1].image
    room.until((room.folder / name).exists)


def test_completions_know_the_screen_and_the_project(room) -> None:
    room.at(1)
    words = vocabulary(room.session)
    assert "shop:id/sort" in words.ids
    assert "Filter" in words.texts
    assert words.anomalies == ("low_battery",)
    assert words.tasks == ("buy", "look")
    assert "text='Sort'" in field_values(room.session)["selector"]
    at = room.session.document.text.index("low_battery") + len("low_b")
    labels = [completion.label for completion in room.workspace.rule_pane.yaml.provider(at)]
    assert "low_battery" in labels


def test_advice_of_the_explanation_is_written_as_the_threshold(room) -> None:
    room.until(lambda: room.workspace.matrix.rows.shown)
    with room.qtbot.waitSignal(room.session.backtests.cell_explained, timeout=20_000) as emitted:
        room.workspace.matrix.cell_chosen.emit(1)
    advice = emitted.args[0].alternatives[0]
    room.workspace.rule_edits.apply_advice(advice)
    keywords = next(
        condition
        for condition in room.session.rule.conditions.conditions
        if isinstance(condition, SemanticElementExists)
    )
    assert keywords == replace(advice.condition, match_threshold=advice.threshold)
    room.until(lambda: room.workspace.matrix.rows.shown and room.workspace.matrix.rows.shown[0].fires)


def test_what_two_changed_is_kept_here_and_the_other_offered(room) -> None:
    room.workspace.rule_edits.set_field("description", "Mine")
    path: Path = room.folder / "rules" / "injection.yaml"
    path.write_text(INJECTION_TEXT.replace("While results are shown", "Theirs"), encoding="utf-8")
    room.until(lambda: any("on_results changed on the disk" in toast for toast in room.toasts))
    assert room.session.rule.description == "Mine"
    toast = next(
        shown for shown in room.studio.window.toasts.shown if "changed on the disk" in shown.accessibleName()
    )
    toast.findChild(Button).click()
    assert room.session.rule.description == "Theirs"


def test_the_form_the_yaml_and_the_screen_single_out_one_condition(room) -> None:
    room.at(1)
    room.workspace.rule_pane.form.condition_chosen.emit((1,))
    assert room.session.condition == (1,)
    at = room.session.document.text.index("current_package_is")
    assert room.session.document.rule_at(room.workspace.rule_pane.yaml.offset) == "on_results"
    assert abs(room.workspace.rule_pane.yaml.offset - at) < 12


def test_values_of_the_form_go_into_the_file_and_a_wrong_one_is_told(room) -> None:
    room.workspace.rule_edits.set_field("priority", 7)
    assert "priority: 7" in room.session.document.text
    room.workspace.rule_edits.move_condition((0,), (), 2)
    assert isinstance(room.session.rule.conditions.conditions[1], SemanticElementExists)
    room.workspace.rule_edits.delete_condition((0,))
    assert len(room.session.rule.conditions.conditions) == 1
    room.workspace.rule_edits.set_group_kind((), "any")
    assert "      any:\n" in room.session.document.text
    room.workspace.rule_edits.add_action()
    room.workspace.rule_edits.delete_action(0)
    assert len(room.session.rule.actions) == 1
    room.until(lambda: not room.session.documents.dirty)
    assert (room.folder / "rules" / "injection.yaml").read_text("utf-8") == room.session.document.text


def test_closing_the_project_leaves_an_empty_workspace(room) -> None:
    room.studio.project_library.close()
    room.until(lambda: room.session.rule is None and room.session.recorded is None)
    assert room.session.corpus is None
    assert room.workspace.matrix.rows.shown == []
    assert not room.studio.commander.enabled("rules.new")


def test_a_state_asked_for_while_recordings_are_read_is_shown_when_they_are(room) -> None:
    assert room.session.recorded.position == 0
    room.session.load_corpus()
    room.session.go_to(2)
    room.until(lambda: room.session.recorded.position == 2)
    assert room.session.pending_position is None


def test_a_state_asked_for_after_an_earlier_request_is_shown_when_recordings_are_read(room) -> None:
    room.session.go_to(3)  # its answer arrives after the next request, which nothing can answer yet
    room.session.load_corpus()
    room.session.go_to(1)
    room.until(lambda: room.session.recorded.position == 1)
    assert room.session.pending_position is None


@pytest.mark.all_workspaces
def test_a_new_window_keeps_the_rule_its_undo_and_the_comparison(room, qapp) -> None:
    room.at(2)
    room.session.select("success", "bought")
    room.session.edit(lambda document, rule_id: document.rename(rule_id, "paid"))
    room.session.select("success", "paid")
    room.session.toggle_compare()
    room.session.switch_semantics()
    room.studio.window.workspace("project").bottom.tabs.set_current(1)
    unread = room.studio.window.toasts.log.unread
    room.studio.window.toasts.show("info", "Read me")
    try:
        room.studio.replace_window(lambda: use_language(qapp, "zh_CN"))
        assert room.studio.commander.title("edit.undo") == "撤销：将 bought 重命名为 paid"
        assert room.studio.window.toasts.log.unread == unread + 1
        assert room.studio.window.workspace("project").bottom.tabs.current == 1
        room.until(lambda: room.session.recorded is not None and room.session.recorded.position == 2)
        with_copies = QMenu()
        room.workspace.anomalies.fill_menu(with_copies)
        tips = [action.toolTip() for menu in with_copies.findChildren(QMenu) for action in menu.actions()]
        assert "电量降到百分之几，且未在充电" in tips
    finally:
        room.studio.replace_window(lambda: use_language(qapp, "en"))
    assert room.studio.commander.title("edit.undo") == "Undo Rename bought to paid"
    assert (room.session.kind, room.session.rule_id) == ("success", "paid")
    assert room.session.is_comparing
    assert room.session.semantics == "dgara"
    room.until(lambda: room.session.recorded is not None)
    assert room.workspace.list.isVisible()
    room.run("edit.undo")
    assert room.session.documents.rule("success", "bought") is not None
    assert room.session.documents.rule("success", "paid") is None
