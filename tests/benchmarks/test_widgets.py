"""Budgets of the window: scrub >= 60 steps/s, 1,000 steps <= 0.3 s to first paint, a repaint of the mirror.

Run without a display; a repaint goes to a picture in memory, as Qt's own backing store does.
"""

from __future__ import annotations

import itertools
import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import pytest
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QWidget
from pytest_benchmark.fixture import BenchmarkFixture

from collector.hierarchy.parse import parse_tree
from collector.model.geometry import Point, Size
from collector.model.task import Task
from studio.app.main_window.palette_entries import task_entries
from studio.commands.search import search
from studio.theme import theme
from studio.widgets.device_view.highlight import Overlay
from studio.widgets.device_view.view import DeviceView, MirrorMode
from studio.widgets.device_view.view_frame import ViewFrame
from studio.widgets.node_selection import NodeSelection
from studio.widgets.state_difference.tree_difference_list import TreeDifferenceList
from studio.widgets.state_graph.layout import GraphState, lay_out
from studio.widgets.step_list.view import StepListView
from studio.widgets.thumbnail_cache import ThumbnailCache
from studio.widgets.timeline.aligned_timeline import AlignedTimeline
from studio.widgets.timeline.aligned_track import TrackSide, aligned_track
from studio.widgets.timeline.lanes import step_track
from studio.widgets.timeline.timeline import Timeline
from studio.widgets.tree_panel.panel import TreePanel
from tests.helpers.aligned_steps import aligned_of
from tests.helpers.compared_screens import comparison, step_of
from tests.helpers.dumps import large_dump
from tests.helpers.sample_steps import many_steps

SCREEN = Size(1080, 2400)
FRAME_S = 1 / 60


@pytest.fixture
def window(qtbot, qapp):
    theme.install(qapp, "dark", motion=False)
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(1200, 900)
    with qtbot.waitExposed(window):  # before, nothing is painted
        window.show()
    return window


def shown(window: QWidget, widget: QWidget) -> QWidget:
    widget.setParent(window)
    widget.resize(window.size())
    widget.show()
    return widget


@pytest.mark.benchmark(group="open a trajectory to first paint (budget 0.3 s for 1,000, 1 s for 10,000)")
@pytest.mark.parametrize("count", [1000, 10_000])
def test_first_paint(benchmark: BenchmarkFixture, window: QWidget, count: int, within) -> None:
    steps = many_steps(count)
    thumbnails = ThumbnailCache()
    timeline = shown(window, Timeline(thumbnails))
    timeline.setGeometry(0, 0, 1200, 450)
    listed = shown(window, StepListView(thumbnails))
    listed.setGeometry(0, 450, 1200, 450)  # what is covered would not be painted

    def open_trajectory() -> None:
        timeline.set_track(step_track("long", steps))
        listed.rows.set_steps("long", steps)
        timeline.repaint()
        listed.viewport().repaint()

    benchmark(open_trajectory)
    within({1_000: 0.3, 10_000: 1.0}[count])


@pytest.mark.benchmark(group="scrub one step (budget 16.7 ms)")
@pytest.mark.parametrize("count", [1000, 10_000])
def test_scrub(benchmark: BenchmarkFixture, window: QWidget, count: int, within) -> None:
    timeline = shown(window, Timeline(ThumbnailCache()))
    timeline.set_track(step_track("long", many_steps(count)))
    slots = itertools.cycle(range(count))

    def scrub() -> None:
        timeline.canvas.choose(next(slots))
        timeline.canvas.viewport().repaint()

    benchmark(scrub)
    within(FRAME_S)


@pytest.mark.benchmark(group="scrub one slot of four aligned trajectories (budget 16.7 ms)")
@pytest.mark.parametrize("width", [58, 4, 0], ids=["thumbnails", "overview", "all in sight"])
def test_scrub_aligned(benchmark: BenchmarkFixture, window: QWidget, width: int, within) -> None:
    count, sides = 10_000, 4
    steps = many_steps(count)
    aligned = aligned_of([(step,) * sides for step in range(count)], [steps] * sides)
    timeline = shown(window, AlignedTimeline(ThumbnailCache()))
    timeline.set_track(aligned_track(aligned, [TrackSide(str(side), "Run") for side in range(sides)]))
    if width:
        timeline.canvas.set_slot_width(width)
    else:
        timeline.canvas.fit_all()
    slots = itertools.cycle(range(count))

    def scrub() -> None:
        timeline.canvas.choose(next(slots))
        timeline.canvas.viewport().repaint()

    benchmark(scrub)
    within(FRAME_S)


