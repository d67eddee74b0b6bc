"""Qt's file dialog has the icons of the studio, and its completions are readable."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QFileInfo
from PySide6.QtWidgets import QCompleter, QFileDialog, QFileIconProvider, QPushButton

from studio.widgets.dialogs.file_dialog import dress_file_dialog


@pytest.fixture
def dialog(dressed, qtbot):
    file_dialog = QFileDialog(None, "Import")
    file_dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
    qtbot.addWidget(file_dialog)
    dress_file_dialog(file_dialog)
    return file_dialog


def test_folders_and_files_have_the_studios_icons(dialog, tmp_path):
    icons = dialog.iconProvider()
    (tmp_path / "a.zip").touch()
    folder = icons.icon(QFileInfo(str(tmp_path)))
    assert folder.cacheKey() == icons.icon(QFileIconProvider.IconType.Folder).cacheKey()
    assert folder.cacheKey() != icons.icon(QFileInfo(str(tmp_path / "a.zip"))).cacheKey()
    assert all(button.icon().isNull() for button in dialog.findChildren(QPushButton))


def test_what_is_completed_stands_on_a_ground(dialog, dressed):
    popup = dialog.findChild(QCompleter).popup()
    popup.ensurePolished()
    popup.resize(400, 300)
    ground = popup.grab().toImage().pixelColor(390, 290)
    assert ground.name() == dressed.color("bg-2").name()


def test_a_dialog_of_the_system_is_left_alone(dressed, qtbot):
    file_dialog = QFileDialog(None, "Import")
    qtbot.addWidget(file_dialog)
    size = file_dialog.size()
    dress_file_dialog(file_dialog)
    assert file_dialog.size() == size
