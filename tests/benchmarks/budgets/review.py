"""Review: long trajectories opened, scrubbed and aligned, beside a plain Qt list and a page in a browser.

All show the same: of each step a picture, its caption and its time. The rivals show nothing else. What takes
longer than a frame is measured in processor time, which others on the machine change little.
"""

from __future__ import annotations

import gc
import itertools
import json
import random
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Hashable, Iterator
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QSize
from PySide6.QtGui import QIcon, QImage, QPixmap
from PySide6.QtWidgets import QApplication, QListWidget, QListWidgetItem, QWidget

from collector.comparison.alignment.aligned import align_stored, side_by_side
from collector.comparison.steps.step_query import StepQuery
from collector.comparison.steps.trajectory_index import index_of
from collector.model.episode import AgentTurn, Episode
from collector.model.trajectory import RUN, TrajectoryHeader
from collector.store.files import layout
from collector.store.trajectory import codec
from collector.store.trajectory.reader import open_trajectory
from collector.store.trajectory.recorded_moments import moments_of
from collector.store.trajectory.writer import TrajectoryWriter
from studio.widgets.thumbnail_cache import ThumbnailCache
from studio.widgets.timeline.aligned_timeline import AlignedTimeline
from studio.widgets.timeline.aligned_track import TrackSide, aligned_track
from tests.benchmarks.budgets.large import spent
from tests.benchmarks.budgets.table import Budget, Row, paired, timed
from tests.helpers.chromium import address_of, chromium_program, running_chromium
from tests.helpers.known_pairs import GOLDENS, HARD, PICTURES, PLAIN, errors_of_kind
from tests.helpers.steps import png, step, xml

_OPEN_BUDGETS = {1_000: 300, 10_000: 1_000}
_SCREENS = 40
"""Different pictures and trees of the long trajectories."""
_FRAME_MS = 16.7
_SCRUB = """(async () => {
    const all = document.querySelectorAll('p'), times = [];
    for (let at = %d; at < %d; at++) {
        const began = performance.now();
        all[at].scrollIntoView();
        await new Promise((done) => requestAnimationFrame(done));
        times.push(performance.now() - began);
    }
    return times;
})()"""
_ROUNDS = 5
_SEEDS = 2
_FLAT_MB = 48
"""Thumbnails that are kept, and what Python holds besides."""


def rows() -> Iterator[Row]:
    """Opened from the disk, not from memory; then the alignment's errors by kind of change."""
    gc.disable()  # as in the window, which collects cycles when nobody waits
    with tempfile.TemporaryDirectory() as name:
        for count, limit in _OPEN_BUDGETS.items():
            folder = long_run(Path(name), count)
            yield from _window(folder, count, limit)
            yield from _browser(folder, count)
        yield from _alignment(Path(name))
    gc.enable()
    yield from _errors()


def long_run(folder: Path, count: int, *, other: bool = False) -> Path:
    """A run of ``count`` steps with thoughts, times and the events of its cycle.

    The ``other`` one leaves out a hundredth of the steps and has some twice.
    """
    header = TrajectoryHeader(f"long-{count}-{other}", "t", kind=RUN, episode=Episode(agent="bench"))
    with TrajectoryWriter.create(folder, header) as writer:
        trees = [xml(f"Screen {at}").replace(b"a:id/ok", b"a:id/of%d" % at) for at in range(_SCREENS)]
        screens = [writer.append(step(at), png(shade=at * 6), tree) for at, tree in enumerate(trees)]
        writer.finish()
    dice = random.Random(1)
    walk = [dice.randrange(_SCREENS) for _step in range(count)]
    if other:
        walk = [
            at
            for place, at in enumerate(walk)
            for _time in range(place % 100 != 7 and 1 + (place % 100 == 50))
        ]
    turn = AgentTurn("The button is in the middle. " * 8, "tap", timings_ms={"think": 800, "act": 60})
    steps = [
        replace(screens[at], index=place, t_ms=place * 1000, agent=turn) for place, at in enumerate(walk)
    ]
    lines = ({"seq": place + 1, **codec.step_to_line(each)} for place, each in enumerate(steps))
    (writer.folder / layout.STEPS).write_bytes(b"".join(map(codec.dump_line, lines)))
    decided = {"kind": "cycle", "phase": "decide", "rules": [{"rule": "at-cart", "outcome": "fired"}]}
    events = ({**decided, "t_ms": place * 1000, "step": place} for place in range(len(walk)))
    (writer.folder / layout.EVENTS).write_bytes(b"".join(map(codec.dump_line, events)))
    return writer.folder


