"""Errors about files stay in the window until the file is read or saved well, and no longer."""

from __future__ import annotations

import os

import pytest

from collector.model.task import Task
from collector.store.files.disk import Disk
from tests.helpers.rule_room import SUCCESS_TEXT, make_project

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", "grabbing the keyboard", "raise", extend=True)
_SLOW = 10_000


@pytest.fixture
def room(studio, qtbot, tmp_path, monkeypatch):
    """A window with Rules in front, and the folder of a project that is not open yet."""
    monkeypatch.setattr("studio.bridge.rules.rule_documents.RETRY_MS", 100)
    monkeypatch.setattr("studio.bridge.task_edits.RETRY_MS", 100)
    make_project(tmp_path / "project")
    studio.window.show_workspace("rules")
    studio.folder = tmp_path / "project"
    return studio


def _open(studio, qtbot):
    with qtbot.waitSignal(studio.project_library.opened, timeout=_SLOW):
        studio.project_library.open(studio.folder)
    session = studio.window.workspace("rules").session
    qtbot.waitUntil(lambda: session.document is not None, timeout=_SLOW)
    return session


def _errors(studio):
    return [toast.accessibleName() for toast in studio.window.toasts.shown if toast.stays]


def _until_error(studio, qtbot, words):
    qtbot.waitUntil(lambda: any(words in error for error in _errors(studio)), timeout=_SLOW)
    assert sum(words in error for error in _errors(studio)) == 1


def _until_none(studio, qtbot):
    qtbot.waitUntil(lambda: not _errors(studio), timeout=_SLOW)


@pytest.mark.parametrize("name", ["rules/success.yaml", "anomalies/library.yaml"])
def test_an_error_of_reading_leaves_when_the_file_can_be_read(room, qtbot, name) -> None:
    file = room.folder / name
    whole = file.read_bytes()
    file.write_bytes(b"\xff\xfe")
    session = _open(room, qtbot)
    _until_error(room, qtbot, "is not UTF-8 text")
    file.write_bytes(whole)  # in place: the folder has the same files
    _until_none(room, qtbot)
    texts = {document.path: document.text for document in session.documents.every}
    assert texts[str(file)].encode() == whole

    file.write_bytes(b"\xff\xfe")  # while it is open
    _until_error(room, qtbot, "is not UTF-8 text")
    file.write_bytes(whole)
    _until_none(room, qtbot)


def test_an_error_of_tasks_leaves_when_they_can_be_read(room, qtbot) -> None:
    file = room.folder / "tasks.yaml"
    whole = file.read_text("utf-8")
    file.write_text(whole + "<<<<<<< HEAD\n", encoding="utf-8")
    with qtbot.waitSignal(room.project_library.opened, timeout=_SLOW):
        room.project_library.open(room.folder)
    _until_error(room, qtbot, "tasks.yaml")
    file.write_text(whole, encoding="utf-8")
    _until_none(room, qtbot)


def test_errors_of_saving_leave_when_it_is_saved(room, qtbot, monkeypatch) -> None:
    session = _open(room, qtbot)
    success = room.folder / "rules" / "success.yaml"

    def refuse(*_arguments: object) -> None:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(Disk, "_replace", refuse)
    document = session.documents.file(str(success))
    document.set_text(SUCCESS_TEXT + "# more\n", "type")
    _until_error(room, qtbot, "success.yaml could not be saved")
    room.project_library.edits.edit("add", [*room.project_library.edits.tasks, Task("one", "Do it")])
    _until_error(room, qtbot, "tasks.yaml could not be saved")
    monkeypatch.undo()
    _until_none(room, qtbot)
    assert success.read_text("utf-8").endswith("# more\n")


def test_an_error_of_a_verdict_leaves_when_the_next_is_saved(room, qtbot, monkeypatch) -> None:
    _open(room, qtbot)
    folder = next((room.folder / "trajectories" / "buy").iterdir())
    room.window.show_workspace("review")
    review = room.window.workspace("review")
    review.open_trajectory(str(folder))
    qtbot.waitUntil(lambda: review.verdicts.known.reviews is not None, timeout=_SLOW)

    def refuse(*_arguments: object) -> None:
        raise OSError(28, os.strerror(28))

    with monkeypatch.context() as full:
        full.setattr(Disk, "_replace", refuse)
        full.setattr(Disk, "_append", refuse)
        room.commander.run("review.judge-success")
        _until_error(room, qtbot, "could not be saved")
    room.commander.run("review.judge-failure")
    _until_none(room, qtbot)
