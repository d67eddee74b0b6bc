"""Trajectories side by side: one cursor, a range, the clock, zoom from all steps to one, and previews."""

import itertools
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QImage, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from studio.theme import theme
from studio.widgets.painting import text_width
from studio.widgets.thumbnail_cache import ThumbnailCache
from studio.widgets.timeline.aligned_timeline import AlignedTimeline
from studio.widgets.timeline.aligned_track import StateMoment, TrackSide, aligned_track
from studio.widgets.timeline.axis import TimeAxis
from studio.widgets.timeline.lanes import SlotKind, Track
from studio.widgets.timeline.sizes import ALIGNED_SIZES, RULER
from tests.helpers.aligned_steps import SLOTS, aligned_of, three_aligned
from tests.helpers.sample_steps import many_steps, sample_steps

LEFT = Qt.MouseButton.LeftButton
GUTTER = ALIGNED_SIZES.gutter
SIDES = [
    TrackSide("a", "Golden", "lin", "success", states=(StateMoment("in", "Signed in", 4),)),
    TrackSide("b", "Baseline", "replay", "success"),
    TrackSide("c", "Interrupted", "replay", "failure", states=(StateMoment("in", "Signed in", None),)),
]


class Bench:
    """A timeline of three trajectories, and what it emitted."""

    def __init__(self, timeline, thumbnails):
        self.timeline, self.canvas, self.thumbnails = timeline, timeline.canvas, thumbnails
        self.view = timeline.canvas.viewport()
        self.chosen, self.ranges, self.requested, self.other = [], [], [], []
        timeline.slot_chosen.connect(self.chosen.append)
        timeline.range_chosen.connect(self.ranges.append)
        thumbnails.requested.connect(self.requested.append)
        for signal in (timeline.loop_changed, timeline.axis_changed, timeline.speed_changed):
            signal.connect(self.other.append)
        timeline.next_difference_asked.connect(lambda: self.other.append("next difference"))

    def on_ruler(self, slot):
        return QPoint(self.canvas.grid().middle(slot), 8)

    def on_thumb(self, slot, group):
        return QPoint(self.canvas.grid(group).middle(slot), self.canvas.view.film_top(group) + 30)

    def image(self):
        return self.view.grab().toImage()

    def drag(self, first, last):
        QTest.mousePress(self.view, LEFT, pos=self.on_ruler(first))
        QTest.mouseMove(self.view, self.on_ruler(last))
        QTest.mouseRelease(self.view, LEFT, pos=self.on_ruler(last))


@pytest.fixture
def bench(hosted):
    thumbnails = ThumbnailCache()
    bench = Bench(hosted(AlignedTimeline(thumbnails), 1264, 440), thumbnails)
    bench.timeline.set_track(aligned_track(three_aligned(), SIDES), "3 trajectories aligned")
    return bench


def long_track(count=3000, sides=2):
    """Many steps, with all that a lane can have."""
    steps = many_steps(count)
    slots = [(step,) * sides for step in range(count)]
    shown = [replace(SIDES[0], key=str(side), states=()) for side in range(sides)]
    return aligned_track(aligned_of(slots, [steps] * sides), shown)


def test_one_cursor_goes_through_all_trajectories(bench, dressed):
    QTest.mouseClick(bench.view, LEFT, pos=bench.on_thumb(5, 2))
    assert bench.chosen == [5]
    image, x = bench.image(), bench.canvas.grid().middle(5)
    accent = dressed.color("accent").name()
    tops = [bench.canvas.view.film_top(group) for group in range(3)]
    for y in (RULER - 4, *(top + 3 for top in tops), *(top + ALIGNED_SIZES.film + 2 for top in tops)):
        assert image.pixelColor(x, y).name() == accent
    ground = image.pixelColor(bench.canvas.grid().x(5) + 3, tops[1] + ALIGNED_SIZES.film + 2)
    beside = image.pixelColor(bench.canvas.grid().x(6) + 3, tops[1] + ALIGNED_SIZES.film + 2)
    assert beside.name() == dressed.color("bg-1").name() != ground.name()


