"""Render the widgets with sample data to PNG files, to compare with the mockups.

python -m tests.studio.widgets.gallery FOLDER [--scheme dark|light] [--language zh_CN]
Set QT_SCALE_FACTOR=2 for scale 2.
"""

from __future__ import annotations

import argparse
import os
import zlib
from collections.abc import Callable, Hashable
from pathlib import Path

from PySide6.QtTest import QTest

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QPointF, Qt, QTimer
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QWidget

from collector.model.action import Swipe, Tap
from collector.model.geometry import Point, Rect, Size
from collector.model.i18n import use_language
from collector.model.resources import asset
from collector.model.task import Task
from studio.theme import theme
from studio.widgets.device_view.card_layout import DeviceCardLayout
from studio.widgets.device_view.header import DeviceHeader
from studio.widgets.device_view.highlight import Highlight, HighlightStyle, Overlay, Trace, TraceMark
from studio.widgets.device_view.view import DeviceView, MirrorMode
from studio.widgets.hud import Hud, MirrorFigures, PointerCard
from studio.widgets.recording_cards.capture_card import CaptureCard, CaptureFacts, CapturePill
from studio.widgets.recording_cards.key_bar import KeyBar
from studio.widgets.recording_cards.task_card import StateMark, TaskCard
from studio.widgets.step_list.view import StepListView
from studio.widgets.thumbnail_cache import ThumbnailCache
from studio.widgets.timeline.aligned_timeline import AlignedTimeline
from studio.widgets.timeline.aligned_track import StateMoment, TrackSide, aligned_track
from studio.widgets.timeline.lanes import state_mark, step_track
from studio.widgets.timeline.timeline import Timeline
from studio.widgets.tree_panel.panel import TreePanel
from tests.helpers.aligned_steps import three_aligned
from tests.helpers.sample_screen import sample_frame, sample_image, sample_tree
from tests.helpers.sample_steps import sample_steps

_TASK = Task(
    "shop-14",
    "Sign in, sort posters by price and add the cheapest one in stock to the cart",
    app="Shop",
    level="hard",
    note="PIN is 6 digits, set by the project seed. Do not save the password.",
)
_STATES = (
    StateMark("Signed in", 6),
    StateMark("Posters searched", 9),
    StateMark("Sorted by price, low to high", 11),
    StateMark("Only items in stock"),
    StateMark("Cheapest poster in the cart"),
)
_MARKS = (state_mark(5, "Signed in"), state_mark(8, "Posters searched"), state_mark(10, "Sorted by price"))


def _thumbnails(parent: QWidget) -> ThumbnailCache:
    thumbnails = ThumbnailCache(parent)

    def load(key: Hashable) -> None:
        image = sample_image(Size(135, 300), shift=zlib.crc32(str(key).encode()) % 12)
        QTimer.singleShot(0, thumbnails, lambda: thumbnails.deliver(key, image))

    thumbnails.requested.connect(load)
    return thumbnails


def _surface(widget: QWidget, name: str) -> None:
    widget.setProperty("surface", name)
    widget.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)


def _centre(window: QWidget, mode: MirrorMode) -> tuple[DeviceView, DeviceCardLayout]:
    """Header, mirror and all cards as Record lays them out."""
    view = DeviceView()
    view.show_frame(sample_frame())
    view.selection.set_tree(sample_tree())
    view.set_mode(mode)
    view.set_overlay(Overlay.NODES, mode is MirrorMode.INSPECT)
    header = DeviceHeader(view, window)
    header.setGeometry(0, 0, 888, 36)
    stage = DeviceCardLayout(view, window)
    _surface(stage, "canvas")
    stage.setGeometry(0, 36, 888, 656)
    return view, stage


def record(window: QWidget) -> None:
    """Centre, right panel and timeline of Record in Interact mode."""
    window.resize(1264, 904)
    view, stage = _centre(window, MirrorMode.INTERACT)
    view.set_traces([Trace(Tap(765, 350))])
    task, bar, capture, pill = TaskCard(), KeyBar(), CaptureCard(), CapturePill()
    task.show_task(_TASK, _STATES)
    capture.show_capture(CaptureFacts(10, 23, 310, 180, 0.03, "passwords"))
    pill.show_captured(0.4, 214)
    stage.set_left(task)
    stage.add_right(bar)
    stage.add_right(capture)
    stage.set_pill(pill)
    thumbnails = _thumbnails(window)
    timeline = Timeline(thumbnails, window)
    timeline.setGeometry(0, 692, 888, 212)
    timeline.set_track(step_track("a", sample_steps(), live=True, states=_MARKS), "shop-14 · golden-2 · lin")
    timeline.set_current(9)
    steps = StepListView(thumbnails, window)
    _surface(steps, "panel")
    steps.setGeometry(888, 0, 376, 904)
    steps.rows.set_steps("a", sample_steps())
    steps.rows.set_waiting(True)
    steps.show_step(9)


