"""The timeline: one cursor through all lanes, by mouse, key and button, at any length."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QImage, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from collector.model.geometry import Size
from studio.theme import theme
from studio.widgets.thumbnail_cache import ThumbnailCache
from studio.widgets.timeline import mark_painter
from studio.widgets.timeline.lanes import (
    LaneGroup,
    LaneMark,
    MarkLane,
    MarkPart,
    SlotKind,
    Track,
    state_mark,
    step_track,
)
from studio.widgets.timeline.mark_painter import MarkPainter
from studio.widgets.timeline.sizes import RECORDING_SIZES, RULER
from studio.widgets.timeline.timeline import Timeline
from tests.helpers.sample_steps import many_steps, sample_steps

LEFT = Qt.MouseButton.LeftButton
GUTTER, SLOT = RECORDING_SIZES.gutter, RECORDING_SIZES.slot
FILM_LANE, TEXT_LANE = RECORDING_SIZES.film, RECORDING_SIZES.text
MIN_SLOT, MAX_SLOT = RECORDING_SIZES.least_slot, RECORDING_SIZES.most_slot


class Bench:
    """A timeline and the thumbnails that it requested."""

    def __init__(self, timeline: Timeline, requested: list) -> None:
        self.timeline, self.canvas, self.requested = timeline, timeline.canvas, requested
        self.chosen: list[int] = []
        timeline.slot_chosen.connect(self.chosen.append)

    def at(self, slot: int, y: int = 60) -> QPoint:
        return QPoint(self.canvas.grid().middle(slot), y)

    def ink(self, tone_name: str, x: int, y: int) -> str:
        return self.canvas.viewport().grab().toImage().pixelColor(x, y).name()


@pytest.fixture
def bench(hosted):
    requested = []
    thumbnails = ThumbnailCache()
    thumbnails.requested.connect(requested.append)
    bench = Bench(hosted(Timeline(thumbnails), 1100, 220), requested)
    bench.thumbnails = thumbnails
    bench.timeline.set_track(
        step_track("a", sample_steps(), live=True, states=[state_mark(5, "Signed in")]), "shop-14"
    )
    return bench


def test_a_click_moves_the_cursor_and_says_so(bench):
    QTest.mouseClick(bench.canvas.viewport(), LEFT, pos=bench.at(4))
    assert bench.canvas.current == 4
    assert bench.chosen == [4]


def test_a_drag_scrubs_through_every_slot_it_crosses(bench):
    view = bench.canvas.viewport()
    QTest.mousePress(view, LEFT, pos=bench.at(0, 10))
    for slot in range(1, 8):
        QTest.mouseMove(view, bench.at(slot, 10))
    QTest.mouseRelease(view, LEFT, pos=bench.at(7, 10))
    assert bench.chosen == [1, 2, 3, 4, 5, 6, 7]


def test_the_gutter_is_no_slot(bench):
    bench.timeline.set_current(3)
    QTest.mouseClick(bench.canvas.viewport(), LEFT, pos=QPoint(GUTTER - 10, 60))
    assert bench.chosen == []


@pytest.mark.parametrize(
    ("key", "modifier", "slot"),
    [
        (Qt.Key.Key_Left, Qt.KeyboardModifier.NoModifier, 4),
        (Qt.Key.Key_Right, Qt.KeyboardModifier.NoModifier, 6),
        (Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier, 10),
        (Qt.Key.Key_Home, Qt.KeyboardModifier.NoModifier, 0),
        (Qt.Key.Key_End, Qt.KeyboardModifier.NoModifier, 10),
    ],
)
def test_keys_move_the_cursor(bench, key, modifier, slot):
    bench.timeline.set_current(5)
    QTest.keyClick(bench.canvas, key, modifier)
    assert bench.chosen == [slot]


def test_buttons_move_the_cursor(bench):
    head = bench.timeline.header
    for button in (head.last, head.previous, head.first, head.next):
        QTest.mouseClick(button, LEFT)
    assert bench.chosen == [10, 9, 0, 1]


def test_a_cursor_moved_from_outside_is_shown_and_not_told(bench):
    bench.timeline.set_track(step_track("b", many_steps(500)))
    bench.timeline.set_current(400)
    grid = bench.canvas.grid()
    assert grid.x(400) >= GUTTER
    assert grid.x(401) <= bench.canvas.viewport().width()
    assert bench.chosen == []


def test_the_cursor_goes_through_all_lanes(bench, dressed):
    bench.timeline.set_current(2)
    x = bench.canvas.grid().middle(2)
    image = bench.canvas.viewport().grab().toImage()
    accent = dressed.color("accent").name()
    for y in (RULER - 4, RULER + 50, RULER + 107 + 12, RULER + 107 + 36):
        assert image.pixelColor(x, y).name() == accent


def test_only_pictures_in_sight_are_asked_for(bench):
    bench.requested.clear()
    bench.timeline.set_track(step_track("long", many_steps(10_000)))
    bench.timeline.set_current(5000)
    bench.canvas.viewport().grab()
    assert 0 < len(bench.requested) < 40
    assert any("5000" in str(key) for key in bench.requested)


def test_zooming_keeps_the_cursor_in_place_and_has_ends(bench):
    bench.timeline.set_track(step_track("b", many_steps(300)))
    bench.timeline.set_current(150)
    before = bench.canvas.grid().middle(150)
    QTest.mouseClick(bench.timeline.header.zoom_in, LEFT)
    assert bench.canvas.slot_width > SLOT
    assert abs(bench.canvas.grid().middle(150) - before) <= 2
    assert bench.timeline.header.zoom.value() == bench.canvas.slot_width
    bench.timeline.header.zoom.setValue(MIN_SLOT)
    assert bench.canvas.slot_width == MIN_SLOT
    bench.canvas.set_slot_width(10_000)
    assert bench.canvas.slot_width == MAX_SLOT
    assert not bench.canvas.viewport().grab().isNull()


def test_a_recording_has_neither_range_nor_overview(bench):
    """Its ruler scrubs, its wheel goes along the steps, and its thumbnails stay."""
    bench.timeline.set_track(step_track("b", many_steps(300)))
    bench.timeline.resize(1100, 130)
    assert bench.canvas.verticalScrollBar().maximum() > 0
    wheel = QWheelEvent(
        QPointF(500, 60), QPointF(500, 60), QPoint(), QPoint(0, -240), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(bench.canvas.viewport(), wheel)
    assert bench.canvas.verticalScrollBar().value() == 0
    assert bench.canvas.horizontalScrollBar().value() == 240
    for _press in range(20):
        bench.timeline.narrower()
    assert bench.canvas.slot_width == MIN_SLOT
    assert not bench.canvas.grid().is_overview
    QTest.mousePress(bench.canvas.viewport(), LEFT, pos=bench.at(20, 8))
    QTest.mouseMove(bench.canvas.viewport(), bench.at(22, 8))
    QTest.mouseRelease(bench.canvas.viewport(), LEFT, pos=bench.at(22, 8))
    assert bench.canvas.selected is None
    assert bench.chosen[-2:] == [20, 22]


def test_empty_lanes_hide_and_others_can_be_hidden(bench):
    assert [lane.title for lane in bench.canvas.lanes()] == ["Steps", "Actions", "States"]
    bench.timeline.lanes_menu().actions()[0].trigger()
    assert [lane.title for lane in bench.canvas.lanes()] == ["Steps", "States"]
    bench.timeline.set_track(step_track("b", sample_steps()))
    assert [lane.title for lane in bench.canvas.lanes()] == ["Steps"]


def test_playing_goes_to_the_end_and_stops(bench, qtbot):
    bench.timeline.set_track(step_track("b", sample_steps()[:3]))
    while bench.timeline.speed != 8:
        QTest.mouseClick(bench.timeline.header.speed, LEFT)
    QTest.mouseClick(bench.timeline.header.play, LEFT)
    assert bench.timeline.is_playing
    qtbot.waitUntil(lambda: not bench.timeline.is_playing)
    assert bench.chosen == [1, 2]


def test_pausing_stops_where_it_is(bench):
    bench.timeline.toggle_play()
    bench.timeline.toggle_play()
    assert not bench.timeline.is_playing


def test_an_empty_timeline_takes_no_harm(bench):
    bench.timeline.set_track(Track())
    assert bench.canvas.current == -1
    QTest.mouseClick(bench.canvas.viewport(), LEFT, pos=QPoint(300, 60))
    QTest.keyClick(bench.canvas, Qt.Key.Key_Right)
    bench.timeline.set_current(5)
    assert bench.canvas.current == -1
    assert bench.chosen == []
    assert not bench.canvas.viewport().grab().isNull()


def test_a_growing_recording_keeps_the_cursor(bench):
    bench.timeline.set_current(9)
    bench.timeline.set_track(step_track("a", many_steps(20), live=True))
    assert bench.canvas.current == 9
    assert bench.canvas.accessibleDescription() == "Step 10 of 21"


def accent_rows(bench, slot):
    """Rows of the cursor's line in a slot, by the y of their pixels."""
    image = bench.canvas.viewport().grab().toImage()
    x, accent = bench.canvas.grid().middle(slot), theme.color("accent").name()
    return {y for y in range(RULER, image.height()) if image.pixelColor(x, y).name() == accent}


