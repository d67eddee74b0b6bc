"""Each workspace says what to do while something is missing, and its buttons do it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QLabel

from collector.model.task import Task
from collector.store.project.project import Project
from studio.views.project.tasks.task_dialog import TaskDialog
from studio.widgets.controls import Button

pytestmark = pytest.mark.qt_log_ignore(
    "propagateSizeHints", "grabbing the keyboard", "raise", "This plugin does not support", extend=True
)


def _shown(widget, kind):
    return {part.text() for part in widget.findChildren(kind) if part.isVisible()}


def _click(widget, text):
    button = next(part for part in widget.findChildren(Button) if part.isVisible() and part.text() == text)
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def test_a_project_can_be_opened_from_the_first_page(studio):
    project, record = studio.window.workspace("project"), studio.window.workspace("record")
    assert "Open project..." in _shown(project, Button)
    _click(project, "Open project...")
    dialog = studio.window.findChild(QFileDialog)
    assert dialog.windowTitle() == "Open project"
    dialog.reject()
    studio.answer({"run": "view.record"})
    assert "Open a project to record its tasks." in _shown(record.queue, QLabel)
    assert "Open project..." in _shown(record.queue, Button)


def test_an_empty_project_says_what_to_do_in_each_workspace(studio, qtbot, tmp_path):
    folder = Project.create(tmp_path / "benchmark").folder
    with qtbot.waitSignal(studio.project_library.opened):
        studio.project_library.open(folder)
    project, record = studio.window.workspace("project"), studio.window.workspace("record")
    assert "This project has no tasks yet" in _shown(project, QLabel)
    assert not project.table.isVisible()
    studio.answer({"run": "view.rules"})
    rules = studio.window.workspace("rules")
    qtbot.waitUntil(lambda: "No phone is connected" in _shown(rules, QLabel))
    qtbot.waitUntil(lambda: "No screen to look at yet" in _shown(rules, QLabel))

    assert "New rule..." in _shown(rules, Button)
    studio.answer({"run": "view.record"})
    assert any("Make the first one" in text for text in _shown(record.queue, QLabel))
    _click(record.queue, "New task")
    assert studio.window.current is record
    dialog = studio.window.findChild(TaskDialog)
    dialog.instruction.setPlainText("Buy a lamp")
    dialog.accept()
    assert record.session.task.instruction == "Buy a lamp"
    assert [task.instruction for task in studio.project_library.edits.tasks] == ["Buy a lamp"]
    qtbot.waitUntil(lambda: bool(record.queue.rows.tasks))
    studio.answer({"run": "view.project"})
    assert project.table.isVisible()
    studio.answer({"run": "view.review"})
    assert "No phone is connected" in _shown(studio.window.workspace("review"), QLabel)
    studio.answer({"run": "view.record"})
    assert record.queue.list.isVisible()
    assert not record.queue.hint.isVisible()
    studio.project_library.edits.edit("clear", [])
    qtbot.waitUntil(record.queue.hint.isVisible)
    studio.project_library.edits.edit("add", [Task("shop-1", "Buy")])
    qtbot.waitUntil(record.queue.list.isVisible)