def test_the_divergence_is_a_dashed_line_with_a_label_that_goes_there(bench, dressed):
    image, x = bench.image(), bench.canvas.grid().x(3)
    column = [image.pixelColor(x, y).name() for y in range(RULER, image.height() - 1)]
    assert dressed.color("warn").name() in column
    assert column.count(dressed.color("warn").name()) < len(column)
    flag = bench.canvas.view.divergence_flag
    QTest.mouseClick(bench.view, LEFT, pos=flag.box.center())
    QTest.keyClick(bench.canvas, Qt.Key.Key_End)
    QTest.keyClick(bench.canvas, Qt.Key.Key_Home)
    QTest.keyClick(bench.canvas, Qt.Key.Key_Left, Qt.KeyboardModifier.ShiftModifier)
    assert bench.chosen == [3, 9, 3, 0]


def labels_on_the_ruler(bench):
    """The x of each number or time on the ruler."""
    view, grid = bench.canvas.view, bench.canvas.grid()
    if view.grids.axis is TimeAxis.CLOCK:
        return [range(x + 4, x + 4 + text_width(text)) for x, text in view.clock_labels(range(GUTTER, 1264))]
    places = [
        (slot, view.slot_label(slot)) for slot in view.labelled_slots(range(view.track.count)) if slot >= 0
    ]
    lefts = [(grid.x(slot) + grid.inset, text) for slot, text in places if text]
    return [range(left, left + text_width(text, "name")) for left, text in lefts]


@pytest.mark.parametrize("axis", TimeAxis)
def test_the_flag_of_the_divergence_covers_no_number_at_any_zoom(bench, axis):
    view = bench.canvas.view
    bench.timeline.set_track(replace(long_track(300), divergence=137))
    bench.canvas.set_axis(axis)
    forms = []
    for width in (4, 5, 7, 9, 12, 16, 19, 20, 24, 28, 36, 58, 90, 300):
        view.width, view.across = width, max(0, 137 * width - 500)
        flag, start = view.divergence_flag, bench.canvas.grid(1).x(137)
        forms.append(flag and (flag.has_icon, flag.has_words, flag.key))
        if flag is not None:
            assert start - 3 <= flag.box.left() < start + 60
            shown = range(flag.box.left(), flag.box.right() + 1)
            labels = labels_on_the_ruler(bench)
            covered = [x for x in labels if x.start < shown.stop and shown.start < x.stop]
            # Only the number of its own slot may stand in the flag, and then as a whole.
            assert not covered or (not flag.has_icon and covered == [range(shown.start + 3, shown.stop - 3)])
            assert bench.canvas.view.tip_at(flag.box.center()).startswith("First divergence")
    assert (True, False, "") in forms
    assert axis is not TimeAxis.STEP or {(True, True, "Home"), (False, False, "")} < set(forms)


def test_the_next_difference_is_found_from_the_cursor_and_round_again(bench):
    assert bench.timeline.header.differences.text() == "3 differences"
    QTest.mouseClick(bench.timeline.header.next_difference, LEFT)
    assert bench.other == ["next difference"]
    for _press in range(4):
        bench.canvas.choose(bench.timeline.next_difference())
    assert bench.chosen == [3, 6, 9, 3]
    words = bench.canvas.accessibleDescription()
    assert words.startswith(f"Slot 4 of {len(SLOTS)}. A: no step. B: no step. C: step 4, Tap 'Continue'")
    assert words.endswith("battery_low inject answer")
    alone = aligned_track(aligned_of([(0,), (1,)], [sample_steps()[:2]]), SIDES[:1])
    bench.timeline.set_track(alone)
    bench.timeline.resize(1200, 440)
    head = bench.timeline.header
    assert not head.next_difference.isVisible()
    assert not head.differences.isVisible()
    assert bench.timeline.next_difference() is None


