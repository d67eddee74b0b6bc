"""The Run workspace while sixteen phones are watched, and the grid of results of a large experiment."""

from __future__ import annotations

import itertools
import random
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from PySide6.QtCore import QBuffer, QIODevice
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QWidget

from collector.model.resources import asset
from collector.run.events import RunEvent
from collector.run.experiment.model import Cell
from collector.run.progress import CellProgress
from collector.run.results.result_grid import ResultGrid
from studio.app.studio import Studio
from studio.settings import Settings
from studio.widgets.result_grid.grid_view import ResultGridView
from tests.benchmarks.budgets.large import spent
from tests.benchmarks.budgets.table import Budget, Row
from tests.helpers.run_feed import RunFeed
from tests.helpers.run_room import make_run_project

PHONES, SECONDS = 16, 12
TASKS, COLUMNS = 5000, 40
_FRAME_MS = 1000 / 60
_LONGEST_S = 60


def rows() -> Iterator[Row]:
    """Sixteen phones with two moments a second each, and a grid of 200,000 cells."""
    yield from _phones()
    yield from _grid()


def _phones() -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "project"
        make_run_project(folder)
        studio = Studio(Settings(Path(name) / "settings.yaml"))
        studio.window.resize(1600, 1000)
        studio.show()
        studio.window.show_workspace("run")
        studio.project_library.open(folder)
        session = studio.window.workspace("run").session
        end = time.monotonic() + _LONGEST_S
        while not session.cells and time.monotonic() < end:
            QApplication.processEvents()
        try:
            samples = list(_moments(session))
        finally:
            studio.window.close()
            studio.close()  # waits for jobs that still write into the folder
        note = "each is taken in and painted before the next comes; a screen comes with a JPEG of 360 x 800"
        yield Row(f"a moment of one of {PHONES} watched phones", samples, Budget("p99", _FRAME_MS), note=note)
        a_second = 2 * PHONES
        whole = [sum(samples[first : first + a_second]) for first in range(0, len(samples), a_second)]
        note = f"{a_second} moments; the rest of the second the window is idle"
        yield Row(f"the GUI thread in a second of {PHONES} phones", whole, Budget("p95", 500), note=note)


def _moments(session: object) -> Iterator[float]:
    """Milliseconds of each moment of the phones, in turn."""
    pictures = _pictures()
    cells = [Cell(f"task-{number}", "x", "c", "tree") for number in range(PHONES * 20)]
    feed = RunFeed(cells, PHONES, lambda worker, step: pictures[(worker + step) % len(pictures)], time.time)
    session.take_events(feed.begin())  # type: ignore[attr-defined]
    QApplication.processEvents()
    streams = [_endless(feed, number) for number in range(PHONES)]
    for _round in range(2 * SECONDS):
        for stream in streams:
            events = next(stream)

            def take(events: list[RunEvent] = events) -> None:
                session.take_events(events)  # type: ignore[attr-defined]
                QApplication.processEvents()

            yield spent(take)


def _endless(feed: RunFeed, number: int) -> Iterator[list[RunEvent]]:
    for _turn in itertools.count():
        yield from feed.episode(number)


def _pictures() -> list[bytes]:
    files = sorted(asset("sample", "trajectories").glob("shop-14/*/states/*.png"))[9:19]
    pictures = []
    for file in files:
        buffer = QBuffer()
        buffer.open(QIODevice.OpenModeFlag.WriteOnly)
        QImage(str(file)).scaledToWidth(360).save(buffer, "JPG", 70)
        pictures.append(bytes(buffer.data().data()))
    return pictures


def _grid() -> Iterator[Row]:
    cells = [
        Cell(
            f"task-{task:04}",
            f"agent {column // 20}",
            f"condition {column // 4 % 5}",
            "tree",
            seed=column % 4,
        )
        for task in range(TASKS)
        for column in range(COLUMNS)
    ]
    draw = random.Random(7)
    words = ("success", "success", "failure", "uncompleted", "waiting")
    known = {cell.id: CellProgress(cell.id, draw.choice(words)) for cell in cells}
    window = QWidget()
    window.resize(1260, 400)
    view = ResultGridView(window)
    view.resize(window.size())
    view.show_grid(ResultGrid(cells, known))
    window.show()
    QApplication.processEvents()
    places = itertools.cycle(range(0, view.verticalScrollBar().maximum(), 997))

    def scroll() -> None:
        view.verticalScrollBar().setValue(next(places))
        view.viewport().repaint()

    samples = [spent(scroll) for _turn in range(200)]
    yield Row(f"scroll results of {TASKS:,} x {COLUMNS} cells", samples, Budget("p99", _FRAME_MS))
    changed = itertools.cycle(cells[::37])

    def update() -> None:
        cell = next(changed)
        known[cell.id] = CellProgress(cell.id, "running" if known[cell.id].status != "running" else "success")
        view.update_cells({cell.id})
        QApplication.processEvents()

    samples = [spent(update) for _turn in range(200)]
    yield Row(f"a result of {TASKS * COLUMNS:,} fills in", samples, Budget("p99", _FRAME_MS))
    window.close()
