"""Working under another name: by the command, by the status bar, and back to a name used before."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QInputDialog

from studio.settings import Settings

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", extend=True)


def test_the_name_is_chosen_by_command_or_click_and_offered_again(studio, qtbot, tmp_path):
    studio.settings.set("recording.author", "lin")
    cell = studio.window.status.cells["author"]
    assert cell.accessibleName() == "lin"

    studio.window.toasts.show("err", "Only somebody else may do that")
    studio.commander.run("app.work-as", name=" sara ")
    assert cell.accessibleName() == "sara"
    (toast,) = studio.window.toasts.shown  # what was said to lin is over
    assert "sara" in toast.accessibleName()

    QTest.mouseClick(cell, Qt.MouseButton.LeftButton)
    dialog = studio.window.findChild(QInputDialog)
    assert dialog.comboBoxItems() == ["sara", "lin"]
    dialog.setTextValue("lin")
    dialog.accept()
    assert (studio.settings["recording.author"], cell.accessibleName()) == ("lin", "lin")

    studio.commander.run("app.work-as")
    dialog = studio.window.findChildren(QInputDialog)[-1]
    dialog.setTextValue("  ")
    dialog.accept()
    assert studio.settings["recording.author"] == "lin"
    assert "needs a name" in studio.window.toasts.shown[-1].accessibleName()
    for pasted in ("sara\nand what was said", "s" * 61):
        studio.commander.run("app.work-as", name=pasted)
        assert studio.settings["recording.author"] == "lin"
        assert "has one line" in studio.window.toasts.shown[-1].accessibleName()
    qtbot.waitUntil(lambda: Settings(tmp_path / "settings.yaml")["recording.author"] == "lin")