def test_a_drag_on_the_ruler_selects_a_range_and_escape_clears_it(bench):
    bench.drag(2, 5)
    assert bench.canvas.selected == range(2, 6)
    assert bench.ranges[-1] == range(2, 6)
    assert bench.chosen == []
    assert bench.canvas.accessibleDescription().endswith("Range: 3 to 6")
    bench.drag(5, 7)
    assert bench.canvas.selected == range(2, 8)
    QTest.mouseClick(bench.view, LEFT, pos=bench.on_ruler(8))
    assert bench.chosen == [8]
    QTest.keyClick(bench.canvas, Qt.Key.Key_Escape)
    assert bench.canvas.selected is None
    assert bench.ranges[-1] is None
    QTest.mousePress(bench.view, LEFT, pos=bench.on_thumb(1, 0))
    QTest.mouseMove(bench.view, bench.on_thumb(2, 0))
    QTest.mouseRelease(bench.view, LEFT, pos=bench.on_thumb(2, 0))
    assert bench.canvas.selected is None
    assert bench.chosen[-2:] == [1, 2]


def test_a_drag_beyond_the_edge_scrolls_to_what_it_selects(bench):
    bench.timeline.set_track(long_track(200))
    QTest.mousePress(bench.view, LEFT, pos=bench.on_ruler(2))
    for _move in range(5):
        QTest.mouseMove(bench.view, QPoint(bench.view.width() + 200, 8))
    assert bench.canvas.horizontalScrollBar().value() > 0
    assert bench.canvas.selected.stop > 24
    QTest.mouseRelease(bench.view, LEFT, pos=QPoint(bench.view.width() + 200, 8))


def test_a_range_begins_and_ends_at_the_cursor(bench):
    for slot, act in ((3, "begin"), (6, "end"), (8, "begin"), (2, "end"), (1, "begin")):
        bench.timeline.set_current(slot)
        getattr(bench.timeline, f"{act}_range")()
    assert bench.ranges == [range(3, 4), range(3, 7), range(8, 9), range(2, 3), range(1, 3)]


def test_a_range_set_from_outside_is_not_reported_and_ends_with_its_slots(bench):
    bench.timeline.set_range(range(8, 10))
    bench.timeline.set_track(aligned_track(three_aligned(), SIDES))
    assert bench.canvas.selected == range(8, 10)
    short = aligned_track(aligned_of([(0,), (1,)], [sample_steps()[:2]]), SIDES[:1])
    bench.timeline.set_track(short)
    assert bench.canvas.selected is None
    assert bench.ranges == []


def test_playing_stays_in_the_range_and_loops(bench, qtbot):
    bench.timeline.set_track(replace(bench.canvas.track, gap_ms=lambda _slot: 1))
    playing = []
    bench.timeline.playing_changed.connect(playing.append)
    bench.timeline.set_speed(8)
    bench.timeline.set_range(range(4, 6))
    bench.timeline.toggle_play()
    qtbot.waitUntil(lambda: not bench.timeline.is_playing)
    assert bench.chosen == [4, 5]
    QTest.mouseClick(bench.timeline.header.loop, LEFT)
    bench.timeline.toggle_play()
    qtbot.waitUntil(lambda: len(bench.chosen) >= 7)
    bench.timeline.toggle_play()
    assert playing == [True, False, True, False]
    assert bench.chosen[2:7] == [4, 5, 4, 5, 4]
    assert bench.other == [8, True]
    with pytest.raises(ValueError, match="no speed"):
        bench.timeline.set_speed(3)


def test_the_menu_of_speeds_has_them_all(bench):
    menu = bench.timeline.speed_menu()
    assert [action.text() for action in menu.actions()] == ["0.5x", "1x", "2x", "4x", "8x"]
    menu.actions()[3].trigger()
    assert bench.timeline.speed == 4
    assert bench.other == [4]
    menu.deleteLater()


