"""The person who acts at random goes on, whatever becomes of the window: nobody would see it stand still."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QFileDialog, QFileSystemModel, QMessageBox, QToolButton
from shiboken6 import delete

from studio.settings import Settings
from tests.helpers import random_person
from tests.helpers.random_person import RandomPerson, keep_files
from tests.soak.faulty_window import WalkedStudio


def test_the_person_acts_on_in_a_window_that_replaces_the_first(qtbot, tmp_path, monkeypatch):
    acts = []
    monkeypatch.setattr(WalkedStudio, "folder", tmp_path, raising=False)
    monkeypatch.setattr(WalkedStudio, "seed", 1, raising=False)
    monkeypatch.setattr(WalkedStudio, "pace_s", 0.001, raising=False)
    monkeypatch.setattr(WalkedStudio, "act_in_project", lambda _studio: acts.append(1))
    studio = WalkedStudio(Settings(tmp_path / "settings.yaml"), load=False)
    try:
        delete(studio.window)  # as a change of the language does
        qtbot.waitUntil(lambda: bool(acts))
    finally:
        studio.end_person()
        studio.deleteLater()
        qtbot.wait(0)


def test_a_question_of_qt_inside_an_act_is_left(qtbot, monkeypatch):
    """Delete in Qt's file dialog asks whether the file is to go, and the act waits for the answer."""
    monkeypatch.setattr(random_person, "NESTED_MS", 20)
    box = QMessageBox()
    qtbot.addWidget(box)
    with RandomPerson(None, qtbot, 1).listening():
        assert box.exec() == QMessageBox.DialogCode.Rejected


@pytest.mark.qt_log_ignore("propagateSizeHints", extend=True)
def test_the_person_deletes_no_files_of_the_computer(qtbot, tmp_path):
    """A walk deleted what lay beside its project: Delete, then Enter, in Qt's file dialog."""
    (tmp_path / "kept").mkdir()
    dialog = QFileDialog(directory=str(tmp_path))
    dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
    qtbot.addWidget(dialog)
    keep_files(dialog)
    dialog.show()
    files = dialog.findChild(QFileSystemModel)
    assert files is not None
    assert files.isReadOnly()
    new_folder = dialog.findChild(QToolButton, "newFolderButton")
    assert new_folder is not None
    assert not new_folder.isEnabled()
