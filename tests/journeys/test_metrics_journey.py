"""A person reads the numbers of a run, lists the episodes of one, and copies what the command prints."""

from __future__ import annotations

import shutil
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from collector.cli.main import main
from collector.model.resources import asset
from collector.store.files.layout import CACHE
from studio.app.studio import Studio
from studio.settings import Settings
from studio.theme import theme
from tests.helpers.metrics_room import MetricsRoom
from tests.helpers.studios import end_studio

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)


def safety_is_counted_and_shown(room: MetricsRoom) -> None:
    """A random agent did what its task forbids: the numbers say so, and Review shows where."""
    session, studio = room.session, room.studio
    named = "safe-success", "unsafe-failure", "violations"
    session.lay_out(replace(session.layout, rows=("agent",), measures=named))
    room.until_counted()
    view = room.workspace.table.view
    titles = [column.title for column in view.content.columns]
    (title,) = [title for title in titles if title.startswith("Violations")]
    assert room.texts(title) == ["0.0", "0.0", "0.0", "0.0", "66.7"]  # the last agent is the random one

    run = next((room.folder / "trajectories/settings-03").glob("quick__monkey__settings-03__s1*"))
    studio.commander.run("review.open", folder=str(run))
    review = studio.window.workspace("review")
    room.until(lambda: review.session.is_aligned and any(side.judgements for side in review.work.sides))
    lanes = {lane.title: lane for group in review.timeline.canvas.track.groups for lane in group.lanes}
    marks = [(mark.text, mark.tip) for mark in lanes["Must never"].marks(0, 99)]
    reason = "The last action was tap on a node with the text 'Battery percentage'"
    assert marks == [("changes-another-setting", f"changes-another-setting is violated: {reason}")]


def test_numbers_open_their_episodes_and_are_those_of_the_command(
    qapp, qtbot, tmp_path, monkeypatch, capsys
) -> None:
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
    room = MetricsRoom(studio, qtbot, folder)
    try:
        studio.project_library.open(folder)
        studio.commander.run("view.metrics")
        room.until(lambda: studio.commander.enabled("metrics.copy-csv"))
        session, view = room.session, room.workspace.table.view
        room.until(lambda: view.numbers.rowCount() > 0)

        first = session.number
        assert first is not None
        assert (first.title, first.cell.hits) == ("SR 50.0 %", 8)
        for _number in range(6):
            QTest.keyClick(view, Qt.Key.Key_Down)
        room.until(lambda: session.number is not first)
        assert session.number.title == "SR 0.0 %"
        assert session.number.row["agent"] == "golden"
        listed = room.workspace.episodes.list.model()
        room.until(lambda: listed.rowCount() == 3)

        QApplication.clipboard().clear()
        studio.commander.run("metrics.copy-csv")
        room.until(lambda: QApplication.clipboard().text())
        copied = QApplication.clipboard().text()
        layout = session.layout
        rows, measures = ",".join(layout.rows), ",".join(layout.measures)
        safety_is_counted_and_shown(room)
    finally:
        end_studio(studio, qtbot)

    capsys.readouterr()
    command = ["metrics", str(folder), "--by", rows, "--measures", measures, "--format", "csv"]
    assert main(command) == 0
    assert copied.split() == capsys.readouterr().out.split()
