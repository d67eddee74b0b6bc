"""The frame around what has the keyboard follows the focus, and goes with what it frames."""

from __future__ import annotations

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QListView, QVBoxLayout, QWidget
from shiboken6 import isValid

from studio.widgets.window_frame.focus_ring import FocusRing


@pytest.mark.qt_log_ignore("propagateSizeHints", extend=True)
def test_a_list_that_is_deleted_with_the_keyboard_in_it_takes_its_frame_along(dressed, qtbot) -> None:
    window, field, listed = QWidget(), QLineEdit(), QListView()
    qtbot.addWidget(window)
    column = QVBoxLayout(window)
    column.addWidget(field)
    column.addWidget(listed)
    ring = FocusRing(window)
    window.show()
    window.activateWindow()
    assert QTest.qWaitForWindowActive(window)
    listed.setFocus()
    assert [frame for frame in listed.findChildren(QWidget) if type(frame).__name__ == "_Frame"]
    listed.deleteLater()
    qtbot.waitUntil(lambda: not isValid(listed))
    field.setFocus()
    assert field.hasFocus()
    assert ring.parent() is window
