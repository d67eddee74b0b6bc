"""Any trajectory comes to the screen, Record's open state is shown, proposals go to their task."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from studio.bridge.rules.rule_backtests import RuleKey
from studio.views.conditions.trajectory_picker import TrajectoryPicker
from studio.views.project.tasks.task_rows import task_rows
from studio.widgets.controls import Button

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", "grabbing the keyboard", "raise", extend=True)


def propose(room, kind: str):
    """Choose the first proposal of a kind, and return it."""
    room.run("rules.propose")
    menu = room.workspace.proposals.menu
    room.until(menu.isVisible)
    row = next(row for row, proposal in enumerate(menu.suggestions) if proposal.rule.kind == kind)
    room.qtbot.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.row_rect(row).center())
    return menu.suggestions[row]


def task(room, task_id: str):
    return next(task for task in room.studio.project_library.edits.tasks if task.id == task_id)


def test_any_trajectory_is_reached_without_a_rule_by_its_key_and_a_few_letters(room, qtbot) -> None:
    room.run("rules.delete")
    room.studio.window.activateWindow()
    view = room.workspace.screen_pane.view
    view.setFocus()
    room.until(view.hasFocus)
    qtbot.keyClick(view, Qt.Key.Key_T)
    picker = room.workspace.screen_pane.findChild(TrajectoryPicker)
    room.until(picker.isVisible)
    assert picker.list.currentRow() == 0
    qtbot.keyClicks(picker.filter, "look")
    qtbot.keyClick(picker.filter, Qt.Key.Key_Return)
    room.until(lambda: room.session.recorded.trajectory.task_id == "look")
    assert room.session.recorded.index == 0
    qtbot.mouseClick(room.workspace.screen_pane.choose, Qt.MouseButton.LeftButton)
    assert picker.list.currentRow() == 1
    qtbot.keyClick(picker.filter, Qt.Key.Key_Up)
    qtbot.keyClick(picker.filter, Qt.Key.Key_Return)
    room.until(lambda: room.session.recorded.trajectory.task_id == "buy")


@pytest.mark.all_workspaces
def test_the_state_that_is_open_in_review_is_the_one_shown_here(room) -> None:
    review = room.studio.window.workspace("review")
    folder = next((room.folder / "trajectories" / "look").iterdir())
    room.studio.commander.run("review.open", folder=str(folder))
    room.until(lambda: review.session.is_aligned)
    review.session.go(1)
    room.studio.window.show_workspace("rules")
    room.until(
        lambda: room.session.recorded.trajectory.task_id == "look" and room.session.recorded.index == 1
    )
    room.session.load_corpus()
    room.until(lambda: room.session.corpus is not None)
    room.until(
        lambda: room.session.recorded.trajectory.task_id == "look" and room.session.recorded.index == 1
    )


def test_a_proposed_rule_is_named_by_the_task_it_was_proposed_for(room) -> None:
    room.at(4)
    success = propose(room, "success")
    assert task(room, "look").rule_key == success.rule.id
    project = room.studio.project_library
    (row,) = task_rows(project.snapshot, [task(room, "look")], ())
    assert row.rule_count == 1
    document = room.session.documents.documents["success"]
    room.until(lambda: room.session.results.get(RuleKey(room.session.file, success.rule.id)))
    room.until(
        lambda: (
            not any(
                diagnostic.rule_id == success.rule.id and "task" in diagnostic.what
                for diagnostic in room.session.diagnostics.of(document)
            )
        )
    )


def test_a_task_that_is_judged_already_keeps_its_rule_until_the_person_says_so(room) -> None:
    room.at(0)
    success = propose(room, "success")
    assert task(room, "buy").rule_key == "bought"
    toast = next(
        toast for toast in room.studio.window.toasts.shown if "is judged by" in toast.accessibleName()
    )
    toast.findChild(Button).click()
    assert task(room, "buy").rule_key == success.rule.id == room.session.rule_id
    injection = propose(room, "injection")
    assert task(room, "buy").target_rule_ids == ("on_results", injection.rule.id)


def test_a_proposed_rule_that_is_undone_leaves_no_silent_name_in_its_task(room) -> None:
    room.at(4)
    success = propose(room, "success")
    room.until(lambda: task(room, "look").rule_key == success.rule.id)
    room.run("edit.undo")
    room.until(lambda: success.rule.id not in {rule.id for rule in room.session.documents.rules})
    assert task(room, "look").rule_key == success.rule.id
    checks = room.studio.findings
    room.until(lambda: not room.studio.rule_documents.dirty and not room.studio.tasks.saving)
    with room.qtbot.waitSignal(checks.checked, timeout=20_000) as checked:
        checks.check()
    findings = {(finding.code, finding.severity) for finding in checked.args[0]}
    assert ("W203", "error") in findings
    room.run("edit.redo")
    room.until(lambda: success.rule.id in {rule.id for rule in room.session.documents.rules})
