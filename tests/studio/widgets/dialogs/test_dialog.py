"""A dialog is as high as its content needs."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QLineEdit, QWidget

from studio.widgets.controls import Label
from studio.widgets.dialogs.dialog import Dialog


@pytest.mark.qt_log_ignore("does not support", extend=True)
def test_no_text_is_clipped_when_the_content_takes_most_of_the_screen(dressed, qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(900, 700)
    window.show()
    sentence = "Judges judge the trajectories that people labelled. " * 3
    dialog = Dialog("Study", "Study", window, sentence=sentence)
    box = QCheckBox()
    for _number in range(window.screen().availableGeometry().height() * 2 // 3 // box.sizeHint().height()):
        dialog.body.addWidget(QCheckBox("Judge"))
    dialog.open()
    texts = [label for label in dialog.findChildren(Label) if label.wordWrap()]
    assert texts
    assert all(label.height() >= label.heightForWidth(label.width()) for label in texts)


@pytest.mark.qt_log_ignore("does not support", extend=True)
def test_enter_presses_the_button_with_the_keyboard_and_in_fields_the_default_one(dressed, qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    window.show()
    done = []
    for stops in (("field", "no"), ("no", "yes", "field")):
        dialog, field = Dialog("Delete it", "Delete", window), QLineEdit()
        dialog.add_field("Name", field)
        dialog.finished.connect(done.append)
        dialog.open()
        dialog.activateWindow()
        assert QTest.qWaitForWindowActive(dialog)
        for name in stops:
            stop = {"field": field, "no": dialog.no, "yes": dialog.yes}[name]
            stop.setFocus()
            assert dialog.yes.isDefault()
        QTest.keyClick(stop, Qt.Key.Key_Return)
    assert done == [0, 1]
