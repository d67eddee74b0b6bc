"""Budgets of the store: 100,000 trajectories listed and filtered in 0.1 s, 1,000 steps opened in 0.3 s."""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from collector.model.trajectory import TrajectoryHeader
from collector.review.project_queues import place_of
from collector.review.queue import PRESETS, ReviewQueue
from collector.store.catalogue.catalogue import Catalogue
from collector.store.files import layout
from collector.store.trajectory import codec
from collector.store.trajectory.reader import open_trajectory
from collector.store.trajectory.writer import TrajectoryWriter
from tests.helpers.many_trajectories import full_catalogue
from tests.helpers.steps import png, step, xml


@pytest.fixture(scope="module")
def catalogue(tmp_path_factory: pytest.TempPathFactory) -> Catalogue:
    return full_catalogue(tmp_path_factory.mktemp("large") / "p")


@pytest.mark.benchmark(group="list 100,000 trajectories (budget 100 ms)")
@pytest.mark.parametrize(
    "query", ["", "app:Chat", "problem:yes", "app:none", "poster", "稻香76 -problem:yes"]
)
def test_first_rows(benchmark: BenchmarkFixture, catalogue: Catalogue, query: str, within) -> None:
    benchmark(catalogue.find, query, limit=100)
    within(0.1)


@pytest.mark.benchmark(group="count a queue of reviews over 100,000 trajectories (budget 0.5 s)")
@pytest.mark.parametrize("queue", PRESETS, ids=lambda queue: queue.name)
def test_count_queue(benchmark: BenchmarkFixture, catalogue: Catalogue, queue: ReviewQueue, within) -> None:
    def count() -> Counter[str]:
        places: Counter[str] = Counter()
        for state, count in catalogue.review_states(queue.query):
            places[place_of(queue, state, "ann", "2026")] += count
        return places

    benchmark(count)
    within(0.5)


@pytest.mark.benchmark(group="open a trajectory (budget 300 ms for 1,000 steps, 1 s for 10,000)")
@pytest.mark.parametrize("count", [1_000, 10_000])
def test_open(benchmark: BenchmarkFixture, tmp_path: Path, count: int, within) -> None:
    writer = TrajectoryWriter.create(tmp_path, TrajectoryHeader("one", "t"))
    line = codec.step_to_line(writer.append(step(0), png(), xml()))
    writer.close()
    lines = ({"seq": index + 1, **line, "index": index} for index in range(count))
    (writer.folder / layout.STEPS).write_bytes(b"".join(map(codec.dump_line, lines)))
    assert len(benchmark(open_trajectory, writer.folder).steps) == count
    within({1_000: 0.3, 10_000: 1.0}[count])


@pytest.mark.benchmark(group="commit a step, flushed to the medium (budget 100 ms)", timer=time.perf_counter)
def test_append(benchmark: BenchmarkFixture, tmp_path: Path, within) -> None:
    with TrajectoryWriter.create(tmp_path, TrajectoryHeader("one", "t")) as writer:
        picture = png() + bytes(400_000)
        benchmark(lambda: writer.append(step(0), picture, xml()))
    within(0.1)
