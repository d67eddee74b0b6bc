"""What a runner keeps of a long run does not grow with it, and who attaches late still sees all of it."""

from __future__ import annotations

import gc
import itertools
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from collector.cli.run.display import LineDisplay
from collector.model.episode import Outcome
from collector.run.control import run_snapshot
from collector.run.control.run_client import RunClient
from collector.run.control.run_log import RunLog
from collector.run.control.run_server import RunServer
from collector.run.control.runner_file import RunnerFile
from collector.run.events import EpisodeEnded, RunBegan
from collector.run.progress import RunProgress
from collector.run.runner.run_feed import RunFeed
from collector.run.runner.run_summary import RunResults
from collector.store.files.layout import ProjectPaths
from tests.helpers.run_feed import RunFeed as MadeRun
from tests.helpers.run_feed import sample_cells

KEPT = 20
"""In place of the 300 ends that a runner keeps."""


class Published:
    """A made run that is published as a runner does it."""

    def __init__(self, folder, cells):
        self.paths = ProjectPaths(folder)
        self.file = RunnerFile.hold(self.paths, "pilot")
        self.log = RunLog(self.paths.run_log("pilot"))
        self.server = RunServer("pilot", lambda _request: None, ended_before=self.log.ended_episodes)
        self.file.publish(self.server.port, self.server.token)
        self.results, self._by_id = RunResults(tuple(cells)), {cell.id: cell for cell in cells}
        self.feed = RunFeed(self.log, self.server, LineDisplay().show, self.paths.runner_output("pilot"))
        self._made = MadeRun(cells, 1, lambda _worker, _step: b"jpeg", itertools.count(1.7e9, 20).__next__)
        self._publish(self._made.begin())

    def run(self, count):
        for _number in range(count):
            for events in self._made.episode(0, steps=2):
                self._publish(events)

    def _publish(self, events):
        for event in events:
            self.feed.publish(event)
            if isinstance(event, EpisodeEnded) and not event.infrastructure:
                outcome = Outcome(event.status, event.reason, early_stop=event.early_stop)
                self.results.finish(self._by_id[event.cell], outcome)


@contextmanager
def published(folder, cells) -> Iterator[Published]:
    run = Published(folder, cells)
    try:
        yield run
    finally:
        run.server.close()
        run.log.close()
        run.file.release()


@pytest.fixture
def few_kept(monkeypatch):
    monkeypatch.setattr(run_snapshot, "MOST_ENDED", KEPT)


def held_bytes():
    gc.collect()
    return tracemalloc.get_traced_memory()[0]


@pytest.mark.usefixtures("few_kept")
def test_a_runner_keeps_nothing_of_the_episodes_that_ended(tmp_path, capsys):
    cells = sample_cells(tasks=60)
    tracemalloc.start()
    try:
        with published(tmp_path, cells) as run:
            run.run(2 * KEPT)
            capsys.readouterr()
            before = held_bytes()
            run.run(100)
            capsys.readouterr()
            grown = held_bytes() - before
    finally:
        tracemalloc.stop()
    assert grown / 100 < 200, f"{grown / 100:.0f} bytes an episode"  # lists of free tuples and floats


@pytest.mark.usefixtures("few_kept")
def test_who_attaches_late_sees_how_every_cell_ended(tmp_path):
    cells = sample_cells(tasks=5)
    with published(tmp_path, cells) as run:
        run.run(3 * KEPT)
        with RunClient.attach(run.paths, "pilot", pictures=False) as client:
            watched = list(client.present())
            run.run(5)
    whole, counted = RunProgress(), RunProgress(keeps_cells=False)
    for event in watched:
        whole.apply(event)
        counted.apply(event)
    ended = [event.cell for event in watched if isinstance(event, EpisodeEnded)]
    assert ended == [cell.id for cell in cells[: 3 * KEPT]]
    assert whole.counts == counted.counts
    assert (whole.finished, counted.finished, whole.total, counted.total) == (60, 60, 180, 180)
    assert whole.counts["success"] == 36
    assert not counted.cells


def test_the_log_tells_the_last_end_of_each_cell_of_the_newest_run(tmp_path):
    def end(cell, **values):
        return EpisodeEnded(worker="w", cell=cell, trajectory="x", **values)

    log = RunLog(tmp_path / "log.jsonl")
    for event in (
        RunBegan(experiment="pilot", total=2, done=0), end("old", status="success"),
        RunBegan(experiment="pilot", total=2, done=0), end("one", infrastructure="away", will_retry=True),
        end("two", status="failure"), end("one", status="success", reason="\u2028\x1e"),
    ):  # fmt: skip
        log.add(event)
    assert list(log.ended_episodes().values()) == [
        end("one", status="success", reason="\u2028\x1e"), end("two", status="failure"),
    ]  # fmt: skip
    log.close()


def test_results_are_counted_by_agent_and_condition_without_their_episodes():
    cells = sample_cells(tasks=1, seeds=(1,))
    results = RunResults(tuple(cells))
    results.finish(cells[0], Outcome("success"))
    results.finish(cells[0], Outcome("failure", early_stop=True))  # a cell counts once
    results.finish(cells[1], Outcome("a status of a later version"))
    results.give_up(cells[2], "the phone is away")
    first, second = results.counts()[:2]
    assert (first.success, first.failure, first.early_stops, second.unjudged) == (0, 1, 1, 1)
    assert results.finished == 2
    assert [(cell.cell, cell.reason) for cell in results.not_run()[:2]] == [
        (cells[2].id, "the phone is away"), (cells[3].id, ""),
    ]  # fmt: skip
