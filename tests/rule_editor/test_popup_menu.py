"""The menu that a widget opens."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QWidget

from rule_editor.widgets.popup_menu import PopupMenu

pytestmark = pytest.mark.qt_log_ignore("raise", "grabbing the keyboard", extend=True)


@pytest.fixture
def button(qtbot):
    QApplication.instance().setStyleSheet("")  # that of a test before names pictures that are gone with it
    window = QWidget()
    qtbot.addWidget(window)
    button = QPushButton("Columns", window)
    window.show()
    yield button
    window.close()


def test_a_menu_stays_alive_when_its_button_cannot_be_pressed_any_more(button):
    chosen, menu = [], PopupMenu(button)
    menu.addAction("Steps", lambda: chosen.append("Steps"))
    menu.popup(QPoint(5, 5))
    button.setEnabled(False)  # as while the numbers are read again
    menu.setActiveAction(menu.actions()[0])
    QTest.keyClick(menu, Qt.Key.Key_Return)
    assert chosen == ["Steps"]
    assert QApplication.activePopupWidget() is None


def test_a_menu_closes_with_the_widget_that_opened_it(button):
    menu = PopupMenu(button)
    menu.addAction("Steps")
    menu.popup(QPoint(5, 5))
    assert QApplication.activePopupWidget() is not None
    button.deleteLater()
    QApplication.sendPostedEvents(button, QEvent.Type.DeferredDelete.value)
    assert QApplication.activePopupWidget() is None