def test_by_the_clock_steps_lie_at_their_times(bench):
    head = bench.timeline.header
    QTest.mouseClick(head.axis, LEFT, pos=QPoint(head.axis.width() - 12, 10))
    assert bench.other == ["clock"]
    assert bench.canvas.axis is TimeAxis.CLOCK
    golden, interrupted = bench.canvas.grid(0), bench.canvas.grid(2)
    steps = sample_steps()
    assert golden.x(5) - golden.x(0) == pytest.approx(steps[3].t_ms * golden.per_ms, abs=1)
    assert interrupted.x(5) - interrupted.x(0) == pytest.approx(steps[5].t_ms * golden.per_ms, abs=1)
    QTest.mouseClick(bench.view, LEFT, pos=bench.on_thumb(4, 2))
    assert bench.chosen == [4]
    menu = bench.timeline.lanes_menu()
    menu.actions()[-1].trigger()
    assert bench.canvas.axis is TimeAxis.COMMON_CLOCK
    assert [bench.canvas.grid(group).x(7) for group in (1, 2)] == [bench.canvas.grid(0).x(7)] * 2
    assert not bench.image().isNull()
    bench.timeline.set_axis(TimeAxis.STEP)
    assert head.axis.current == "step"
    menu.deleteLater()


def test_by_the_clock_the_thumbnail_on_show_is_the_one_chosen(bench):
    """And not a step just after it that has no room for its own."""
    steps = [replace(step, t_ms=10 * step.index) for step in many_steps(40)]
    slots = [(step,) for step in range(40)]
    bench.timeline.set_track(aligned_track(aligned_of(slots, [steps]), SIDES[:1]))
    bench.timeline.set_axis(TimeAxis.CLOCK)
    bench.canvas.set_slot_width(ALIGNED_SIZES.least_slot * 2)
    grid = bench.canvas.grid()
    shown = [slot for slot in range(1, 40) if grid.has_thumb(slot)]
    assert len(shown) < 20
    at = QPoint(grid.x(shown[1]) + ALIGNED_SIZES.thumb_width - 2, bench.canvas.view.film_top(0) + 30)
    assert grid.slot_at(at.x()) > shown[1]
    QTest.mouseClick(bench.view, LEFT, pos=at)
    assert bench.chosen == [shown[1]]


def test_without_times_there_is_no_clock(bench):
    timeless = [replace(step, t_ms=0) for step in sample_steps()[:3]]
    bench.timeline.set_axis(TimeAxis.CLOCK)
    bench.timeline.set_track(aligned_track(aligned_of([(0,), (1,), (2,)], [timeless]), SIDES[:1]))
    assert bench.canvas.axis is TimeAxis.STEP
    assert not bench.timeline.header.axis.isEnabled()
    bench.timeline.set_track(aligned_track(three_aligned(), SIDES))
    assert bench.canvas.axis is TimeAxis.CLOCK
    assert bench.timeline.header.axis.current == "clock"


def test_zooming_with_the_wheel_keeps_what_is_under_the_pointer(bench):
    bench.timeline.set_track(long_track(500))
    bench.timeline.set_current(100)
    at = bench.on_thumb(103, 0)
    place = bench.canvas.grid().x(103) - at.x()
    for turn in (120, 120, -120, -120, -120):
        wheel = QWheelEvent(
            QPointF(at), QPointF(bench.view.mapToGlobal(at)), QPoint(), QPoint(0, turn),
            Qt.MouseButton.NoButton, Qt.KeyboardModifier.ControlModifier, Qt.ScrollPhase.NoScrollPhase, False,
        )  # fmt: skip
        before = bench.canvas.slot_width
        QApplication.sendEvent(bench.view, wheel)
        assert (bench.canvas.slot_width > before) == (turn > 0)
        assert bench.canvas.view.slot_at(at) == 103
        assert abs(bench.canvas.grid().x(103) - at.x()) <= abs(place) * 2 + 3


