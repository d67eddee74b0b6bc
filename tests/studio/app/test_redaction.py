"""In the window a place is hidden on a screen, in a trajectory or by a rule, and the rules are applied."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from collector.model.geometry import Rect
from collector.redaction_rules.rule_file import redaction_of
from collector.store.project.project import Project
from collector.store.trajectory.reader import open_trajectory
from studio.widgets.dialogs.dialog import Dialog
from studio.widgets.redaction.hide_dialog import HideDialog, HideScope
from studio.widgets.redaction.rules_dialog import RedactionRulesDialog
from tests.helpers.secret_project import PLACE, SECRET, leaks, secret_project

pytestmark = pytest.mark.qt_log_ignore(
    "propagateSizeHints", "raise", "This plugin does not support", extend=True
)


@pytest.fixture
def project(studio: Any, qtbot: Any, tmp_path: Any) -> Project:
    """A project with a secret; its run is open in Review at the screen that shows it."""
    made = secret_project(tmp_path / "benchmark")
    studio.window.resize(1500, 950)
    studio.project_library.open(made.folder)
    cards = studio.window.workspace("project").recent.cards
    qtbot.waitUntil(lambda: len(cards.rows) == 2)
    studio.answer({"run": "review.open", "arguments": {"folder": "trajectories/one/run", "step": "1"}})
    session = studio.window.workspace("review").session
    qtbot.waitUntil(lambda: bool(session.stored) and session.step_number(session.side) == 1)
    return made


def _dialog(qtbot: Any, kind: type) -> Any:
    qtbot.waitUntil(lambda: type(QApplication.activeModalWidget()) is kind)
    return QApplication.activeModalWidget()


def _hide(studio: Any, qtbot: Any) -> HideDialog:
    studio.answer({"run": "review.hide"})
    return _dialog(qtbot, HideDialog)  # type: ignore[no-any-return]


def _choose_scope(dialog: HideDialog, scope: HideScope) -> None:
    dialog.scope.set_current(scope)
    dialog.scope.chosen.emit(scope)


def _drag(dialog: HideDialog, box: Rect) -> None:
    place = dialog.picker.place_of(box)
    left = Qt.MouseButton.LeftButton
    QTest.mousePress(dialog.picker, left, pos=place.topLeft())
    QTest.mouseMove(dialog.picker, place.center())
    QTest.mouseRelease(dialog.picker, left, pos=place.bottomRight() + QPoint(1, 1))


def test_a_click_on_a_node_hides_it_in_the_trajectory(studio: Any, project: Project, qtbot: Any) -> None:
    dialog = _hide(studio, qtbot)
    assert not dialog.yes.isEnabled()
    QTest.mouseClick(dialog.picker, Qt.MouseButton.LeftButton, pos=dialog.picker.place_of(PLACE).center())
    assert dialog.selector.currentText() == "resource-id='app:id/owner'"
    assert dialog.choice is not None
    assert dialog.choice.places == (PLACE,)
    qtbot.waitUntil(lambda: "on 3 of 5 screens" in dialog.reach)
    dialog.yes.click()
    session = studio.window.workspace("review").session
    qtbot.waitUntil(lambda: bool(session.stored) and session.stored[session.side].steps[1].redacted)
    assert leaks(project.folder / "trajectories/one/run") == []
    assert leaks(project.folder / "trajectories/one/golden")


def test_a_rectangle_is_hidden_on_one_screen(studio: Any, project: Project, qtbot: Any) -> None:
    dialog = _hide(studio, qtbot)
    _choose_scope(dialog, HideScope.SCREEN)
    _drag(dialog, PLACE)
    assert dialog.choice is not None
    (box,) = dialog.choice.places
    assert all(abs(a - b) <= 1 for a, b in zip(_sides(box), _sides(PLACE), strict=True))
    dialog.yes.click()
    folder = project.folder / "trajectories/one/run"
    qtbot.waitUntil(lambda: open_trajectory(folder).steps[1].redacted)


def test_a_rule_of_the_project_is_applied_and_searched_for(studio: Any, project: Project, qtbot: Any) -> None:
    dialog = _hide(studio, qtbot)
    node = next(node for node in dialog.nodes if node.resource_id == "app:id/owner")
    dialog.choose_node(node)
    _choose_scope(dialog, HideScope.PROJECT)
    assert not dialog.yes.isEnabled(), "it has no name"
    dialog.name.setText("owner")
    dialog.yes.click()
    qtbot.waitUntil(lambda: [rule.name for rule in redaction_of(project.folder)] == ["owner"])
    assert any(SECRET in line for line in leaks(project.folder)), "what was recorded stays"
    again = _hide(studio, qtbot)
    again.choose_node(again.nodes[0])
    _choose_scope(again, HideScope.PROJECT)
    again.name.setText("owner")
    assert not again.yes.isEnabled(), "the name is taken"
    again.name.setText("another")
    assert again.yes.isEnabled()
    again.no.click()
    studio.answer({"run": "project.redaction"})
    rules = _dialog(qtbot, RedactionRulesDialog)
    qtbot.waitUntil(lambda: [entry.when for entry in rules.rules.entries] == ["5 screens"])
    rules.apply.click()
    _dialog(qtbot, Dialog).yes.click()
    qtbot.waitUntil(lambda: len(rules.found.entries) == 2)
    assert leaks(project.folder / "trajectories") == []
    (project.folder / "notes.txt").write_text(f"of {SECRET}")
    rules.check.click()
    qtbot.waitUntil(lambda: [entry.when for entry in rules.found.entries] == ["notes.txt:1"])
    rules.remove.click()
    qtbot.waitUntil(lambda: redaction_of(project.folder) == ())
    rules.yes.click()


def _sides(box: Rect) -> tuple[int, int, int, int]:
    return box.left, box.top, box.right, box.bottom
