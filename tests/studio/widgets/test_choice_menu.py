"""The menu of choices of a button."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QWidget

from studio.widgets.choice_menu import ChoiceMenu


@pytest.mark.qt_log_ignore("raise", "grabbing the keyboard", extend=True)
def test_a_menu_stays_alive_when_its_button_cannot_be_pressed_any_more(qtbot):
    QApplication.instance().setStyleSheet("")  # that of a test before names pictures that are gone with it
    window, chosen = QWidget(), []
    qtbot.addWidget(window)
    button = QPushButton("Columns", window)
    window.show()
    menu = ChoiceMenu(button)
    menu.add_check("Steps", False, chosen.append)
    menu.popup(QPoint(5, 5))
    button.setEnabled(False)  # as while the numbers are read again
    menu.setActiveAction(menu.actions()[0])
    QTest.keyClick(menu, Qt.Key.Key_Return)
    assert chosen == [True]
    QTest.keyClick(menu, Qt.Key.Key_Escape)
    assert QApplication.activePopupWidget() is None
