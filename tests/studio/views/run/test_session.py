"""What the session of the Run workspace knows of a run, in a built window over a project on disk."""

from __future__ import annotations

from dataclasses import replace

import pytest

from collector.run.events import (
    EpisodeBegan,
    EpisodeEnded,
    PhaseChanged,
    RunBegan,
    RunEnded,
    ScreenObserved,
    WorkerChanged,
)
from collector.run.experiment.edits import set_value
from collector.run.experiment.model import Cell
from tests.helpers.shown_texts import says

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", "grabbing the keyboard", "raise", extend=True)


def test_an_experiment_is_read_edited_and_undone_and_follows_its_file(room) -> None:
    session, file = room.session, room.folder / "experiments" / "exp-01.yaml"
    assert session.loaded.path == file
    assert [entry.id for entry in session.experiment.agents] == ["golden", "random"]
    assert len({cell.id for cell in session.cells}) == len(session.cells)
    assert session.edit("add a seed", lambda text: set_value(text, "seeds", [123, 7, 9]))
    room.until(lambda: session.experiment.seeds == (123, 7, 9))
    room.until(lambda: "seeds: [123, 7, 9]" in file.read_text())
    assert "tasks: [buy, look]   # both" in file.read_text()
    assert room.workspace.history.undo_title == "add a seed"
    room.run("edit.undo")
    room.until(lambda: session.experiment.seeds == (123, 7) and "seeds: [123, 7]\n" in file.read_text())
    room.run("edit.redo")
    room.until(lambda: len(session.experiment.seeds) == 3 and "[123, 7, 9]" in file.read_text())
    file.write_text(file.read_text().replace("budget: 5", "budget: 9"), encoding="utf-8")
    room.until(lambda: session.experiment.budget == 9)
    (file.parent / "exp-02.yaml").write_text("tasks: all\nagents: [golden]\n", encoding="utf-8")
    room.until(lambda: list(session.files) == ["exp-01", "exp-02"])
    session.choose("exp-02")
    room.until(lambda: session.loaded is not None and session.loaded.name == "exp-02")
    assert session.progress.total == len(session.cells) == 2
    room.run("edit.undo")  # the newest edit of all is one of exp-01
    room.until(lambda: session.name == "exp-01" and session.loaded is not None)


def test_no_experiment_is_said_only_once_they_were_listed(room) -> None:
    for file in (room.folder / "experiments").glob("*.yaml"):
        file.unlink()
    room.studio.project_library.close()
    room.until(lambda: says(room.workspace, "No project is open"))
    room.studio.project_library.open(room.folder)
    said = []
    room.session.project_opened.connect(lambda: said.append(says(room.workspace, "are being read")))
    room.until(lambda: said and says(room.workspace, "No experiment yet"))
    assert said == [True]


def test_the_session_follows_events_of_a_run(room) -> None:
    session = room.session
    assert session.name == "exp-01"
    cell = Cell("buy", "golden", "baseline", "screenshot", seed=123)
    heard: list[object] = []
    session.picture_changed.connect(lambda name: heard.append(("picture", name)))
    session.worker_changed.connect(lambda name: heard.append(("worker", name)))
    session.cells_changed.connect(lambda cells: heard.append(("cells", cells)))
    session.run_changed.connect(lambda: heard.append(("run", session.is_running)))
    screens = [ScreenObserved(worker="w1", cell=cell.id, step=1, picture=bytes([n])) for n in range(3)]
    session.take_events([
        RunBegan(experiment="exp-01", total=16, done=0),
        WorkerChanged(worker="w1", state="ready", phone="virtual 1"),
        EpisodeBegan(worker="w1", cell=cell.id, task="buy", agent="golden", condition="baseline",
                     trajectory="t", budget=5),
        *screens,
    ])  # fmt: skip
    assert heard == [
        ("run", True), ("worker", "w1"), ("picture", "w1"), ("cells", frozenset({cell.id})),
    ]  # fmt: skip
    assert session.progress.workers["w1"].picture == bytes([2])
    session.select_cell(cell.id)
    assert session.selected_worker == "w1"
    session.select_worker("")
    session.select_worker("w1")
    assert session.selected_cell == cell.id
    session.take_events([RunEnded(how="finished")])
    assert not session.is_running


def test_a_runner_that_is_killed_is_said_at_once_until_it_is_resumed(room, qtbot) -> None:
    session, board, toasts = room.session, room.workspace.tiles.board, room.studio.window.toasts
    cell, other = session.cells[:2]
    began = [
        RunBegan(experiment="exp-01", total=16, done=0),
        WorkerChanged(worker="w1", state="ready", phone="virtual 1"),
    ]
    session.take_events(began)
    log = room.workspace.log
    assert session.selected_worker == "w1"
    assert says(log, "This phone has run no episode yet")
    started = EpisodeBegan(worker="w1", cell=cell.id, task="buy", agent="golden", condition="baseline",
                           trajectory="t", budget=5)  # fmt: skip
    session.take_events([started, PhaseChanged(worker="w1", cell=cell.id, step=1, phase="think")])
    assert session.selected_cell == cell.id, "the selected phone shows the episode that it runs"
    tile = board.tile("w1")
    assert "Thinking" in tile.describe()
    assert not tile.resume.isVisible()

    session.runs.lost.emit()
    session.runs.ended.emit(False)
    assert not session.is_running
    assert "The runner is gone" in tile.describe()
    assert session.result(cell.id).status == "waiting"
    assert not tile.pause.isEnabled()
    assert not room.studio.commander.enabled("run.pause-all")
    [said] = [toast for toast in toasts.shown if toast.stays]
    assert "The runner of exp-01 is gone" in said.accessibleName()
    with qtbot.waitSignal(board.resume_asked):
        tile.resume.click()

    session.take_events(began)
    assert said not in toasts.shown
    assert not board.tile("w1").resume.isVisible()
    # A cell that was chosen itself stays chosen when the phone goes on.
    session.take_events([started])
    session.select_cell(cell.id)
    session.take_events([EpisodeEnded(worker="w1", cell=cell.id, trajectory="t", status="success"),
                         replace(started, cell=other.id)])  # fmt: skip
    assert session.selected_cell == cell.id
    session.take_events([RunEnded(how="finished")])
