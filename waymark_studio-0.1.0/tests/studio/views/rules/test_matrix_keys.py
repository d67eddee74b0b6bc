"""After a click into the back-test matrix the keys of the workspace still work, and arrows walk the cells."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QShortcut

from rule_editor.widgets.cell_grid import GridCell

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", "grabbing the keyboard", "raise", extend=True)


def enabled_keys(room) -> set[str]:
    """The keys of the window that run a command where the focus is."""
    shortcuts = room.studio.window.findChildren(QShortcut)
    return {shortcut.key().toString() for shortcut in shortcuts if shortcut.isEnabled()}


def test_keys_of_commands_work_after_a_click_on_a_cell(room, qtbot) -> None:
    view = room.workspace.matrix.view
    room.studio.window.activateWindow()
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=view.cell_rect(GridCell(0, 1)).center())
    room.until(lambda: room.session.recorded.position == 1)
    room.until(view.hasFocus)
    assert {"P", "N", ",", "."} <= enabled_keys(room)
    qtbot.keyClick(view, Qt.Key.Key_Period)
    room.until(lambda: room.session.recorded.position == 2)
    qtbot.keyClick(view, Qt.Key.Key_Comma)
    room.until(lambda: room.session.recorded.position == 1)
    qtbot.keyClick(view, Qt.Key.Key_N)
    room.until(lambda: "Injection rule, empty" in [action.text() for action in room.menu().actions()])
    room.menu().close()
    view.setFocus()
    qtbot.keyClick(view, Qt.Key.Key_Right)
    assert view.current_cell == GridCell(0, 2)
