"""Right clicks and the menu key on tasks, queue, steps, trajectories and lanes, and what their entries do."""

from __future__ import annotations

import re
import sys

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from collector.model.action import Complete, Tap
from collector.model.task import Task
from collector.model.trajectory import TrajectoryHeader
from collector.store.project.project import Project
from collector.store.trajectory.reader import open_trajectory
from studio.views.project.trajectory_change_controller import _RenameDialog
from studio.views.project.trajectory_list_dialog import TrajectoryListDialog
from studio.widgets.controls import Button
from studio.widgets.trajectory_edits.edit_dialogs import EditPlanDialog
from tests.helpers.steps import png, step

pytestmark = pytest.mark.qt_log_ignore(
    "propagateSizeHints", "grabbing the keyboard", "raise", "This plugin does not support", extend=True
)


@pytest.fixture
def project(studio, qtbot, tmp_path):
    """Tasks ``shop-1`` and ``shop-2``; the first has a golden trajectory of three states."""
    project = Project.create(tmp_path / "benchmark")
    project.save_tasks([Task("shop-1", "Buy a lamp", app="Shop"), Task("shop-2", "Buy a chair", app="Shop")])
    with project.new_trajectory(TrajectoryHeader("first", "shop-1", who="lin")) as writer:
        for number, action in enumerate((Tap(1, 2), Tap(2, 3), Complete())):
            writer.append(step(number, action), png(), b"<hierarchy/>")
        writer.finish()
    studio.window.resize(1500, 950)
    studio.project_library.open(project.folder)
    cards = studio.window.workspace("project").recent.cards
    qtbot.waitUntil(lambda: len(cards.rows) == 1)
    return project


def _menu(widget, at=None):
    """Right-click a point of a widget, or press the menu key on it; return the titles that can be chosen."""
    reason = QContextMenuEvent.Reason.Keyboard if at is None else QContextMenuEvent.Reason.Mouse
    point = QPoint(1, 1) if at is None else at
    QApplication.sendEvent(widget, QContextMenuEvent(reason, point, widget.mapToGlobal(point)))
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    return {
        action.text().partition("\t")[0]: action
        for action in menu.actions()
        if action.isEnabled() and not action.isSeparator()
    }


def _choose(qtbot, actions, title):
    menu = QApplication.activePopupWidget()
    box = menu.actionGeometry(actions[title])
    QTest.mouseClick(menu, Qt.MouseButton.LeftButton, pos=box.center())
    qtbot.waitUntil(lambda: QApplication.activePopupWidget() is None)


def _ids(project):
    return [folder.name for folder in project.trajectory_folders()]


def _copied(studio, original: str) -> str:
    """The id of the task that was added to the two: that of the original with four digits behind it."""
    *others, added = (task.id for task in studio.project_library.edits.tasks)
    assert others == ["shop-1", "shop-2"]
    assert re.fullmatch(rf"{original}-[0-9a-f]{{4}}", added)
    return added


def test_a_task_is_duplicated_and_deleted_from_its_menu(studio, project, qtbot):
    table = studio.window.workspace("project").table
    table.select(["shop-1"])
    row = table.visualRect(table.model().index(1, 1)).center()
    actions = _menu(table.viewport(), row)
    assert [task.id for task in table.selected] == ["shop-2"]
    assert {"Edit task", "Duplicate task", "Delete task", "Record"} <= set(actions)
    _choose(qtbot, actions, "Duplicate task")
    copied = _copied(studio, "shop-2")
    assert [task.id for task in table.selected] == [copied]
    studio.answer({"run": "edit.undo"})
    assert len(studio.project_library.edits.tasks) == 2
    table.select(["shop-1"])
    _choose(qtbot, _menu(table), "Delete task")
    assert [task.id for task in studio.project_library.edits.tasks] == ["shop-2"]


def test_a_trajectory_is_renamed_copied_and_deleted_from_its_card_and_each_is_undone(studio, project, qtbot):
    cards = studio.window.workspace("project").recent.cards
    before = (project.find("first") / "steps.jsonl").read_bytes()
    _choose(qtbot, _menu(cards, QPoint(30, 30)), "Rename trajectory...")
    dialog = studio.window.findChild(_RenameDialog)
    QTest.keyClicks(dialog.field, "best")
    QTest.keyClick(dialog.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: _ids(project) == ["best"])
    # The folder is renamed first, then the header is written.
    qtbot.waitUntil(lambda: open_trajectory(project.find("best")).header.id == "best")
    qtbot.waitUntil(lambda: "rename" in studio.commander.title("edit.undo"))
    qtbot.waitUntil(lambda: cards.rows[0].id == "best")

    _choose(qtbot, _menu(cards, QPoint(30, 30)), "Duplicate trajectory")
    qtbot.waitUntil(lambda: len(cards.rows) == 2)
    studio.answer({"run": "edit.undo"})
    qtbot.waitUntil(lambda: _ids(project) == ["best"])
    qtbot.waitUntil(lambda: len(cards.rows) == 1)

    _choose(qtbot, _menu(cards, QPoint(30, 30)), "Delete trajectory")
    qtbot.waitUntil(lambda: cards.rows == ())
    assert _ids(project) == []
    toast = studio.window.toasts.shown[-1]
    assert "best is deleted" in toast.accessibleName()
    toast.findChild(Button).click()
    qtbot.waitUntil(lambda: len(cards.rows) == 1)
    studio.answer({"run": "edit.undo"})
    qtbot.waitUntil(lambda: _ids(project) == ["first"])
    studio.answer({"run": "edit.redo"})
    qtbot.waitUntil(lambda: _ids(project) == ["best"])
    assert (project.find("best") / "steps.jsonl").read_bytes() == before