def test_the_cursor_never_goes_through_words(bench):
    """Its line stops at the lane whose words it would cross, and at the live slot."""
    live = bench.canvas.track.count - 1
    bench.timeline.set_current(live)
    film = range(RULER + 2, RULER + FILM_LANE - 2)
    assert not accent_rows(bench, live) & set(film)
    words = LaneMark(2, "A state with a very long name", "flag", "ok")
    bench.timeline.set_track(step_track("a", sample_steps(), states=[words]), "shop-14")
    bench.timeline.set_current(3)
    states = range(RULER + FILM_LANE + TEXT_LANE, RULER + FILM_LANE + 2 * TEXT_LANE)
    assert accent_rows(bench, 3) & set(film)
    assert not accent_rows(bench, 3) & set(states)


def test_the_words_of_a_bar_lie_inside_it_or_beside_it(bench, monkeypatch):
    painted = []
    mark = MarkPainter.mark

    def note(*arguments, **more):
        painted.append(mark(*arguments, **more))
        return painted[-1]

    monkeypatch.setattr(MarkPainter, "mark", note)
    grid = bench.canvas.grid()
    for bar, inside in ((1, False), (4, True)):
        lane = MarkLane("Anomalies", "zap", [LaneMark(1, "battery_low_double_en", "zap", "warn", bar=bar)])
        bench.timeline.set_track(Track((LaneGroup((*step_track("a", sample_steps()).lanes[:1], lane)),), 10))
        painted.clear()
        bench.canvas.viewport().grab()
        (words,) = set(painted)  # the lane, and the slot of the cursor over it
        end = grid.x(1 + bar)
        assert (words.stop <= end) == inside
        assert inside or words.start + 3 >= end - grid.inset


