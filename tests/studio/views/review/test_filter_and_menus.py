"""The filter of the steps, the layers over the screens, and the choice of another trajectory."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from studio.widgets.device_view.highlight import Overlay

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", "raise", "grabbing the keyboard", extend=True)


def test_a_filter_says_which_slots_fit_and_moves_over_them(room) -> None:
    room.open("interrupted")
    session, bar = room.session, room.workspace.filter_bar
    assert bar.isHidden()
    room.run("review.filter")
    bar.field.setText("anomaly:low_battery")
    QTest.keyClick(bar.field, Qt.Key.Key_Return)
    room.until(lambda: session.matching == frozenset({2}))
    assert bar.result.text() == "1 of 5 slots"
    session.go(0)
    room.run("review.next-step")
    assert session.slot == 2
    bar.field.setText("colour:red")
    QTest.keyClick(bar.field, Qt.Key.Key_Return)
    assert "colour" in bar.result.text()
    bar.field.setText("action:pinch")
    QTest.keyClick(bar.field, Qt.Key.Key_Return)
    room.until(lambda: bar.result.text() == "No step fits")
    QTest.keyClick(bar.field, Qt.Key.Key_Escape)
    assert session.matching is None
    assert bar.isHidden()

    room.run("review.overlays")
    menu = room.menu()
    menu.actions()[0].trigger()
    menu.close()
    assert all(column.view.overlays & Overlay.NODES for column in room.workspace.columns.columns)

    listed = room.workspace.side.differences
    assert len(listed.entries) == 2
    session.select(range(2))
    assert not listed.entries
    session.select(None)
    session.go(1)
    room.run("review.begin-range")
    session.go(2)
    room.run("review.end-range")
    assert session.selected == range(1, 3)
    assert [entry.slot for entry in listed.entries] == [2]
    session.go(1)
    room.run("review.next-step")
    room.run("review.next-step")
    assert session.slot == 2  # the range ends here
    room.run("review.clear-range")
    assert session.selected is None


@pytest.mark.all_workspaces
def test_another_trajectory_is_chosen_from_those_of_the_task(room) -> None:
    room.open("baseline")
    assert len(room.session.stored) == 2
    room.run("review.add")
    dialog = QApplication.activeModalWidget()
    assert dialog.field.text() == 'task:"=shop-1"'
    room.until(lambda: dialog.model.rowCount() == 3)
    row = next(row for row in range(3) if dialog.model.row(dialog.model.index(row, 0)).id == "interrupted")
    dialog.table.selectRow(row)
    dialog.accept()
    room.until(lambda: len(room.session.stored) == 3 and room.session.is_aligned)
    assert room.session.stored[2].header.id == "interrupted"
    room.session.go_to_step(0, 1)
    room.run("review.run-from-step")
    start = f"{room.session.stored[0].header.id}@2"
    room.until(lambda: QApplication.activeModalWidget() is not None)
    question = QApplication.activeModalWidget()
    assert question.textValue() == "starts-1", "a new one, before those that are there"
    question.accept()
    file = room.folder / "experiments/starts-1.yaml"
    room.until(lambda: file.exists() and f"starts: [{start}]" in file.read_text())
    assert "tasks: [shop-1]" in file.read_text()
    assert room.studio.commander.scope == "run"
