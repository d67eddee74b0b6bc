"""Suggest opens proposals with ticks, screens and reasons; one undo takes back all that were added."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from collector.store.project.project import Project
from tests.helpers.states_room import SCREENS, record_golden

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", "grabbing the keyboard", "raise", extend=True)


def _names(room):
    task = next(task for task in room.studio.project_library.edits.tasks if task.id == room.session.task_id)
    return task.essential_states


def test_suggestions_are_ticked_shown_on_the_strip_added_and_taken_back(room) -> None:
    session, controller = room.session, room.workspace.suggestions
    project = Project.open(room.folder)
    project.paths.rule_file("success").write_text(
        "bought:\n  description: The cart has the poster\n"
        "  conditions: [{type: element_text_contains, selector: \"resource-id='shop:id/cart'\", text: (1)}]\n"
    )
    buy, look = project.tasks
    project.save_tasks([replace(buy, rule_key="bought"), look])
    record_golden(project, "look", "look-lin", "lin", SCREENS[:2])
    room.studio.project_library.reload()
    room.until(lambda: session.task.rule_key == "bought")
    before = (room.folder / "rules" / "states.yaml").read_text()

    room.run("states.suggest")
    dialog = controller.dialog
    room.until(lambda: dialog.result_shown.goldens)
    assert dialog.sentences == ["The cart has the poster"], "the other task shows the rest, too"
    dialog.shared.click()
    room.until(lambda: len(dialog.sentences) == 2)
    assert dialog.sentences == ["The cart has the poster", "'Sort' is shown"]
    assert dialog.ticked == ["buy-5"]
    assert dialog.current.steps == {"buy-lin": 3, "buy-sara": 2}
    assert session.step == 3, "the film strip goes where the current suggestion is reached"
    room.until(lambda: all(not frame.pixmap().isNull() for frame in dialog.frames.values()))
    assert "bought is reached there already" in dialog.current.reason
    QTest.keyClick(dialog.tree, Qt.Key.Key_Down)
    assert session.step == 1
    QTest.keyClick(dialog.tree, Qt.Key.Key_Space)
    assert dialog.ticked == ["buy-5", "buy-4"]
    assert dialog.yes.text() == "Add 2 states"
    QTest.mouseClick(dialog.yes, Qt.MouseButton.LeftButton)
    room.until(lambda: controller.dialog is None)
    assert [state.id for state in session.states] == ["results", "bought", "liked", "buy-4", "buy-5"]
    assert session.state_of("buy-5").after == ("results", "buy-4")
    room.until(lambda: _names(room) == ("results", "bought", "liked", "buy-4", "buy-5"))
    room.until(lambda: session.reach_here.keys() >= {"buy-4", "buy-5"})
    assert (session.reach_here["buy-4"].reached, session.reach_here["buy-5"].reached) == (1, 3)
    room.run("edit.undo")
    assert [state.id for state in session.states] == ["results", "bought", "liked"]
    room.until(lambda: _names(room) == ("results", "bought", "liked"))
    session.documents.save()
    room.until(lambda: (room.folder / "rules" / "states.yaml").read_text() == before)
    room.run("edit.redo")
    room.until(lambda: _names(room) == ("results", "bought", "liked", "buy-4", "buy-5"))


def test_what_is_missing_is_said(room) -> None:
    room.workspace.chooser.list.activated.emit(1)
    room.run("states.suggest")
    dialog = room.workspace.suggestions.dialog
    room.until(lambda: dialog.result_shown.missing)
    assert dialog.status.text().splitlines() == [
        "There is nothing to suggest",
        "There is no finished golden trajectory of look: record two, by two people",
        "look has no success rule",
    ]
    assert not dialog.yes.isEnabled()
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    room.until(lambda: room.workspace.suggestions.dialog is None)
