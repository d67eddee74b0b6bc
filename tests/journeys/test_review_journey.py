"""A reviewer works through five runs by keyboard alone, and settles what two others disagree on."""

from __future__ import annotations

import shutil

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from collector.model.resources import asset
from collector.model.verdicts.judgement import FAILURE, SUCCESS
from collector.review.reviewing import Reviewing
from collector.store.files.layout import CACHE
from studio.app.studio import Studio
from studio.settings import Settings
from studio.theme import theme
from studio.widgets.dialogs.judge_dialog import JudgeDialog
from tests.helpers.review_room import ReviewRoom
from tests.helpers.studios import end_studio

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
_RUNS = 5
_CONTROL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def room(qapp, qtbot, tmp_path, monkeypatch):
    """The sample with its finished run, Review in front, nothing open."""
    theme.install(qapp, "dark", motion=False)
    monkeypatch.setenv("WAYMARK_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = tmp_path / "sample"
    shutil.copytree(asset("sample"), folder, ignore=shutil.ignore_patterns(".gitkeep", CACHE))
    settings = Settings(tmp_path / "settings.yaml")
    settings.set("recording.author", "lin")
    studio = Studio(settings)
    studio.window.resize(1600, 1000)
    studio.show()
    opened = ReviewRoom(studio, qtbot, folder, {})
    studio.project_library.open(folder)
    studio.commander.run("view.review")
    opened.until(lambda: opened.workspace.work.progress is not None)
    yield opened
    end_studio(studio, qtbot)


def test_runs_are_reviewed_by_keyboard_alone(room) -> None:
    keys = Keys(room)
    keys.press("G")
    reviewed = []
    for number in range(_RUNS):
        room.until(lambda: room.session.is_aligned and room.session.count > 0)
        verdicts = room.workspace.verdicts
        room.until(lambda verdicts=verdicts: bool(verdicts.known.judgements))
        folder = verdicts.folder
        reviewed.append(folder)
        assert any(not stored.header.is_run for stored in room.session.stored), "the golden one is beside it"
        keys.press("End")
        keys.press("Home")
        if number % 3 == 2:  # the reviewer corrects the judge, and says why
            keys.press("2")
            room.until(lambda verdicts=verdicts: verdicts.own is not None)
            keys.press("5")
            room.until(lambda verdicts=verdicts: bool(verdicts.own.reason_id))
        else:
            keys.press("Return")
            room.until(lambda verdicts=verdicts: verdicts.own is not None)
        keys.press("Return", _CONTROL)
        room.until(lambda folder=folder: room.workspace.verdicts.folder != folder)
    assert len(set(reviewed)) == _RUNS
    progress = room.workspace.work
    room.until(lambda: progress.progress.own.total == _RUNS)
    room.until(lambda: room.workspace.queue.counts.text() == f"{_RUNS} of 59 reviewed")

    settle_a_disagreement(room, keys, {*reviewed, room.workspace.verdicts.folder})


def settle_a_disagreement(room, keys, begun) -> None:
    """Two people submitted different verdicts on a run that the person did not begin; a third one decides."""
    project = room.studio.project_library.project
    runs = (folder for folder in project.trajectory_folders() if folder.name.startswith("quick__golden"))
    folder = next(folder for folder in runs if folder not in begun)
    for who, verdict in (("kim", SUCCESS), ("ada", FAILURE)):
        person = Reviewing(project, who)
        person.judge(folder, verdict)
        person.submit(folder)
    room.studio.commander.run("review.open", folder=str(folder))
    room.until(lambda: room.session.is_aligned and room.workspace.verdicts.folder == folder)
    room.until(lambda: len(room.workspace.verdict_page.people.rows) == 2)
    keys.press("J")
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, JudgeDialog)
    QTest.keyClicks(dialog.reason, "The list was never sorted")
    QTest.keyClick(dialog.reason, Qt.Key.Key_Tab)
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    reviews = room.workspace.verdicts
    room.until(lambda: reviews.known.reviews.adjudicated is not None)
    assert reviews.known.reviews.adjudicated.reason == "The list was never sorted"
    keys.activate()
    keys.press("Z", _CONTROL)
    room.until(lambda: reviews.known.reviews.adjudicated is None)


class Keys:
    """The keyboard of the reviewer."""

    def __init__(self, room) -> None:
        self._room = room
        self.activate()

    def activate(self) -> None:
        """Bring the window to the front: no window manager does it here, at first and after a dialog."""
        self._room.studio.window.activateWindow()
        self._room.until(self._room.studio.window.isActiveWindow)

    def press(self, name: str, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        """Press a key in the widget that has the focus."""
        window, canvas = self._room.studio.window, self._room.workspace.timeline.canvas
        assert QApplication.activeWindow() is window, "no other window took the keyboard"
        if canvas.isVisible():
            canvas.setFocus()
        QTest.keyClick(window.windowHandle(), getattr(Qt.Key, f"Key_{name}"), modifier)
