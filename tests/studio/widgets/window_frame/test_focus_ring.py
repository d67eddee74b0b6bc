"""The frame around what has the keyboard follows the focus, and goes with what it frames."""

from __future__ import annotations

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QListView, QTextEdit, QVBoxLayout, QWidget
from shiboken6 import isValid

from studio.theme import theme
from studio.widgets.operator_comparison.view import ComparisonView
from studio.widgets.window_frame.focus_ring import FocusRing
from studio.widgets.window_frame.notification_bell import NotificationBell
from studio.widgets.window_frame.notification_log import NotificationLog
from studio.widgets.window_frame.panel_strip import PanelStrip


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


@pytest.mark.qt_log_ignore("propagateSizeHints", extend=True)
def test_stops_of_tab_without_rows_and_those_at_the_edge_are_framed_on_all_sides(dressed, qtbot) -> None:
    yaml = QTextEdit()
    for name in ("plain", "takesKeys"):
        yaml.setProperty(name, True)
    stops = NotificationBell(NotificationLog()), PanelStrip("Log", at_right=True), ComparisonView(), yaml
    window = QWidget()
    qtbot.addWidget(window)
    column = QVBoxLayout(window)
    for stop in stops:
        column.addWidget(stop)
    ring = FocusRing(window)
    window.show()
    window.activateWindow()
    assert QTest.qWaitForWindowActive(window)
    for stop in stops:
        stop.setFocus()
        picture, right, bottom = stop.grab().toImage(), stop.width() - 1, stop.height() - 1
        sides = (0, bottom // 2), (right, bottom // 2), (right // 2, 0), (right // 2, bottom)
        assert {picture.pixelColor(*side).name() for side in sides} == {theme.color("accent").name()}
    assert ring.parent() is window
