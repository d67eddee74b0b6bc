"""A project of many runs opens Project and Rules without opening a file of a run."""

from __future__ import annotations

import os

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QInputDialog

from collector.model.trajectory import RUN
from collector.project_rules import recording_choice
from collector.store.catalogue.catalogue import Catalogue
from studio.app.studio import Studio
from studio.settings import Settings
from studio.views.project import trajectory_thumbnails
from tests.helpers.many_runs import add_runs
from tests.helpers.opened_files import opened_below
from tests.helpers.rule_room import Room, make_project
from tests.helpers.studios import end_studio

# The dialog is shown without a window manager.
pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", extend=True)
MOST, RUNS = 20, 36
"""So many runs may there be for all to be read, and there are."""


@pytest.fixture
def project(tmp_path, monkeypatch):
    for module in (recording_choice, trajectory_thumbnails):
        monkeypatch.setattr(module, "MOST_RUNS", MOST)
    made = make_project(tmp_path / "project")
    add_runs(made, RUNS, "buy")
    with Catalogue(made) as catalogue:
        catalogue.refresh()
    return made


def test_runs_are_opened_only_when_they_are_asked_for(dressed, qtbot, tmp_path, project) -> None:
    studio = Studio(Settings(tmp_path / "settings.yaml"))
    studio.window.resize(1400, 900)
    studio.show()
    room = Room(studio, qtbot, project.folder)
    cards = studio.window.workspace("project").recent.cards
    with opened_below(f"{project.paths.trajectories_of('buy')}{os.sep}run-") as opened:
        studio.project_library.open(project.folder)
        room.until(lambda: studio.project_library.snapshot is not None)
        room.until(lambda: studio.project_library.snapshot.counts[RUN] == RUNS)
        studio.window.show_workspace("project")
        room.until(lambda: cards.isVisible())
        cards.grab()  # paints the cards, which asks for their pictures
        studio.window.show_workspace("rules")
        room.until(lambda: room.session.results and room.workspace.matrix.rows.shown)
        assert opened == []
    assert {trajectory.kind for trajectory in room.session.backtests.corpus.trajectories} == {"golden"}
    assert any(f"{RUNS} runs are left out" in text for text in room.toasts)

    room.run("rules.choose-trajectories")
    room.until(lambda: room.workspace.findChild(QInputDialog) is not None)
    dialog = room.workspace.findChild(QInputDialog)
    QTest.keyClicks(dialog.focusWidget(), "agent:x outcome:failure anomaly:low_battery")
    QTest.keyClick(dialog.focusWidget(), Qt.Key.Key_Return)
    room.until(lambda: room.session.backtests.corpus is not None)
    room.until(lambda: {ref.kind for ref in room.session.backtests.corpus.trajectories} == {RUN})
    chosen = {int(ref.id[-6:]) for ref in room.session.backtests.corpus.trajectories}
    assert chosen == {number for number in range(RUNS) if number % 3 == 0 and number // 3 % 6 == 2}

    studio.window.show_workspace("project")
    with opened_below(f"{project.paths.trajectories_of('buy')}{os.sep}run-") as opened:
        QTest.mouseClick(cards, Qt.MouseButton.LeftButton, pos=QPoint(20, 80))
        newest = f"run-{RUNS - 1:06}"
        room.until(lambda: any(newest in path for path in opened))
        assert all(newest in path for path in opened)
    end_studio(studio, qtbot)
