"""A trajectory of 10,000 steps: what opening it reads and keeps."""

from __future__ import annotations

import shutil
import tracemalloc

import pytest

from collector.model.trajectory import TrajectoryHeader
from collector.store.files import layout
from collector.store.trajectory import codec
from collector.store.trajectory.reader import open_trajectory
from collector.store.trajectory.writer import TrajectoryWriter
from tests.helpers.steps import png, step, xml

STEPS, MOST_BYTES_OF_A_STEP = 10_000, 4_000


@pytest.mark.fault("F14")
def test_opening_ten_thousand_steps_reads_no_picture_and_no_tree(tmp_path):
    writer = TrajectoryWriter.create(tmp_path, TrajectoryHeader("long", "t"))
    line = codec.step_to_line(writer.append(step(0), png(), xml()))
    writer.close()
    lines = ({"seq": index + 1, **line, "index": index} for index in range(STEPS))
    (writer.folder / layout.STEPS).write_bytes(b"".join(map(codec.dump_line, lines)))
    for folder in (path for path in writer.folder.iterdir() if path.is_dir()):
        shutil.rmtree(folder)
    tracemalloc.start()
    try:
        stored = open_trajectory(writer.folder)
        kept, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(stored.steps) == STEPS
    assert (kept < STEPS * MOST_BYTES_OF_A_STEP, peak < 3 * STEPS * MOST_BYTES_OF_A_STEP) == (True, True)
