"""Stale results are marked in Run, Metrics and Review, run again from the window, and left out of numbers."""

from __future__ import annotations

import pytest

from collector.agents.registry import agent_kinds
from collector.metrics.breakdowns.dimensions import STALE
from collector.model.episode import Episode, Outcome
from collector.model.task import Task
from collector.run.experiment.files import open_experiment
from collector.run.experiment.matrix import cells
from collector.store.project.project import Project
from collector.store.trajectory.fingerprint import FINGERPRINT
from studio.widgets.controls import Button
from studio.widgets.window_frame.toasts import Toast
from tests.helpers.run_files import steps_of, write_run
from tests.helpers.run_room import RunRoom
from tests.helpers.studios import end_studio, new_studio

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", "grabbing the keyboard", "raise", extend=True)
EXPERIMENT = """format: waymark-experiment
version: 1
tasks: [buy]
agents: [monkey]
conditions: [baseline]
seeds: [1, 2]
budget: 5
"""


@pytest.fixture
def room(dressed, qtbot, tmp_path):
    """An experiment of two finished episodes; the task of the first was another."""
    project = Project.create(tmp_path / "project")
    project.save_tasks([Task("buy", "Buy a poster", "Shop")])
    path = project.paths.experiment("exp")
    path.parent.mkdir(exist_ok=True)
    path.write_text(EXPERIMENT, encoding="utf-8")
    kinds = agent_kinds().kinds
    matrix = cells(open_experiment(path, project, kinds), kinds)
    for cell, made_by in zip(matrix, ({"task": "another"}, {"part-of-later": "x"}), strict=True):
        episode = Episode("exp", cell.key, "monkey", seed=cell.seed, repeat=0, extra={FINGERPRINT: made_by})
        write_run(project, f"run-{cell.seed}", episode, Outcome("success"), task="buy", steps=steps_of(None))
    studio = new_studio(tmp_path, "run")
    opened = RunRoom(studio, qtbot, project.folder)
    studio.project_library.open(project.folder)
    opened.until_read()
    yield opened
    end_studio(studio, qtbot)


def test_stale_results_are_marked_run_again_and_left_out(room, monkeypatch) -> None:
    session, window = room.session, room.studio.window
    panel = room.workspace.results
    room.until(lambda: session.stale == ("task",))
    (stale,) = panel.grid_view.grid.stale
    assert stale.endswith(" / 1 / 0")
    assert panel.count.text() == "2 of 2, 2 episodes a condition, 1 stale"
    asked = []
    monkeypatch.setattr(session.runs, "start", asked.append)
    room.run("run.start")
    (toast,) = window.findChildren(Toast)
    assert "Some are stale: since they were run, the task changed" in toast.accessibleName()
    next(button for button in toast.findChildren(Button) if button.text() == "Run them again").click()
    room.until(lambda: asked and asked[0][-2:] == ["--again", "changed"])

    window.show_workspace("metrics")
    metrics = window.workspace("metrics")
    room.until(lambda: metrics.session.is_counted)
    choices, commander = metrics.choices, room.studio.commander
    assert choices.tasks.value == "all 1"
    assert commander.enabled("metrics.leave-out-stale")
    assert any("1 episode is stale" in note for note in metrics.session.tables[0].report.notes)
    room.run("metrics.leave-out-stale")
    room.until(lambda: metrics.session.is_counted)
    assert choices.tasks.value == "all 1, without stale results"
    assert STALE not in metrics.session.selection.kept["freshness"]
    assert not any("stale" in note for note in metrics.session.tables[0].report.notes)

    window.show_workspace("review")
    review = window.workspace("review")
    folder = Project.open(room.folder).paths.trajectories_of("buy") / "run-1"
    review.trajectories.open(str(folder))
    badge = review.columns.columns[0].stale
    room.until(lambda: badge.text == "stale")
    assert "Since it was run, the task changed" in badge.toolTip()
