"""What the session of the Run workspace knows of a run, in a built window over a project on disk."""

from __future__ import annotations

import pytest

from collector.run.events import EpisodeBegan, RunBegan, RunEnded, ScreenObserved, WorkerChanged
from collector.run.experiment.model import Cell

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", "grabbing the keyboard", "raise", extend=True)


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