def test_all_steps_fit_in_sight_without_a_thumbnail(bench):
    bench.timeline.set_track(long_track())
    bench.image()
    bench.requested.clear()
    QTest.mouseClick(bench.timeline.header.fit, LEFT)
    grid = bench.canvas.grid()
    assert grid.x(0) >= GUTTER
    assert grid.x(2_999) < bench.view.width()
    assert not bench.image().isNull()
    assert bench.requested == []
    for _press in range(60):
        bench.timeline.wider()
    assert bench.canvas.slot_width == ALIGNED_SIZES.most_slot
    assert bench.timeline.header.zoom.value() == bench.timeline.header.zoom.maximum()
    bench.timeline.set_current(1500)
    bench.image()
    assert 0 < len(bench.requested) < 60
    bench.timeline.header.zoom.setValue(0)
    assert bench.canvas.slot_width == ALIGNED_SIZES.least_slot


def test_painted_lanes_are_as_if_painted_anew(bench):
    """Whatever was scrolled, zoomed and chosen before."""
    pictures = {}
    bench.thumbnails.requested.connect(lambda key: pictures.setdefault(key))
    bench.timeline.set_track(long_track(300))
    for slot, zoom in ((0, 58), (30, 58), (27, 58), (200, 40), (196, 9)):
        bench.canvas.set_slot_width(zoom)
        bench.timeline.set_current(slot)
        bench.image()
        for key in [key for key, delivered in pictures.items() if delivered is None]:
            picture = QImage(54, 120, QImage.Format.Format_RGB32)
            picture.fill(QColor.fromHsv(hash(key) % 360, 200, 200))
            pictures[key] = picture
            bench.thumbnails.deliver(key, picture)
        kept = bench.image()
        theme.changed.emit()  # paints everything anew
        assert kept == bench.image(), (slot, zoom)
    bench.timeline.set_axis(TimeAxis.CLOCK)
    bench.timeline.set_current(240)
    kept = bench.image()
    theme.changed.emit()  # paints everything anew
    assert kept == bench.image()


def test_what_a_filter_leaves_out_is_dimmed_and_bookmarks_stand_on_the_ruler(bench, dressed):
    def brightness(slot):
        image, at = bench.image(), bench.on_thumb(slot, 0)
        return image.pixelColor(at + QPoint(3, 0)).lightness()

    before = brightness(1), brightness(2)
    bench.timeline.set_matching([2])
    assert brightness(1) != before[0]
    assert brightness(2) == before[1]
    bench.timeline.set_matching(None)
    assert (brightness(1), brightness(2)) == before

    def marked(slot):
        return bench.image().pixelColor(bench.canvas.grid().middle(slot), 2).name()

    unmarked = marked(7)
    bench.timeline.set_bookmarks({7: "Look here"})
    assert marked(7) == dressed.color("info").name() != unmarked
    assert bench.canvas.view.tip_at(bench.on_ruler(7)) == "Look here"
    assert bench.canvas.view.tip_at(bench.on_ruler(3)).startswith(
        "First divergence\nC: 2 steps under the anomaly"
    )