def test_an_id_that_is_taken_is_refused_in_a_sentence(studio, project, qtbot):
    cards = studio.window.workspace("project").recent.cards
    QTest.mouseClick(cards, Qt.MouseButton.LeftButton, pos=QPoint(30, 30))
    studio.answer({"run": "trajectory.duplicate"})
    qtbot.waitUntil(lambda: len(cards.rows) == 2)
    studio.answer(
        {"run": "trajectory.rename", "arguments": {"folder": "trajectories/shop-1/first", "name": "a/b"}}
    )
    qtbot.waitUntil(lambda: any("cannot be the id" in t.accessibleName() for t in studio.window.toasts.shown))
    assert "first" in _ids(project)


def test_the_list_of_all_trajectories_has_a_menu(studio, project, qtbot):
    studio.window.workspace("project").show_all()
    dialog = studio.window.findChild(TrajectoryListDialog)
    qtbot.waitUntil(lambda: dialog.model.rowCount() == 1)
    qtbot.waitUntil(lambda: dialog.model.row(dialog.model.index(0, 0)) is not None)
    place = dialog.table.visualRect(dialog.model.index(0, 0)).center()
    _choose(qtbot, _menu(dialog.table.viewport(), place), "Delete trajectory")
    qtbot.waitUntil(lambda: _ids(project) == [])
    qtbot.waitUntil(lambda: dialog.model.rowCount() == 0)
    dialog.reject()


def test_queue_steps_and_lanes_have_menus_and_an_open_trajectory_can_be_deleted(studio, project, qtbot):
    studio.answer({"run": "view.record"})
    record = studio.window.workspace("record")
    queue = record.queue.list
    row = record.queue.rows.row_of("shop-2")
    actions = _menu(queue.viewport(), queue.visualRect(queue.model().index(row, 0)).center())
    assert record.session.task_id == "shop-2"
    assert {"Edit task...", "Duplicate task", "Show the task in Project"} <= set(actions)
    _choose(qtbot, actions, "Duplicate task")
    _copied(studio, "shop-2")
    heading = queue.visualRect(queue.model().index(0, 0)).center()
    QApplication.sendEvent(
        queue.viewport(),
        QContextMenuEvent(QContextMenuEvent.Reason.Mouse, heading, queue.viewport().mapToGlobal(heading)),
    )
    assert QApplication.activePopupWidget() is None

    studio.answer({"run": "record.open-trajectory"})
    qtbot.waitUntil(lambda: len(record.session.steps) == 3)
    steps = record.side.steps
    actions = _menu(steps.viewport(), steps.visualRect(steps.rows.index(1)).center())
    assert record.session.current == 1
    assert {"Edit caption", "Write a note...", "Delete step", "Drop the steps before"} <= set(actions)
    assert "Re-record step" not in actions
    _choose(qtbot, actions, "Delete step")
    qtbot.waitUntil(lambda: isinstance(QApplication.activeModalWidget(), EditPlanDialog))
    QApplication.activeModalWidget().yes.click()
    qtbot.waitUntil(lambda: len(record.session.steps) == 2)

    canvas = record.timeline.canvas
    QApplication.sendEvent(
        canvas.viewport(),
        QContextMenuEvent(
            QContextMenuEvent.Reason.Mouse, QPoint(4, 40), canvas.viewport().mapToGlobal(QPoint(4, 40))
        ),
    )
    assert all(action.isCheckable() for action in QApplication.activePopupWidget().actions())
    QApplication.activePopupWidget().close()
    actions = _menu(canvas.viewport(), QPoint(canvas.grid().middle(0), 40))
    assert record.session.current == 0
    _choose(qtbot, actions, "Delete trajectory")
    qtbot.waitUntil(lambda: _ids(project) == [])
    assert record.session.editor is None
    toasts = studio.window.toasts
    qtbot.waitUntil(lambda: any("is deleted" in toast.accessibleName() for toast in toasts.shown))
    next(toast for toast in toasts.shown if "is deleted" in toast.accessibleName()).findChild(Button).click()
    qtbot.waitUntil(lambda: _ids(project) == ["first"])
    assert len(open_trajectory(project.find("first")).steps) == 2


@pytest.mark.skipif(sys.platform == "win32", reason="Windows makes a context menu of these keys itself")
def test_shift_f10_opens_the_menu_of_what_has_the_keyboard(studio, project, qtbot):
    workspace = studio.window.workspace("project")
    studio.window.activateWindow()
    assert QTest.qWaitForWindowActive(studio.window)
    for widget, title in (
        (workspace.table, "Edit task"),
        (workspace.recent.cards, "Rename trajectory..."),
    ):
        widget.setFocus()
        QTest.keyClick(widget, Qt.Key.Key_Home)
        QTest.keyClick(widget, Qt.Key.Key_F10, Qt.KeyboardModifier.ShiftModifier)
        menu = QApplication.activePopupWidget()
        assert isinstance(menu, QMenu)
        assert title in [action.text().partition("\t")[0] for action in menu.actions()]
        menu.close()
