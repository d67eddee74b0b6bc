"""Large recordings and large projects: first paint, scrubbing, listing and filtering."""

from __future__ import annotations

import itertools
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from PySide6.QtWidgets import QApplication, QWidget

from collector.model.trajectory import TrajectoryHeader
from collector.store.files import layout
from collector.store.trajectory import codec
from collector.store.trajectory.reader import open_trajectory
from collector.store.trajectory.writer import TrajectoryWriter
from studio.widgets.step_list.view import StepListView
from studio.widgets.thumbnail_cache import ThumbnailCache
from studio.widgets.timeline.lanes import step_track
from studio.widgets.timeline.timeline import Timeline
from tests.benchmarks.budgets.table import Budget, Row, timed
from tests.helpers.many_trajectories import TRAJECTORIES, full_catalogue
from tests.helpers.steps import png, step, xml

_OPEN_BUDGETS = {1_000: 300, 10_000: 1_000}
_FILTERS = ("app:Chat", "problem:yes", "app:none", "poster", "稻香76 -problem:yes")


def rows() -> Iterator[Row]:
    """Opened from the disk, not from memory; the catalogue holds rows without files behind them."""
    window = QWidget()
    window.resize(1200, 900)
    window.show()
    thumbnails = ThumbnailCache()
    timeline, listed = Timeline(thumbnails), StepListView(thumbnails)
    for place, widget in enumerate((timeline, listed)):  # what is covered would not be painted
        widget.setParent(window)
        widget.setGeometry(0, place * 450, 1200, 450)
        widget.show()
    QApplication.processEvents()  # nothing is painted in a window that is not on screen yet
    with tempfile.TemporaryDirectory() as name:
        for count, limit in _OPEN_BUDGETS.items():
            folder = _long_recording(Path(name), count)

            def show(folder: Path = folder) -> None:
                opened = open_trajectory(folder)
                timeline.set_track(step_track("long", opened.steps))
                listed.rows.set_steps("long", opened.steps)
                timeline.repaint()
                listed.viewport().repaint()

            yield Row(
                f"open a trajectory of {count:,} steps to first paint, CPU",
                timed(show, 10, clock=time.process_time),
                Budget("median", limit),
            )
            slots = itertools.cycle(range(count))

            def scrub(slots: Iterator[int] = slots) -> None:
                timeline.canvas.choose(next(slots))
                timeline.canvas.viewport().repaint()

            scrubbing = timed(scrub, 300, clock=time.process_time)
            yield Row(f"scrub one of {count:,} steps, 60 a second, CPU", scrubbing, Budget("p95", 16.7))
        window.close()
        QApplication.processEvents()
        yield from _catalogue(Path(name))


def _catalogue(folder: Path) -> Iterator[Row]:
    catalogue = full_catalogue(folder / "large")
    what = f"{TRAJECTORIES:,} trajectories"
    first = timed(lambda: catalogue.find("", limit=100), 30, clock=time.process_time)
    yield Row(f"list {what}, first rows, CPU", first, Budget("p95", 100))
    queries = itertools.cycle(_FILTERS)
    samples = timed(lambda: catalogue.find(next(queries), limit=100), 50, clock=time.process_time)
    yield Row(f"filter {what}, CPU", samples, Budget("p95", 100), note=f"in turn: {', '.join(_FILTERS)}")


def _long_recording(folder: Path, count: int) -> Path:
    writer = TrajectoryWriter.create(folder, TrajectoryHeader(f"long-{count}", "t"))
    line = codec.step_to_line(writer.append(step(0), png(), xml()))
    writer.close()
    lines = ({"seq": index + 1, **line, "index": index} for index in range(count))
    (writer.folder / layout.STEPS).write_bytes(b"".join(map(codec.dump_line, lines)))
    return writer.folder
