"""Every command of the Rules workspace does what it says, on a project on disk."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QInputDialog

from collector.located_yaml.diagnostics import apply_edits
from collector.rules.conditions.min_step import MinStep
from collector.rules.grammar.model import DGARA, INJECTION, STATE, SUCCESS, WAYMARK
from collector.store.trajectory.achieved_states import AchievedState
from studio.bridge.rules.rule_names import ANOMALY_KIND
from studio.commands.tables.rules import RULES_COMMANDS
from studio.views.rules.document_pane import BOTH, FORM, YAML
from studio.views.rules.rule_users import RuleUsersDialog
from studio.widgets.controls import Button
from tests.helpers.person_files import marks_in, write_marks
from tests.helpers.rule_room import INJECTION_TEXT, SUCCESS_TEXT
from tests.helpers.shown_texts import says

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", "grabbing the keyboard", "raise", extend=True)


def text(room) -> str:
    return room.session.documents.documents[INJECTION].text


def every_command_has_something_that_runs_it(room, _qtbot) -> None:
    assert [command.id for command in RULES_COMMANDS if not room.studio.commander.reachable(command.id)] == []


def test_a_new_rule_is_made_of_a_template_and_shown(room) -> None:
    room.run("rules.new")
    room.choose("in this app from step 3 on")
    assert (room.session.kind, room.session.rule_id) == (INJECTION, "buy_injection")
    assert MinStep(value=3) in room.session.rule.conditions.conditions
    assert room.session.rule.actions[0].interference_id == "low_battery"
    assert text(room).startswith("# kept\n")


def test_duplicate_shows_the_copy_and_undo_and_redo_follow_it(room) -> None:
    room.run("rules.duplicate")
    copy = room.session.rule_id
    assert copy != "on_results"
    room.run("edit.undo")
    assert text(room) == INJECTION_TEXT
    assert room.session.rule_id == "on_results"
    room.run("edit.redo")
    assert f"id: {copy}" in text(room)


def test_delete_says_so_and_its_undo_brings_the_rule_back(room) -> None:
    room.run("rules.delete")
    assert "on_results" not in text(room)
    assert any("Deleted on_results" in toast for toast in room.toasts)
    toast = next(shown for shown in room.studio.window.toasts.shown if "Deleted" in shown.accessibleName())
    toast.findChild(Button).click()
    assert text(room) == INJECTION_TEXT


def test_rename_is_followed_by_the_tasks_that_name_the_rule(room) -> None:
    room.run("rules.rename")
    dialog = room.workspace.findChild(QInputDialog)
    assert dialog.textValue() == "on_results"
    dialog.setTextValue("on_found")
    dialog.accept()
    assert room.session.rule_id == "on_found"
    assert room.studio.project_library.edits.tasks[0].target_rule_ids == ("on_found",)
    room.run("edit.undo")
    assert text(room) == INJECTION_TEXT
    assert room.studio.project_library.edits.tasks[0].target_rule_ids == ("on_results",)
    room.run("edit.redo")
    assert room.studio.project_library.edits.tasks[0].target_rule_ids == ("on_found",)


def test_experiments_that_name_a_renamed_rule_or_anomaly_follow_and_undo_puts_them_back(room) -> None:
    folder = room.folder / "experiments"
    folder.mkdir()
    before = "tasks: all\nconditions: [{rules: [on_results]}, low_battery]  # kept\n"
    (folder / "pilot.yaml").write_text(before, encoding="utf-8")
    (folder / "slip.yaml").write_text(f"{before}seeds: [\n", encoding="utf-8")

    def reads(text: str) -> bool:
        return (folder / "pilot.yaml").read_text(encoding="utf-8") == text

    rule = before.replace("on_results", "on_found")
    room.workspace.rule_edits.rename_to("on_found")
    room.until(lambda: reads(rule))
    room.until(lambda: any("slip.yaml cannot be changed here" in toast for toast in room.toasts))
    room.session.select(ANOMALY_KIND, "low_battery")
    room.workspace.anomalies.rename_to("flat")
    room.until(lambda: reads(rule.replace("low_battery", "flat")))
    room.run("edit.undo")
    room.until(lambda: reads(rule))
    room.run("edit.undo")
    room.until(lambda: reads(before))
    room.run("edit.redo")
    room.until(lambda: reads(rule))


def test_what_people_said_of_a_renamed_state_follows_it(room, qtbot) -> None:
    library = room.studio.project_library
    folder = next(library.project.trajectory_folders())
    document = room.session.documents.documents[STATE]
    document.set_text("states:\n  - id: cart\n    sentence: In the cart\n", "Edit")
    write_marks(folder, "ann", [AchievedState(0, "cart"), AchievedState(1, "paid")])
    room.session.select(STATE, "cart", document.path)
    for id_ in ("in_cart", "cart"):
        with qtbot.waitSignal(room.studio.stored_labels.changed):
            if id_ == "in_cart":
                room.workspace.rule_edits.rename_to(id_)
            else:
                room.run("edit.undo")
        assert {mark.state for mark in marks_in(folder, "ann")} == {id_, "paid"}
        assert f"id: {id_}\n" in document.text


def test_an_id_another_rule_has_is_refused_in_a_sentence_and_the_form_goes_back(room) -> None:
    room.run("rules.duplicate")
    copy = room.session.rule_id
    room.workspace.rule_edits.set_field("id", "on_results")
    assert room.session.rule_id == copy
    assert room.toasts
    assert f"id: {copy}" in text(room)


def test_semantics_switch_reads_everything_again(room, qtbot) -> None:
    assert room.session.semantics == WAYMARK
    with qtbot.waitSignal(room.session.backtests.ready, timeout=20_000):
        room.run("rules.switch-semantics")
    assert room.session.semantics == room.session.backtests.semantics == DGARA
    assert says(room.workspace, DGARA)
    room.run("rules.switch-semantics")
    assert room.session.semantics == WAYMARK


def backtest_reads_what_is_recorded_again(room, qtbot) -> None:
    with qtbot.waitSignal(room.session.backtests.ready, timeout=20_000) as ready:
        room.run("rules.backtest")
    assert len(ready.args[0]) == 5


def test_compare_marks_what_the_rule_does_otherwise_than_when_it_was_opened(room) -> None:
    room.run("rules.compare")
    assert room.session.is_comparing
    room.workspace.rule_edits.set_condition_field((0,), "match_threshold", 0.5)
    room.until(lambda: room.session.rule.conditions.conditions[0].match_threshold == 0.5)
    room.until(lambda: room.workspace.matrix.rows.shown and room.workspace.matrix.rows.shown[0].fires == 2)
    assert room.session.saved_rule().conditions.conditions[0].match_threshold == 1.0
    room.run("rules.compare")
    assert not room.session.is_comparing


def fix_says_when_there_is_nothing_a_click_could_mend(room, _qtbot) -> None:
    room.session.select(SUCCESS, "bought")
    room.run("rules.fix")
    assert any("has a quick fix" in toast for toast in room.toasts)


def test_fix_goes_to_the_first_thing_a_click_can_mend(room) -> None:
    document = room.session.document
    at = document.text.index("low_battery")
    document.replace(at, at + len("low_battery"), "low_batery")
    room.until(
        lambda: (
            "W201"
            in [diagnostic.code for diagnostic in room.session.diagnostics.of(document) if diagnostic.fixes]
        )
    )
    first = next(diagnostic for diagnostic in room.session.diagnostics.of(document) if diagnostic.fixes)
    mended = apply_edits(document.text, first.fixes[0].edits)
    room.run("rules.fix")
    assert text(room) == mended


def test_a_condition_of_the_menu_joins_the_rule(room) -> None:
    room.run("rules.add-condition")
    room.choose("min_step")
    assert MinStep(value=2) in room.session.rule.conditions.conditions


def steps_go_from_state_to_state_of_one_trajectory(room, _qtbot) -> None:
    room.at(0)
    room.run("rules.next-state")
    room.until(lambda: room.session.recorded.index == 1)
    room.run("rules.previous-state")
    room.until(lambda: room.session.recorded.index == 0)


def quick_steps_count_from_where_the_last_one_leads(room, _qtbot) -> None:
    room.at(0)
    room.run("rules.next-state")
    room.run("rules.next-state")  # before the first of them can have been shown
    room.until(lambda: room.session.recorded.index == 2)


def next_fire_goes_round_and_says_when_there_is_none(room, _qtbot) -> None:
    room.run("rules.next-fire")
    assert any("fires nowhere" in toast for toast in room.toasts)
    room.session.select(SUCCESS, "bought")
    room.until(lambda: room.workspace.matrix.rows.shown[0].fires == 1)
    for _round in range(2):
        room.run("rules.next-fire")
        room.until(lambda: room.session.recorded.position == 2)


def view_goes_from_both_to_yaml_to_form(room, _qtbot) -> None:
    seen = [room.workspace.rule_pane.view]
    for _press in range(3):
        room.run("rules.switch-editor")
        seen.append(room.workspace.rule_pane.view)
    assert seen == [BOTH, YAML, FORM, BOTH]


def live_without_a_phone_shows_an_empty_screen_and_recorded_comes_back(room, _qtbot) -> None:
    room.run("rules.toggle-live")
    room.until(lambda: room.session.state is None)
    room.workspace.screen_pane.source_chosen.emit("recorded")
    room.until(lambda: room.session.recorded is not None)


def test_live_and_back_keeps_the_recorded_state_and_another_task_is_followed(room) -> None:
    selection = room.studio.selection
    room.at(2)
    room.run("rules.toggle-live")
    room.until(lambda: room.session.state is None)
    room.run("rules.toggle-live")
    room.until(lambda: room.session.recorded is not None)
    assert room.session.recorded.position == 2
    selection.choose_task("look")
    room.until(lambda: room.session.recorded.trajectory.task_id == "look")
    room.run("rules.toggle-live")
    room.run("rules.new")
    room.choose("Success rule, empty")
    assert room.session.rule_id == "look_done"
    selection.choose_task("buy")
    room.run("rules.toggle-live")
    room.until(lambda: room.session.recorded is not None)
    assert room.session.recorded.trajectory.task_id == "buy"


def test_a_rule_is_attached_to_tasks_in_its_form_and_by_a_quick_fix(room) -> None:
    edits, users = room.studio.project_library.edits, room.workspace.users

    def dialog() -> RuleUsersDialog:
        return room.studio.window.findChild(RuleUsersDialog)

    assert [chip.text() for chip in users.row.chips.chips] == ["buy"]
    QTest.mouseClick(users.row.chips.add, Qt.MouseButton.LeftButton)
    assert dialog().list.chosen == ["buy"]
    dialog().list.tick("look", True)
    dialog().yes.click()
    assert [task.target_rule_ids for task in edits.tasks] == [("on_results",), ("on_results",)]
    assert [chip.text() for chip in users.row.chips.chips] == ["buy", "look"]
    room.run("edit.undo")
    assert [task.target_rule_ids for task in edits.tasks] == [("on_results",), ()]

    room.run("rules.new")
    room.choose("Success rule, empty")
    document, rule_id = room.session.document, room.session.rule_id

    def unused() -> list:
        found = room.session.diagnostics.of(document)
        return [item for item in found if (item.code, item.rule_id) == ("W206", rule_id) and item.fixes]

    room.until(unused)
    assert not users.row.none.isHidden()
    room.workspace.rule_pane.yaml.go_to(unused()[0].place.start)
    room.run("rules.fix")
    room.until(lambda: dialog() is not None)
    dialog().list.tick("look", True)
    dialog().list.tick("buy", True)  # it was judged by another rule
    dialog().yes.click()
    assert [task.rule_key for task in edits.tasks] == [rule_id, rule_id]
    room.until(lambda: not unused())
    room.run("edit.undo")
    assert [task.rule_key for task in edits.tasks] == ["bought", ""]


def find_puts_the_cursor_into_the_filter(room, _qtbot) -> None:
    room.run("rules.find")
    assert room.studio.window.focusWidget() is room.workspace.list.filter


def test_propose_offers_rules_and_the_task_names_the_chosen_one(room) -> None:
    room.at(4)
    room.run("rules.propose")
    menu = room.workspace.proposals.menu
    room.until(menu.isVisible)
    rule = menu.suggestions[0].rule
    QTest.keyClick(menu, Qt.Key.Key_Return)
    assert room.session.rule_id == rule.id
    task = room.studio.project_library.edits.tasks[1]
    assert rule.id in (task.rule_key, *task.target_rule_ids)


def test_rules_are_not_proposed_over_another_workspace(room, qtbot) -> None:
    with qtbot.waitSignal(room.session.backtests.proposed) as found:
        room.run("rules.propose")
        room.workspace.hide()
    assert found.args[0]
    assert not room.workspace.proposals.menu.isVisible()
    room.workspace.show()
    room.run("rules.propose")
    room.until(room.workspace.proposals.menu.isVisible)


def test_a_file_that_is_in_no_project_is_edited_beside_the_recordings(room, tmp_path) -> None:
    other = tmp_path / "mine.yaml"
    other.write_text(SUCCESS_TEXT.replace("bought", "mine"), encoding="utf-8")
    room.run("rules.open-file")
    dialog = room.workspace.findChild(QFileDialog)
    dialog.fileSelected.emit(str(other))
    dialog.reject()
    room.until(lambda: room.session.rule_id == "mine")
    assert set(room.session.documents.documents) == {SUCCESS}
    room.until(lambda: room.workspace.matrix.rows.shown and room.workspace.matrix.rows.shown[0].fires == 1)


def test_commands_that_change_no_rule(room, qtbot) -> None:
    """One window for all of them: to build it takes longer than what they do."""
    for command in (
        every_command_has_something_that_runs_it,
        backtest_reads_what_is_recorded_again,
        view_goes_from_both_to_yaml_to_form,
        steps_go_from_state_to_state_of_one_trajectory,
        quick_steps_count_from_where_the_last_one_leads,
        live_without_a_phone_shows_an_empty_screen_and_recorded_comes_back,
        next_fire_goes_round_and_says_when_there_is_none,
        fix_says_when_there_is_nothing_a_click_could_mend,
        find_puts_the_cursor_into_the_filter,
    ):
        command(room, qtbot)