def aligned(window: QWidget) -> None:
    """The timeline of Review with three trajectories."""
    window.resize(1200, 440)
    timeline = AlignedTimeline(_thumbnails(window), window)
    timeline.setGeometry(0, 0, 1200, 440)
    names = (
        ("Golden", "lin", "success"),
        ("Baseline", "UI-TARS", "success"),
        ("Interrupted", "UI-TARS", "failure"),
    )
    reached = (4, 3, None)
    sides = [
        TrackSide(name, *(name, about, verdict), states=(StateMoment("in", "Signed in", step),))
        for (name, about, verdict), step in zip(names, reached, strict=True)
    ]
    timeline.set_track(aligned_track(three_aligned(), sides), "3 trajectories aligned by screen and action")
    timeline.set_current(3)


def inspect(window: QWidget) -> None:
    """Inspect mode with stack menu, pointer card and tree panel."""
    window.resize(1288, 940)
    view, stage = _centre(window, MirrorMode.INSPECT)
    pointer = PointerCard()
    stage.add_corner(pointer)
    tree = view.selection.tree
    assert tree is not None
    title = next(node for node in tree if node.short_id == "title")
    pointer.show_pointer(Point(596, 640), title, 480)
    panel = TreePanel(view.selection, window)
    _surface(panel, "panel")
    panel.setGeometry(888, 0, 400, 940)
    panel.set_freshness(0.3, fresh=True)
    view.selection.select(title)
    window.show()
    view.open_stack_menu(QPointF(*view.transform.to_view(Point(596, 640))))


def overlays(window: QWidget) -> None:
    """Every kind of highlight, and the HUD."""
    window.resize(888, 692)
    view, stage = _centre(window, MirrorMode.INSPECT)
    hud = Hud()
    hud.show_figures(MirrorFigures(59.8, 1.4, 2.1, 0.4, 0, 12, 0.3))
    stage.add_corner(hud)
    view.set_overlay(Overlay.NODES, False)
    view.set_overlay(Overlay.RULES | Overlay.STATES, True)
    view.set_marks(
        Overlay.RULES,
        [
            Highlight(Rect(50, 300, 530, 400), HighlightStyle.HIT, "✓ Price: low to high"),
            Highlight(Rect(342, 924, 858, 984), HighlightStyle.MISS, "wanted In stock, found Sold out"),
            Highlight(Rect(40, 1500, 1040, 1800), HighlightStyle.INJECTED, "injected"),
        ],
    )
    view.set_marks(Overlay.STATES, [Highlight(Rect(50, 450, 500, 530), HighlightStyle.STATE)])
    view.set_target(Rect(890, 650, 1020, 780))
    view.set_traces(
        [
            Trace(Swipe(200, 2200, 300, 1300, 500)),
            Trace(Tap(700, 2000), TraceMark.GOLDEN),
            Trace(Tap(860, 2100), TraceMark.AGENT),
            Trace(Tap(900, 1400), TraceMark.NEXT),
        ]
    )


def secure(window: QWidget) -> None:
    """A secure window that hides its pixels, inspected by its tree."""
    window.resize(888, 692)
    view, _stage = _centre(window, MirrorMode.INSPECT)
    view.show_frame(sample_frame(secure=True))
    tree = view.selection.tree
    assert tree is not None
    view.selection.hover(next(node for node in tree if node.short_id == "chip_filter"))


SCENES: dict[str, Callable[[QWidget], None]] = {
    "record": record,
    "inspect": inspect,
    "overlays": overlays,
    "secure": secure,
    "aligned": aligned,
}


def render(scene: str, app: QApplication) -> QImage:
    """Render one scene after its events are processed."""
    window = QWidget()
    _surface(window, "panel")
    SCENES[scene](window)
    window.show()
    for panel in window.findChildren(TreePanel):
        while panel.selection.selected is not None and not panel.selectors.entries:
            QTest.qWait(10)
        panel.selectors.choose(0)
    for _round in range(6):
        app.processEvents()
    return window.grab().toImage()


def main() -> None:
    """Write one PNG per scene."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--scheme", default="dark")
    parser.add_argument("--language", default="en")
    chosen = parser.parse_args()
    use_language(chosen.language, asset("translations"))
    app = QApplication([])
    theme.install(app, chosen.scheme, motion=False)
    chosen.folder.mkdir(parents=True, exist_ok=True)
    for scene in SCENES:
        render(scene, app).save(str(chosen.folder / f"{scene}-{chosen.scheme}-{chosen.language}.png"))


if __name__ == "__main__":
    main()
