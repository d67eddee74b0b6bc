"""A person labels the trajectories of a task by the keyboard, in a built window over a project on disk."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton

from collector.store.trajectory.reviews.labels import Labels, read_labels
from studio.bridge.task_recordings import TaskTrajectory
from studio.views.states.labels.comment_dialog import CommentDialog
from studio.views.states.labels.reasons_dialog import ReasonsDialog
from studio.views.states.session import StatesSession
from tests.helpers.person_files import verdict_in, write_labels
from tests.helpers.shown_texts import says

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", "grabbing the keyboard", "raise", extend=True)


@pytest.fixture
def tab(room):
    """The tab *Labels* on show over ``golden-1``, with the labels of sara in it."""
    of_sara = Labels("sara").with_reached("results", 2).with_missed("bought", "liked")
    write_labels(room.folder_of("buy-lin"), of_sara)
    room.studio.window.activateWindow()
    assert QTest.qWaitForWindowActive(room.studio.window)
    room.run("states.show-labels")
    page = room.workspace.labels
    room.until(lambda: page.row is not None and page.row.reviews.hidden)
    return page


def press(room, *keys) -> None:
    """Send keys to what has the focus, one after the other."""
    for key in keys:
        QTest.keyClick(QApplication.focusWidget(), *(key if isinstance(key, tuple) else (key,)))


def texts(table) -> list[list[str]]:
    return [[cell.text for cell in row] for row in table.rows]


def test_states_are_labelled_by_keys_undone_and_submitted(room, tab):
    folder, session = room.folder_of("buy-lin"), room.session
    said = lambda: read_labels(folder, "lin")  # noqa: E731
    assert [row[0] for row in texts(tab.trajectories)] == ["golden-1", "golden-2"]
    assert [len(row) for row in tab.states.rows] == [3, 3, 3]  # sara's labels are hidden
    assert says(tab, "until you submit")

    assert session.marked_step("liked") is None
    assert session.marked_step("results") is None  # sara's label is not drawn either
    assert tab.states.selectionModel().isRowSelected(tab.states.current)
    session.go(1)
    press(room, Qt.Key.Key_1)
    room.until(lambda: said().step_of("results") == 1)
    room.until(lambda: session.marked_step("results") == 1)
    press(room, Qt.Key.Key_Right, Qt.Key.Key_Right)
    assert session.step == 3
    press(room, Qt.Key.Key_Down, Qt.Key.Key_Space)
    room.until(lambda: said().step_of("bought") == 3)
    press(room, Qt.Key.Key_1)  # it moves
    room.until(lambda: said().step_of("results") == 3)
    press(room, Qt.Key.Key_1)  # the same again takes it back
    room.until(lambda: said().step_of("results") is None)
    room.run("edit.undo")
    room.until(lambda: said().step_of("results") == 3)
    room.run("edit.undo")
    room.until(lambda: said().step_of("results") == 1)
    room.run("edit.redo")
    room.until(lambda: said().step_of("results") == 3)
    room.run("edit.undo")
    press(room, Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_X)
    room.until(lambda: said().missed == ("liked",))
    assert said().step_of("results") == 1
    room.until(lambda: texts(tab.trajectories)[0][2] == "3/3")

    press(room, (Qt.Key.Key_F, Qt.KeyboardModifier.ShiftModifier))
    room.until(lambda: tab.row.verdict is not None)
    tab.verdict.reason.setCurrentIndex(tab.verdict.reason.findData("wrong-element"))
    tab.verdict.reason.activated.emit(tab.verdict.reason.currentIndex())
    room.until(lambda: verdict_in(folder, "lin").reason_id == "wrong-element")
    room.until(lambda: tab.row.verdict.reason_id == "wrong-element")
    tab.verdict.sentence.setText("It took the first one")
    tab.verdict.sentence.editingFinished.emit()
    room.until(lambda: verdict_in(folder, "lin").reason == "It took the first one")
    tab.take_focus()

    press(room, (Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier))
    room.until(lambda: said().submitted)
    room.until(lambda: session.trajectory.id == "buy-sara")
    assert not says(tab, "no steps")
    room.until(lambda: says(tab, "1 of 2 submitted"))
    session.choose_trajectory("buy-lin", 1)
    assert [row[-1] for row in texts(tab.states)] == ["step 3", "not reached", "not reached"]
    assert not says(tab, "Blind until you submit")


def test_the_rest_is_missed_comments_are_pinned_and_reasons_renamed(room, tab, qtbot):
    folder, session = room.folder_of("buy-lin"), room.session
    said = lambda: read_labels(folder, "lin")  # noqa: E731
    session.go(2)
    press(room, Qt.Key.Key_2)
    room.until(lambda: said().step_of("bought") == 2)
    press(room, (Qt.Key.Key_X, Qt.KeyboardModifier.ShiftModifier))
    room.until(lambda: set(said().missed) == {"results", "liked"})

    room.until(lambda: session.shown is not None and session.shown.index == 2)
    room.run("labels.comment")
    dialog = room.studio.window.findChild(CommentDialog)
    qtbot.waitUntil(lambda: dialog.view.selection.tree is not None)
    assert not dialog.yes.isEnabled()
    nodes = dialog.view.selection.tree.nodes
    node = next(node for node in nodes if node.attributes.get("resource-id") == "shop:id/sort")
    dialog.view.selection.select(node)
    dialog.text.setPlainText("The order is wrong")
    dialog.accept()
    room.until(lambda: len(said().comments) == 1)
    comment = said().comments[0]
    assert (comment.text, comment.step, comment.node.path) == ("The order is wrong", 2, node.path)
    room.until(lambda: texts(tab.comments) == [["step 3", "The order is wrong"]])
    session.go(0)
    tab.comments.opened.emit(0)
    dialog = room.studio.window.findChild(CommentDialog)
    assert session.step == 2
    room.until(lambda: dialog.view.selection.selected is not None)
    assert dialog.view.selection.selected.path == node.path
    next(button for button in dialog.findChildren(QPushButton) if button.text() == "Delete").click()
    room.until(lambda: said().comments == ())
    room.run("edit.undo")
    room.until(lambda: said().comments == (comment,))

    room.run("labels.edit-reasons")
    reasons = room.studio.window.findChild(ReasonsDialog)
    row = [reason.id for reason in reasons.reasons].index("wrong-element")
    reasons.table.item(row, 0).setText("Clicks beside it")
    reasons.table.item(row, 0).setText("No recovery after an anomaly")
    assert "already" in reasons.problem.text()
    reasons.table.setCurrentCell(0, 0)
    reasons.remove.click()
    reasons.accept()
    project = room.studio.project_library.project
    room.until(lambda: "Clicks beside it" in [reason.name for reason in project.reasons])
    assert "repeats-what-is-done" not in [reason.id for reason in project.reasons]
    room.run("edit.undo")
    room.until(lambda: "Wrong element" in [reason.name for reason in project.reasons])


def test_the_keys_belong_to_labels_only_while_the_tab_is_on_show(room, tab):
    commander = room.studio.commander
    assert commander.enabled("labels.state-1")
    assert not commander.enabled("states.send-to-audit")  # they share Ctrl+Enter
    room.run("states.show-agreement")
    assert not commander.enabled("labels.state-1")
    room.run("states.show-labels")
    assert commander.enabled("labels.state-1")
    for key in (Qt.Key.Key_8, Qt.Key.Key_9):
        QTest.keyClick(QApplication.focusWidget(), key)
    assert "no essential state of that number" in room.toasts[-1]
    assert len(room.studio.window.toasts.shown) == 1  # each key says the same
    assert read_labels(room.folder_of("buy-lin"), "lin").is_empty


def test_many_trajectories_are_looked_up_and_not_searched(room, tab, monkeypatch):
    """Of 200 trajectories of a task the GUI thread compared 40,000 folders, for 0.1 s."""
    asked = []
    folder = TaskTrajectory.folder
    monkeypatch.setattr(TaskTrajectory, "folder", property(lambda item: asked.append(1) or folder.fget(item)))
    monkeypatch.setattr(tab.labels, "rows", tab.labels.rows * 50)
    monkeypatch.setattr(StatesSession, "trajectories", room.session.trajectories * 50)
    tab.labels.changed.emit()
    assert len(tab.trajectories.rows) == 100
    assert len(asked) < 1000