def test_lanes_that_do_not_fit_scroll_below_the_ruler(bench):
    bench.timeline.resize(1264, 220)
    down = bench.canvas.verticalScrollBar()
    assert down.maximum() > 0
    ruler = bench.image().copy(0, 0, 900, RULER)
    top = bench.canvas.view.film_top(1)
    wheel = QWheelEvent(
        QPointF(400, 100), QPointF(400, 100), QPoint(), QPoint(0, -120), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(bench.view, wheel)
    assert bench.canvas.view.film_top(1) < top
    assert bench.image().copy(0, 0, 900, RULER) == ruler
    QTest.mouseClick(bench.view, LEFT, pos=bench.on_thumb(4, 2))
    assert bench.chosen == [4]


def test_the_cursor_stays_in_sight_when_the_timeline_gets_narrower(bench):
    bench.timeline.set_track(long_track(200))
    bench.timeline.set_current(100)
    bench.timeline.resize(900, 440)
    assert bench.canvas.grid().x(101) <= bench.view.width()
    bench.canvas.horizontalScrollBar().setValue(0)
    bench.timeline.resize(800, 440)
    assert bench.canvas.horizontalScrollBar().value() == 0


def test_a_lane_hides_in_all_trajectories(bench):
    before = [lane.title for lane in bench.canvas.lanes()]
    assert before.count("Actions") == 3
    menu = bench.timeline.lanes_menu()
    next(action for action in menu.actions() if action.text() == "Actions").trigger()
    assert [lane.title for lane in bench.canvas.lanes()] == [name for name in before if name != "Actions"]
    menu.deleteLater()


def test_resting_on_a_thumbnail_previews_it_without_taking_the_focus(bench, qtbot):
    asked = []
    bench.timeline.preview_asked.connect(asked.append)
    bench.canvas.setFocus()
    preview = bench.timeline.preview
    QTest.mouseMove(bench.view, bench.on_thumb(5, 2))
    qtbot.waitUntil(preview.isVisible)
    assert preview.key == ("c", "states/0005.png")
    assert asked == [preview.key]
    assert QApplication.focusWidget() is bench.canvas
    assert preview.parentWidget() is bench.timeline.window()
    assert preview.parentWidget().rect().contains(preview.geometry())
    sharp = QImage(300, 660, QImage.Format.Format_RGB32)
    sharp.fill(Qt.GlobalColor.red)
    bench.timeline.show_preview(("c", "states/0001.png"), sharp)
    middle = preview.rect().center()
    assert preview.grab().toImage().pixelColor(middle).name() == theme.color("bg-3").name()
    bench.timeline.show_preview(preview.key, sharp)
    assert preview.grab().toImage().pixelColor(middle) == QColor("red")
    QTest.mouseMove(bench.view, bench.on_thumb(3, 0))
    assert bench.canvas.view.film_slot(3, 0).kind is SlotKind.GAP
    assert not preview.isVisible()
    QTest.mouseMove(bench.view, bench.on_thumb(1, 0))
    QTest.mouseClick(bench.view, LEFT, pos=bench.on_thumb(1, 0))
    assert bench.chosen == [1]
    assert not preview.isVisible()


def test_the_header_leaves_out_what_has_no_room(bench):
    head = bench.timeline.header
    row = head.layout()
    shown = [row.itemAt(place).widget() for place in range(row.count())]
    for width in (520, 760, 980, 1264):
        bench.timeline.resize(width, 440)
        boxes = [widget.geometry() for widget in shown if widget is not None and widget.isVisible()]
        assert all(first.right() < after.left() for first, after in itertools.pairwise(boxes)), width
        assert boxes[-1].right() < width
        assert head.play.isVisible()
        assert head.next_difference.is_compact == (width < 980)


def test_an_empty_timeline_takes_no_harm(bench):
    for track in (Track(), aligned_track(aligned_of((), [[]]), SIDES[:1])):
        bench.timeline.set_track(track)
        bench.drag(0, 3)
        QTest.mouseMove(bench.view, QPoint(400, 60))
        for key in (Qt.Key.Key_Right, Qt.Key.Key_Home, Qt.Key.Key_Escape, Qt.Key.Key_Space):
            QTest.keyClick(bench.canvas, key)
        bench.timeline.set_axis(TimeAxis.CLOCK)
        bench.canvas.fit_all()
        bench.timeline.set_matching([])
        assert not bench.image().isNull()
    assert bench.canvas.current == -1
    assert bench.chosen == []
    assert bench.ranges == []
