"""F8 walks through all findings of a project, a click goes to one, and edits of rules change the list."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from collector.model.action import Complete, Tap
from collector.model.task import Task
from collector.model.trajectory import TrajectoryHeader
from collector.store.project.project import Project
from studio.views.project.bottom_panel import PROBLEMS
from tests.helpers.steps import png, step

pytestmark = pytest.mark.qt_log_ignore(
    "propagateSizeHints", "grabbing the keyboard", "raise", "This plugin does not support", extend=True
)


@pytest.fixture
def project(studio, qtbot, tmp_path):
    """A missing screenshot, a task without an instruction, and a rule with an unknown key."""
    project = Project.create(tmp_path / "benchmark")
    project.save_tasks([Task("shop-1", "Buy a lamp"), Task("shop-2", "")])
    with project.new_trajectory(TrajectoryHeader("first", "shop-1")) as writer:
        for number, action in enumerate((Tap(1, 2), Tap(2, 3), Complete())):
            writer.append(step(number, action), png(), b"<hierarchy/>")
        writer.finish()
    (project.find("first") / "states" / "0001.png").unlink()
    path = project.paths.rule_file("success")
    path.parent.mkdir(exist_ok=True)
    path.write_text("done:\n  condition:\n    - {type: current_package_is, value: a.b}\n", encoding="utf-8")
    with qtbot.waitSignal(studio.project_library.opened):
        studio.project_library.open(project.folder)
    return project


def _press(studio, qtbot, key, modifier=Qt.KeyboardModifier.NoModifier):
    studio.window.activateWindow()
    qtbot.waitUntil(studio.window.isActiveWindow)
    QTest.keyClick(studio.window.windowHandle(), key, modifier)


def test_f8_goes_from_finding_to_finding_and_round_again(studio, project, qtbot):
    problems = studio.window.workspace("project").bottom.problems
    review = studio.window.workspace("review")
    _press(studio, qtbot, Qt.Key.Key_F8)  # nothing was checked yet
    qtbot.waitUntil(lambda: len(problems.entries) >= 3)
    rows = problems.entries
    places = {row.act: number for number, row in enumerate(rows)}
    assert {"open", "rules", "edit-task"} <= set(places)
    acts, rules = [], studio.window.workspace("rules")
    while len(acts) < 10 and set(acts) != set(places):
        number = problems.currentIndex().row()
        row = problems.entries[number]
        acts.append(row.act)
        if row.act == "open":
            qtbot.waitUntil(lambda: review.session.slot == 1 and review.session.count == 3)
            assert studio.window.current is review
        elif row.act == "rules":
            assert studio.window.current is rules
        else:
            workspace = studio.window.workspace("project")
            assert studio.window.current is workspace
            assert [task.id for task in workspace.table.selected] == ["shop-2"]
        _press(studio, qtbot, Qt.Key.Key_F8)
        qtbot.waitUntil(lambda number=number: problems.currentIndex().row() != number)
    assert set(acts) == set(places)
    assert any("Finding" in toast.accessibleName() for toast in studio.window.toasts.shown)
    current = problems.currentIndex().row()
    _press(studio, qtbot, Qt.Key.Key_F8, Qt.KeyboardModifier.ShiftModifier)
    assert problems.currentIndex().row() == (current - 1) % len(problems.entries)


def test_a_click_goes_to_the_place_and_an_edit_of_the_rule_takes_its_finding_away(studio, project, qtbot):
    workspace = studio.window.workspace("project")
    problems = workspace.bottom.problems
    studio.answer({"run": "project.check"})
    qtbot.waitUntil(lambda: any(row.act == "rules" for row in problems.entries))
    studio.answer({"run": "findings.show"})
    assert workspace.bottom.tabs.current == PROBLEMS
    number = next(number for number, row in enumerate(problems.entries) if row.act == "rules")
    place = problems.visualRect(problems.model().index(number, 0)).center()
    QTest.mouseClick(problems.viewport(), Qt.MouseButton.LeftButton, pos=place)
    rules = studio.window.workspace("rules")
    assert studio.window.current is rules
    qtbot.waitUntil(lambda: rules.session.rule_id == "done")
    document = rules.session.documents.documents["success"]
    document.set_text(document.text.replace("condition:", "conditions:"))
    qtbot.waitUntil(lambda: {row.state for row in problems.entries if row.act == "rules"} == {"warn"})
    assert any(row.act == "open" for row in problems.entries)
    assert problems.currentIndex().isValid()
