"""Input events without a screen reach the window that has the keyboard, also while another one closes."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QWindow
from PySide6.QtWidgets import QComboBox, QLineEdit, QWidget
from shiboken6 import delete, isValid

from studio.app.demo import qt_driver_host
from studio.app.demo.qt_driver_host import QtInput

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", "raise", "grabbing", "does not", extend=True)


@pytest.fixture
def field(qtbot):
    """A field in a window that is in front."""
    field = QLineEdit()
    qtbot.addWidget(field)
    field.show()
    field.activateWindow()
    qtbot.waitUntil(lambda: QGuiApplication.focusWindow() is not None)
    return field


def test_a_text_goes_on_in_the_next_window_when_a_popup_closes(qtbot, field):
    popup = QWidget(field, Qt.WindowType.Popup)
    inner = QLineEdit(popup)
    inner.textEdited.connect(popup.close)
    popup.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    popup.show()
    inner.setFocus()
    QtInput().answer({"event": "write", "text": "abc"})
    assert field.text() == "bc"


def test_a_window_in_front_gets_the_keyboard_when_no_window_has_it(qtbot, field, monkeypatch):
    gone = QWindow()
    delete(gone)
    real, answers = QGuiApplication.focusWindow, [None, gone]

    class Closing(QGuiApplication):
        """What Qt says while a dialog closes: no window, then the one that is gone."""

        @staticmethod
        def focusWindow():
            return answers.pop(0) if answers else real()

    monkeypatch.setattr(qt_driver_host, "QGuiApplication", Closing)
    assert not isValid(gone)
    QtInput().answer({"event": "write", "text": "a"})
    assert (field.text(), answers) == ("a", [])


def test_the_list_of_a_combo_box_gets_the_keys(qtbot):
    """Qt makes its popup, and nothing in Python names it."""
    choice = QComboBox()
    qtbot.addWidget(choice)
    choice.addItems(["alpha", "beta"])
    choice.show()
    choice.showPopup()
    QtInput().answer({"event": "write", "text": "be"})
    assert choice.view().currentIndex().data() == "beta"
    choice.hidePopup()
