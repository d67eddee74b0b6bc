"""A trajectory that is being written is read like a stored one, as far as it is written."""

from __future__ import annotations

from pathlib import Path

import pytest

from collector.comparison.alignment.aligned import align_stored
from collector.comparison.alignment.reading import ScreenCache
from collector.comparison.steps.trajectory_index import build_index
from collector.model.trajectory import TrajectoryHeader
from collector.store.files.errors import NotFound
from collector.store.trajectory.growing_trajectory import GrowingTrajectory
from collector.store.trajectory.reader import open_trajectory
from collector.store.trajectory.trajectory_tail import TailState
from collector.store.trajectory.writer import TrajectoryWriter
from tests.helpers.steps import png, step, xml


def test_steps_events_and_files_are_there_as_soon_as_they_are_written(tmp_path: Path) -> None:
    cache = ScreenCache()
    with TrajectoryWriter.create(tmp_path, TrajectoryHeader("one", "t")) as writer:
        growing = GrowingTrajectory(writer.folder)
        assert growing.stored.steps == ()
        for number in range(3):
            writer.append(step(number), png(), xml(f"Screen {number}"))
            writer.event("pause", number * 100)
            assert growing.poll().state is TailState.WRITING
            assert growing.stored.trajectory == open_trajectory(writer.folder).trajectory
            assert growing.events == growing.stored.events()
            assert growing.stored.tree(growing.stored.steps[-1]) == xml(f"Screen {number}")
            index = build_index(growing.stored.trajectory, growing.events, ())
            assert len(index.steps) == number + 1
            aligned = align_stored([growing.stored] * 2, cache)
            assert aligned.slots == tuple((at, at) for at in range(number + 1))
        before = growing.stored
        assert growing.poll().is_empty
        assert growing.stored is before
        writer.delete(0)
        assert growing.poll().is_rewritten
        assert growing.stored.steps == open_trajectory(writer.folder).steps
        assert growing.events == growing.stored.events()
        writer.finish()
    assert growing.poll().state is TailState.ENDED
    assert growing.stored.header.status == "finished"


def test_a_folder_without_a_trajectory_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        GrowingTrajectory(tmp_path)
