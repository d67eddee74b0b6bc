"""A person composes an experiment, resumes its killed runner, closes the window, and finds the run again."""

from __future__ import annotations

import os
import shutil
import signal
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QInputDialog

from collector.run.control.runner_file import find_runner
from collector.run.stored_cells import stored_cells
from collector.store.catalogue.catalogue import Catalogue
from collector.store.files.layout import ProjectPaths
from collector.store.project.project import Project
from studio.app.studio import Studio
from studio.settings import Settings
from studio.theme import theme
from studio.widgets.controls import EmptyState
from tests.helpers.run_room import RunRoom
from tests.helpers.studios import end_studio

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
_SAMPLE = Path(__file__).resolve().parents[2] / "assets" / "sample"
_SAID_WITHIN_MS = 2_000
_LEFT = Qt.MouseButton.LeftButton


def _copy_sample(folder: Path, task: str) -> None:
    """The sample with the golden trajectories of one task."""
    folder.mkdir()
    for name in ("project.yaml", "tasks.yaml"):
        shutil.copy(_SAMPLE / name, folder / name)
    shutil.copytree(_SAMPLE / "rules", folder / "rules")
    shutil.copytree(_SAMPLE / "trajectories" / task, folder / "trajectories" / task)


def _open(settings: Settings, folder: Path, qtbot) -> RunRoom:
    studio = Studio(settings)
    studio.window.resize(1600, 1000)
    studio.show()
    studio.window.show_workspace("run")
    room = RunRoom(studio, qtbot, folder)
    with qtbot.waitSignal(studio.project_library.opened, timeout=20_000):
        studio.project_library.open(folder)
    return room


def _type(room: RunRoom, text: str) -> None:
    def dialogs() -> list[QInputDialog]:
        widgets = QApplication.topLevelWidgets()
        return [item for item in widgets if isinstance(item, QInputDialog) and item.isVisible()]

    room.until(dialogs)
    dialogs()[0].setTextValue(text)
    dialogs()[0].accept()


def _kill_and_resume(room: RunRoom, paths: ProjectPaths) -> None:
    """The runner is killed: its tile says so within two seconds, and a click lets it go on."""
    killed = find_runner(paths, "first")
    assert killed is not None
    assert killed.pid != os.getpid()
    (worker,) = room.session.workers
    tile = room.workspace.tiles.board.tile(worker.name)
    os.kill(killed.pid, signal.SIGKILL)
    room.qtbot.waitUntil(lambda: "The runner is gone" in tile.describe(), timeout=_SAID_WITHIN_MS)
    assert tile.resume.isVisible()
    assert not room.session.is_running
    QTest.mouseClick(tile.resume, _LEFT)
    room.until(lambda: room.session.is_running and any(item.picture for item in room.session.workers))
    resumed = find_runner(paths, "first")
    assert resumed is not None
    assert resumed.pid != killed.pid


def test_a_run_outlives_its_window(qapp, qtbot, phones, tmp_path, monkeypatch):
    theme.install(qapp, "dark", motion=False)
    monkeypatch.setenv("WAYMARK_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", str(phones.adb.port))
    folder = tmp_path / "posters"
    _copy_sample(folder, "shop-13")
    settings = Settings(tmp_path / "settings.yaml")
    settings.set("recording.author", "lin")

    room = _open(settings, folder, qtbot)

    def empty():
        pages = room.workspace.findChildren(EmptyState)
        return next((page for page in pages if page.button.isVisible()), None)

    room.until(lambda: empty() is not None)
    QTest.mouseClick(empty().button, _LEFT)
    _type(room, "first")
    room.until(lambda: room.session.loaded is not None and room.session.loaded.can_run)
    panel = room.workspace.experiment_panel
    QTest.mouseClick(panel.seed_chips.add, _LEFT)
    _type(room, "124")
    room.until(lambda: len(room.session.cells) == 2)
    QTest.mouseClick(room.workspace.toolbar.buttons["run.start"], _LEFT)
    room.until(lambda: any(worker.picture for worker in room.session.workers))
    assert room.studio.commander.enabled("run.stop")
    paths = ProjectPaths(folder)
    _kill_and_resume(room, paths)
    end_studio(room.studio, qtbot)
    assert find_runner(paths, "first") is not None

    again = _open(settings, folder, qtbot)
    try:
        # The run may end at any moment: what it stored is there then.
        again.until(lambda: again.session.is_running or again.session.progress.finished == 2)
        again.until(lambda: again.session.progress.finished == 2 and not again.session.is_active)
        assert again.session.progress.counts["success"] == 2
        assert again.workspace.experiment_panel.summary.facts.finished == 2
    finally:
        end_studio(again.studio, qtbot)
    with Catalogue(Project.open(folder)) as catalogue:
        catalogue.refresh()
        assert sorted(cell.status for cell in stored_cells(catalogue, "first")) == ["success", "success"]
        assert len(catalogue.find("kind:run infrastructure:no")) == 2
        assert len(catalogue.find("kind:run")) <= 3, "of the killed runner one episode was running"
    assert find_runner(paths, "first") is None
