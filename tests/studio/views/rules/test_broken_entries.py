"""A slip in the YAML leaves the entry in the list: broken, to be chosen, read, corrected or deleted."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from rule_editor.widgets.rule_list import RuleState
from tests.helpers.rule_room import INJECTION_TEXT

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", "grabbing the keyboard", "raise", extend=True)
SECOND = INJECTION_TEXT.partition("rules:\n")[2].replace("on_results", "second")


def listed(room) -> dict[str, RuleState]:
    """The entries of the list by id."""
    return {entry.id: entry.state for entry in room.workspace.list.entries}


def click_entry(room, entry_id: str) -> None:
    """Click an entry of the list."""
    room.until(lambda: entry_id in listed(room))
    view, group = (
        room.workspace.list.view,
        next(entry.group for entry in room.workspace.list.entries if entry.id == entry_id),
    )
    index = room.workspace.list.index_of(group, entry_id)
    room.qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=view.visualRect(index).center())


def test_a_slip_by_backspace_breaks_one_entry_which_stays_until_it_is_corrected(room, qtbot) -> None:
    document, pane = room.session.document, room.workspace.rule_pane
    document.set_text(INJECTION_TEXT + SECOND)
    room.studio.window.activateWindow()
    pane.yaml.setFocus()
    room.until(pane.yaml.hasFocus)
    pane.yaml.go_to(document.text.rindex("conditions:"))
    qtbot.keyClick(pane.yaml, Qt.Key.Key_Backspace)  # its keys are no longer in line
    assert room.session.rule_id == "second"
    room.until(lambda: listed(room)["second"] is RuleState.BROKEN)
    assert listed(room)["on_results"] is not RuleState.BROKEN
    assert room.session.rule is None
    assert pane.broken.isVisible()
    assert "- id: second" in pane.broken.text.toPlainText()
    assert "is not YAML" in pane.broken.reasons.text()

    click_entry(room, "on_results")
    assert room.session.rule.id == "on_results"
    assert not pane.broken.isVisible()
    pane.set_view("form")
    click_entry(room, "second")
    assert pane.broken.isVisible()
    qtbot.mouseClick(pane.broken.go, Qt.MouseButton.LeftButton)
    assert pane.yaml.isVisible()
    room.until(pane.yaml.hasFocus)
    assert pane.yaml.offset > document.text.index("- id: second")

    pane.yaml.go_to(document.text.rindex("conditions:"))
    qtbot.keyClick(pane.yaml, Qt.Key.Key_Tab)
    assert document.text == INJECTION_TEXT + SECOND
    room.until(lambda: listed(room)["second"] is not RuleState.BROKEN)
    assert (room.session.rule.id, pane.broken.isVisible()) == ("second", False)


def test_a_file_that_is_broken_when_it_is_opened_shows_its_entries_and_one_can_be_deleted(room) -> None:
    broken = (INJECTION_TEXT + SECOND).replace("  - id: second", "- id: second")
    room.session.files = ()
    (room.folder / "rules" / "injection.yaml").write_text(broken, encoding="utf-8")
    room.until(lambda: listed(room).get("second") is RuleState.BROKEN)
    click_entry(room, "second")
    assert room.studio.commander.enabled("rules.delete")
    assert not room.studio.commander.enabled("rules.duplicate")
    room.run("rules.delete")
    room.until(lambda: "second" not in listed(room))
    assert room.session.document.text.rstrip() == INJECTION_TEXT.rstrip()
    room.session.history.undo()
    room.until(lambda: listed(room).get("second") is RuleState.BROKEN)


@pytest.mark.all_workspaces
def test_check_project_names_the_slip_and_leads_to_its_line(room, qtbot) -> None:
    window, project = room.studio.window, room.studio.window.workspace("project")
    broken = INJECTION_TEXT + SECOND.replace("    conditions", "   conditions")
    room.session.document.set_text(broken)
    room.until(lambda: not room.session.documents.dirty)
    window.show_workspace("project")
    room.run("project.check")
    problems = project.bottom.problems
    room.until(lambda: any("not YAML" in row.text for row in problems.entries))
    row = next(row for row in problems.entries if "not YAML" in row.text)
    assert row.place.startswith("rules/injection.yaml:")
    project.bottom.problems.action_asked.emit(row)
    assert window.workspace("rules").isVisible()
    assert room.session.rule_id == "second"
    assert room.workspace.rule_pane.broken.isVisible()
    assert room.workspace.rule_pane.yaml.current_line == int(row.place.rpartition(":")[2])