@pytest.mark.benchmark(group="paint a frame of 1080x2400, decoded to the size on screen (0.4 ms measured)")
@pytest.mark.parametrize("boxes", [False, True], ids=["bare", "2,000 boxes"])
def test_paint_a_frame(benchmark: BenchmarkFixture, window: QWidget, boxes: bool) -> None:
    view = shown(window, DeviceView())
    view.selection.set_tree(parse_tree(large_dump(2000)))
    view.set_overlay(Overlay.NODES, boxes)
    blank = QImage(8, 8, QImage.Format.Format_RGB32)
    view.show_frame(ViewFrame(blank, SCREEN))
    shape = view.transform.image
    frames = []
    for shade in (40, 200):
        image = QImage(shape.width, shape.height, QImage.Format.Format_RGB32)
        image.fill(0xFF000000 | shade)
        frames.append(ViewFrame(image, SCREEN))
    turn = itertools.cycle(frames)
    view.set_frame_source(lambda: next(turn))

    benchmark(view.repaint)


@pytest.mark.benchmark(group="hover over 2,000 nodes: hit test, light, repaint")
def test_hover(benchmark: BenchmarkFixture, window: QWidget) -> None:
    view = shown(window, DeviceView())
    view.set_mode(MirrorMode.INSPECT)
    selection = view.selection
    selection.set_tree(parse_tree(large_dump(2000)))
    image = QImage(360, 800, QImage.Format.Format_RGB32)
    image.fill(0xFFFFFFFF)
    view.show_frame(ViewFrame(image, SCREEN))
    places = itertools.cycle([Point(x, y) for y in range(100, 2300, 171) for x in range(20, 1060, 93)])

    def hover() -> None:
        selection.hover(selection.at(next(places)))
        view.repaint()

    benchmark(hover)


@pytest.mark.benchmark(group="show a new tree in the panel (GUI thread: 50 ms)")
@pytest.mark.parametrize("count", [2000, 5000])
def test_show_a_tree(benchmark: BenchmarkFixture, window: QWidget, count: int) -> None:
    selection = NodeSelection()
    panel = shown(window, TreePanel(selection))
    tree = parse_tree(large_dump(count))

    def show() -> None:
        selection.set_tree(tree)
        panel.tree.viewport().repaint()

    benchmark(show)


@pytest.mark.benchmark(group="search 10,000 tasks in the palette, at one key (budget 50 ms)")
@pytest.mark.parametrize("query", ["s", "theme", "print later"])
def test_search_the_palette(benchmark: BenchmarkFixture, query: str, within) -> None:
    sentence = "Find the botanical print number {} and save it for later"
    tasks = [Task(f"shop-{number}", sentence.format(number), "Shop") for number in range(10_000)]
    entries = task_entries(tasks)
    benchmark(search, entries, query)
    within(0.05)


@pytest.mark.benchmark(group="lay out a graph of milestones (budget 50 ms for 30)")
@pytest.mark.parametrize("count", [6, 30])
def test_graph_layout(benchmark: BenchmarkFixture, count: int, within) -> None:
    states = [
        GraphState(
            f"s{number}",
            100 + number % 7 * 14,
            number // 2,
            tuple(f"s{before}" for before in (number - 1, number - 3) if before >= 0),
        )
        for number in range(count)
    ]
    benchmark(lay_out, states, 16)
    within(0.05)


def test_a_list_of_5000_differences_is_shown_and_scrolled(
    window: QWidget, benchmark: BenchmarkFixture
) -> None:
    """Every node changed: the list is filled, painted and scrolled by a page."""
    dump = large_dump(5000).decode()
    changed = comparison(step_of(0, dump), step_of(1, dump.replace('clickable="true"', 'clickable="false"')))
    widget = shown(window, TreeDifferenceList())
    assert isinstance(widget, TreeDifferenceList)

    def show() -> None:
        widget.show_comparison(changed)
        widget.grab()
        bar = widget.rows.verticalScrollBar()
        bar.setValue(bar.value() + bar.pageStep())
        widget.grab()

    benchmark.pedantic(show, rounds=5, warmup_rounds=1)
    assert widget.rows.differences.rowCount() == 5000
