"""What the parts of the Rules workspace tell each other, in a built window over a project on disk."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint

from collector.rules.conditions.image_matches import ImageMatches
from collector.rules.conditions.semantic_element_exists import SemanticElementExists
from studio.views.rules.completion_vocabulary import words_by_kind, words_of
from tests.helpers.rule_room import INJECTION_TEXT

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", "grabbing the keyboard", "raise", extend=True)


def suggested(room, text: str = "Sort"):
    """Suggestions for the node that says ``text``."""
    node = next(node for node in room.home.stage.state.nodes if node.text == text)
    room.home.stage.picker.picked.emit((node,), QPoint(10, 10))
    room.until(room.home.menu.isVisible)
    found = room.home.menu.suggestions
    room.home.menu.hide()
    return found


def test_a_click_on_a_node_offers_conditions_and_one_joins_the_rule(room) -> None:
    room.at(1)
    found = suggested(room)
    assert found[0].score >= found[-1].score
    room.home.menu.chosen.emit(found[0])
    assert found[0].condition in room.home.rule.conditions.conditions


def test_without_a_rule_the_condition_begins_one(room) -> None:
    room.run("rules.delete")
    room.at(1)
    room.home.menu.chosen.emit(suggested(room)[0])
    assert room.home.rule_id == "buy_injection"
    assert len(room.home.rule.conditions.conditions) == 1


def test_a_picture_is_cut_from_the_recorded_state_into_the_project(room) -> None:
    room.at(1)
    with room.qtbot.waitSignal(room.home.tests.suggested, timeout=20_000):
        room.home.stage.picker.region.emit(room.home.stage.state.nodes[2].bounds, QPoint(10, 10))
    room.until(room.home.menu.isVisible)
    room.home.menu.hide()
    one = next(
        suggestion
        for suggestion in room.home.menu.suggestions
        if isinstance(suggestion.condition, ImageMatches)
    )
    room.home.menu.chosen.emit(one)
    name = room.home.rule.conditions.conditions[-1].image
    room.until((room.folder / name).exists)


def test_completions_know_the_screen_and_the_project(room) -> None:
    room.at(1)
    words = words_of(room.home)
    assert "shop:id/sort" in words.ids
    assert "Filter" in words.texts
    assert words.anomalies == ("low_battery",)
    assert words.tasks == ("buy", "look")
    assert "text='Sort'" in words_by_kind(room.home)["selector"]
    at = room.home.document.text.index("low_battery") + len("low_b")
    labels = [completion.label for completion in room.deeds.completions(at)]
    assert "low_battery" in labels


def test_advice_of_the_explanation_is_written_as_the_threshold(room) -> None:
    room.until(lambda: room.home.matrix.rows.shown)
    with room.qtbot.waitSignal(room.home.tests.told, timeout=20_000) as told:
        room.home.matrix.cell_chosen.emit(1)
    advice = told.args[0].alternatives[0]
    room.deeds.take_advice(advice)
    keywords = next(
        condition
        for condition in room.home.rule.conditions.conditions
        if isinstance(condition, SemanticElementExists)
    )
    assert keywords == replace(advice.condition, match_threshold=advice.threshold)
    room.until(lambda: room.home.matrix.rows.shown and room.home.matrix.rows.shown[0].fires)


def test_what_two_changed_is_kept_here_and_the_other_offered(room) -> None:
    room.deeds.set_field("description", "Mine")
    path: Path = room.folder / "rules" / "injection.yaml"
    path.write_text(INJECTION_TEXT.replace("While results are shown", "Theirs"), encoding="utf-8")
    room.until(lambda: any("Somebody else changed on_results" in toast for toast in room.toasts))
    assert room.home.rule.description == "Mine"
    toast = next(one for one in room.studio.window.toasts.shown if "Somebody else" in one.accessibleName())
    toast._do()
    assert room.home.rule.description == "Theirs"


def test_the_form_the_yaml_and_the_screen_single_out_one_condition(room) -> None:
    room.at(1)
    room.home.pane.form.condition_chosen.emit((1,))
    assert room.home.chosen == (1,)
    at = room.home.document.text.index("current_package_is")
    assert room.home.document.rule_at(room.home.pane.yaml.offset) == "on_results"
    assert abs(room.home.pane.yaml.offset - at) < 12


def test_values_of_the_form_go_into_the_file_and_a_wrong_one_is_told(room) -> None:
    room.deeds.set_field("priority", 7)
    assert "priority: 7" in room.home.document.text
    room.deeds.move_condition((0,), (), 2)
    assert isinstance(room.home.rule.conditions.conditions[1], SemanticElementExists)
    room.deeds.delete_condition((0,))
    assert len(room.home.rule.conditions.conditions) == 1
    room.deeds.set_group_kind((), "any")
    assert "      any:\n" in room.home.document.text
    room.deeds.add_action()
    room.deeds.delete_action(0)
    assert len(room.home.rule.actions) == 1
    room.until(lambda: not room.home.book.dirty)
    assert (room.folder / "rules" / "injection.yaml").read_text("utf-8") == room.home.document.text


def test_closing_the_project_leaves_an_empty_workspace(room) -> None:
    room.studio.library.close()
    room.until(lambda: room.home.rule is None and room.home.stage.shown is None)
    assert room.home.corpus is None
    assert room.home.matrix.rows.shown == []
    assert not room.studio.commander.enabled("rules.new")
