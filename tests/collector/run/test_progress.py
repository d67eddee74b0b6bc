"""The state of a run as it is followed from its events, without any runner."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime

from collector.run.events import (
    ActionPredicted,
    AnomalyChanged,
    ControlChanged,
    EpisodeBegan,
    EpisodeEnded,
    RunBegan,
    RunEnded,
    RunEvent,
    ScreenObserved,
    StatesReached,
    StepDone,
    WorkerChanged,
)
from collector.run.experiment.model import Cell
from collector.run.progress import FAULT, RUNNING, WAITING, CellProgress, RunProgress

_START = 1_700_000_000


def _at(seconds: float) -> str:
    return datetime.fromtimestamp(_START + seconds, UTC).isoformat()


def _cells(count: int = 4) -> list[Cell]:
    return [Cell("buy", "golden", "baseline", "screenshot", seed=seed) for seed in range(count)]


def _began(cell: Cell, worker: str = "w1", attempt: int = 0, at: float = 0) -> EpisodeBegan:
    return EpisodeBegan(
        time=_at(at), worker=worker, cell=cell.id, task=cell.task, agent=cell.agent, condition=cell.condition,
        trajectory=f"t{cell.seed}-{attempt}", budget=15, attempt=attempt,
    )  # fmt: skip


def _ended(cell: Cell, worker: str = "w1", at: float = 10, **values: object) -> EpisodeEnded:
    return EpisodeEnded(time=_at(at), worker=worker, cell=cell.id, trajectory="t", **values)  # type: ignore[arg-type]


def _run(*events: RunEvent, cells: list[Cell] | None = None, now: float = 60) -> RunProgress:
    progress = RunProgress(clock=lambda: _START + now)
    progress.plan(cells or _cells())
    progress.apply(RunBegan(time=_at(0), experiment="exp", total=len(cells or _cells()), done=0))
    for event in events:
        progress.apply(event)
    return progress


def _shown(counts: Mapping[str, int]) -> dict[str, int]:
    return {status: count for status, count in counts.items() if count}


def test_cells_go_from_waiting_to_their_outcome_and_faults_are_counted_apart() -> None:
    first, second, third, _fourth = _cells()
    progress = _run(
        WorkerChanged(worker="w1", state="ready", phone="virtual 1"),
        _began(first),
        _ended(first, status="success", steps=4, seconds=2.0),
        _began(second),
        _ended(second, infrastructure="The phone is offline", will_retry=True),
        _began(third),
        _ended(third, infrastructure="The phone is offline"),
    )
    assert _shown(progress.counts) == {"success": 1, FAULT: 1, WAITING: 2}
    assert (progress.total, progress.finished, progress.left, progress.retries) == (4, 1, 3, 1)
    assert progress.step_seconds("golden") == 0.5
    assert progress.step_seconds("monkey") is None
    assert progress.episodes_a_minute == 1.0
    assert progress.seconds_left == 30.0
    progress.apply(_began(second, attempt=1))
    assert progress.cells[second.id].status == RUNNING
    assert progress.cells[second.id].infrastructure == ""
    progress.apply(RunEnded(time=_at(60), how="stopped"))
    assert progress.cells[second.id].status == WAITING
    assert (progress.how, progress.seconds_left) == ("stopped", None)


def test_a_tile_knows_what_its_phone_does() -> None:
    cell = _cells()[0]
    progress = _run(
        WorkerChanged(worker="w1", state="ready", phone="Pixel 7", serial="abc"),
        _began(cell),
        ScreenObserved(worker="w1", cell=cell.id, step=1, picture=b"jpg", width=1080, height=2400,
                       dialog=(10, 20, 30, 40)),
        StatesReached(worker="w1", cell=cell.id, reached=("a",), states=("a", "b")),
        AnomalyChanged(time=_at(3), worker="w1", cell=cell.id, step=1, anomaly="low", transition="shown"),
        ActionPredicted(time=_at(4), worker="w1", cell=cell.id, step=1, thought="I dismiss it",
                        action={"kind": "tap"}, caption="Tap 'Ignore'", executes_in_ms=1500),
        ControlChanged(worker="w1", cell=cell.id, state="taken_over", person="lin"),
    )  # fmt: skip
    worker = progress.workers["w1"]
    assert (worker.phone, worker.serial, worker.step, worker.budget) == ("Pixel 7", "abc", 1, 15)
    assert (worker.picture, worker.picture_number, worker.dialog) == (b"jpg", 1, (10, 20, 30, 40))
    assert worker.acts_at == _START + 5.5
    assert (worker.anomaly, worker.transition, worker.anomaly_since) == ("low", "shown", _START + 3)
    assert (worker.control, worker.person, worker.reached) == ("taken_over", "lin", ("a",))
    assert progress.worker_of(cell.id) == worker
    progress.apply(ScreenObserved(worker="w1", cell=cell.id, step=2))
    worker = progress.workers["w1"]
    assert (worker.picture, worker.picture_number, worker.width, worker.dialog) == (b"jpg", 1, 1080, None)
    progress.apply(StepDone(worker="w1", cell=cell.id, step=2, timings_ms={"act": 4}))
    assert (progress.workers["w1"].action, progress.workers["w1"].acts_at) == ({}, 0.0)
    kinds = [event.kind for event in progress.log_of(cell.id)]
    assert kinds[0] == "episode_began"
    assert kinds[-1] == "step_done"
    assert all(not getattr(event, "picture", b"") for event in progress.log_of(cell.id))
    progress.apply(_began(cell, attempt=1))
    assert [event.kind for event in progress.log_of(cell.id)] == ["episode_began"]
    assert progress.workers["w1"].thought == ""
    # The events of a run of thousands of episodes are not all held.
    for number in range(1000):
        progress.apply(_began(replace(cell, seed=number + 1000)))
    assert progress.log_of(cell.id) == ()
    assert sum(bool(progress.log_of(replace(cell, seed=number + 1000).id)) for number in range(1000)) == 300


def test_a_worker_that_dies_leaves_its_cell_waiting() -> None:
    cell = _cells()[0]
    progress = _run(_began(cell), WorkerChanged(worker="w1", state="gone", problem="its process ended"))
    assert progress.cells[cell.id].status == WAITING
    assert progress.workers["w1"].is_gone
    assert progress.workers["w1"].problem == "its process ended"


def test_a_plan_keeps_what_runs_and_takes_the_rest_from_what_is_stored() -> None:
    cells = _cells()
    progress = _run(_began(cells[0]))
    progress.plan(cells, [CellProgress(cells[1].id, "failure"), CellProgress(cells[0].id, "success")])
    assert [progress.cells[cell.id].status for cell in cells] == [RUNNING, "failure", WAITING, WAITING]
    progress.apply(RunEnded(how="finished"))
    progress.plan(cells[:1])
    assert list(progress.cells) == [cells[0].id]


def test_a_terminal_without_a_plan_counts_what_the_runner_said() -> None:
    progress = RunProgress(clock=lambda: _START)
    progress.apply(RunBegan(time=_at(0), experiment="exp", total=10, done=6))
    assert (progress.total, progress.finished, progress.left) == (10, 6, 4)
    progress.apply(_began(_cells()[0]))
    progress.apply(_ended(_cells()[0], status="failure"))
    assert (progress.finished, progress.left) == (7, 3)