def _window(folder: Path, count: int, limit: int) -> Iterator[Row]:
    window = QWidget()
    window.resize(1200, 900)
    thumbnails = ThumbnailCache()
    thumbnails.requested.connect(lambda key: thumbnails.deliver(key, _picture(key)))
    timeline, plain = AlignedTimeline(thumbnails), QListWidget()
    plain.setIconSize(QSize(58, 129))
    plain.setUniformItemSizes(True)
    for place, widget in enumerate((timeline, plain)):  # what is covered would not be painted
        widget.setParent(window)
        widget.setGeometry(0, place * 450, 1200, 450)
    window.show()
    QApplication.processEvents()

    def ours() -> None:
        stored = open_trajectory(folder)
        index = index_of(stored)
        moments = moments_of(stored.events(), stored.steps)
        side = TrackSide("long", "A", judgements=index.verdicts, moments=moments)
        timeline.set_track(aligned_track(side_by_side([stored]), [side]))
        timeline.repaint()

    def rivals() -> None:
        plain.clear()
        for line in _plain_steps(folder):
            picture = QPixmap.fromImage(_picture(line["state"]["screenshot"]))
            plain.addItem(
                QListWidgetItem(QIcon(picture), f"{line['t_ms'] / 1000:.1f} s  {line['description']}")
            )
        plain.viewport().repaint()

    ours(), rivals()
    mine, others = ([spent(work) for _round in range(_ROUNDS)] for work in (ours, rivals))
    what = f"a trajectory of {count:,} steps"
    yield Row(
        f"review: open {what} to first paint, CPU", mine, Budget("median", limit), "QListWidget", others,
        "ours has lanes, index, thoughts and events as well",
    )  # fmt: skip
    slots = itertools.cycle(range(count))

    def scrub() -> None:
        timeline.set_current(next(slots))
        timeline.canvas.viewport().repaint()

    numbers = itertools.cycle(range(count))

    def scrub_list() -> None:
        plain.setCurrentRow(next(numbers))
        plain.viewport().repaint()

    mine, others = paired(scrub, scrub_list, 300, clock=time.process_time)
    yield Row(f"review: scrub {what}, CPU", mine, Budget("p95", _FRAME_MS), "QListWidget", others)
    yield _growth(f"review: memory after all steps of {what}", scrub, count)
    window.close()
    QApplication.processEvents()


def _growth(what: str, work: Callable[[], None], count: int) -> Row:
    """Megabytes that scrubbing adds once the first steps were shown."""
    for _step in range(100):
        work()
    before = _resident_mb()
    for _step in range(min(count, 1_000)):
        work()
    return Row(what, [max(0.0, _resident_mb() - before)], Budget("max", _FLAT_MB, unit="MB"), unit="MB")


def _browser(folder: Path, count: int) -> Iterator[Row]:
    """Show the data as a plain page: a line a step, in real Chromium where there is one."""
    program = chromium_program()
    if program is None:
        print("no Chromium here: the rows of the browser are left out", file=sys.stderr)
        return
    page_file = folder / "page.html"
    with running_chromium(program) as browser:
        page = browser.page()
        page.resize(1200, 900)

        def show() -> None:
            lines = "".join(
                f"<p><img width=58 height=129 src='{line['state']['screenshot']}' loading=lazy>"
                f"{line['t_ms'] / 1000:.1f} s {line['description']}</p>"
                for line in _plain_steps(folder)
            )
            page_file.write_text(f"<!doctype html><meta charset=utf-8>{lines}", "utf-8")
            page.open(address_of(page_file))
            page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")

        what = f"a trajectory of {count:,} steps"
        yield Row(f"review, the rival: open {what} in Chromium", timed(show, _ROUNDS, 20))
        times = [each for start in range(0, 150, 15) for each in page.evaluate(_SCRUB % (start, start + 15))]
        note = "frames of a display come at most every 16.7 ms"
        yield Row(f"review, the rival: scrub {what} in Chromium", times, note=note)


def _alignment(folder: Path) -> Iterator[Row]:
    for count in _OPEN_BUDGETS:
        first, second = long_run(folder / "a", count), long_run(folder / "b", count, other=True)
        stored = [open_trajectory(first), open_trajectory(second)]
        gc.collect()
        before, began = _peak_mb(), time.process_time()
        aligned = align_stored(stored)
        took = [(time.process_time() - began) * 1000]
        note = f"{len(aligned.slots):,} slots; behind the window, which shows the steps before"
        yield Row(f"review: align two trajectories of {count:,} steps, CPU", took, note=note)
        more = [max(0.0, _peak_mb() - before)]
        yield Row(
            f"review: memory of that with {count:,} steps", more, Budget("max", 500, unit="MB"), unit="MB"
        )
        indexes = [index_of(each) for each in stored]
        query = StepQuery("action:tap rule:at-cart -difference:detour")
        asked = timed(lambda: query.slots(aligned, indexes), _ROUNDS, clock=time.process_time)  # noqa: B023 - called here
        yield Row(f"review: filter the steps of two trajectories of {count:,}", asked, Budget("median", 300))


def _errors() -> Iterator[Row]:
    """How many steps off the counterpart of a step is, by kind of change."""
    for kinds, most in ((PLAIN, 0), (HARD, 1), (PICTURES, 1)):
        for kind in kinds:
            errors = errors_of_kind(kind, GOLDENS, _SEEDS)
            note = f"{sum(map(bool, errors))} of {len(errors)} steps are off"
            budget = Budget("max", most, unit="steps")
            yield Row(f"alignment, {kind}", errors, budget, note=note, unit="steps")


def _plain_steps(folder: Path) -> Iterator[dict[str, object]]:
    with (folder / layout.STEPS).open("rb") as lines:
        yield from map(json.loads, lines)


def _picture(key: Hashable) -> QImage:
    """A thumbnail of its own for each key, as a loader would deliver it."""
    picture = QImage(58, 129, QImage.Format.Format_RGB32)
    picture.fill(hash(key) & 0xFFFFFF)
    return picture


def _resident_mb() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 1024**2


def _peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