def test_words_too_long_for_a_bar_and_the_room_beside_it_take_both(bench, monkeypatch):
    painted = []
    part = MarkPainter._part

    def note(marks, brush, room, *more):
        painted.append((room.start, room.stop))
        return part(marks, brush, room, *more)

    monkeypatch.setattr(MarkPainter, "_part", note)
    marks = [
        LaneMark(slot, "battery_low_double_en", "zap", "warn", bar=1, parts=(MarkPart("check"),))
        for slot in (1, 3)
    ]
    lane = MarkLane("Anomalies", "zap", marks)
    bench.timeline.set_track(Track((LaneGroup((*step_track("a", sample_steps()).lanes[:1], lane)),), 10))
    painted.clear()
    bench.canvas.viewport().grab()
    grid = bench.canvas.grid()
    left, right = painted[0]
    assert left == grid.x(1) + grid.inset
    assert right > grid.x(2) + grid.inset
    assert painted[1][1] <= grid.x(3) + grid.inset


def test_a_long_answer_is_cut_before_the_name_of_its_anomaly(bench, monkeypatch):
    shown = []
    cut = mark_painter.elided
    monkeypatch.setattr(mark_painter, "elided", lambda *given: shown.append(cut(*given)) or shown[-1])
    answer = MarkPart("check", "Answered with a very long button text that no bar has the room for")
    name = "battery_low_double_en"
    marks = [
        LaneMark(1, name, "zap", "warn", bar=2, parts=(answer, MarkPart("undo", "undone")), tip=answer.text),
        LaneMark(5, "next", "zap", "warn", bar=1),
    ]
    lane = MarkLane("Anomalies", "zap", marks)
    bench.timeline.set_track(Track((LaneGroup((*step_track("a", sample_steps()).lanes[:1], lane)),), 10))
    bench.canvas.viewport().grab()
    assert shown[0] == name
    assert shown[1].startswith("Answered")
    assert shown[1].endswith("\u2026")


def test_a_pause_has_a_slot_of_its_own(bench):
    bench.timeline.set_track(step_track("a", sample_steps(), live=True, paused=True))
    film = bench.canvas.track.lanes[0]
    assert film.slot(len(sample_steps())).kind is SlotKind.PAUSED


def test_a_landscape_thumbnail_is_whole(bench):
    wide = QImage(400, 180, QImage.Format.Format_RGB32)
    wide.fill(QColor("red"))
    bench.thumbnails.deliver("wide", wide)
    small = bench.thumbnails.pixmap("wide", 43, 96, 1.0).toImage()
    assert small.pixelColor(0, 48).name() == small.pixelColor(42, 48).name() == QColor("red").name()
    assert small.pixelColor(21, 10).alpha() == 0


def test_a_landscape_screen_takes_the_width_of_its_slot(bench):
    requested = []
    pixmap = bench.thumbnails.pixmap
    bench.thumbnails.pixmap = lambda key, width, height, ratio: (
        requested.append((key, width, height)) or pixmap(key, width, height, ratio)
    )
    steps = sample_steps()[:2]
    steps[1] = replace(steps[1], state=replace(steps[1].state, size=Size(1600, 720)))
    bench.timeline.set_track(step_track("wide", steps))
    bench.canvas.viewport().grab()
    sizes = {key[1]: (width, height) for key, width, height in requested}
    portrait, landscape = sizes["states/0000.png"], sizes["states/0001.png"]
    assert portrait[0] < landscape[0] < SLOT
    assert landscape[0] / landscape[1] == pytest.approx(1600 / 720, rel=0.03)
    bench.timeline.canvas.set_slot_width(MAX_SLOT)
    requested.clear()
    bench.canvas.viewport().grab()
    zoomed = next(size for key, *size in requested if key[1] == "states/0001.png")
    assert zoomed[0] > landscape[0]
    assert zoomed[1] < FILM_LANE
