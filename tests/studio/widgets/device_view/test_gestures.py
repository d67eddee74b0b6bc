"""Fingers come off the glass again, swipes are dotted by time, menus keep clear of their node."""

from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, QRect, QSize

from collector.hierarchy.captions import caption
from collector.model.action import Drag, Swipe
from collector.model.geometry import Point, Position, Size
from collector.model.phone.touch import TouchAction
from collector.recorder.gestures import GestureClassifier
from studio.widgets.device_view.mouse_touch import MouseTouch
from studio.widgets.device_view.stack_menu import menu_place
from studio.widgets.device_view.trace_painter import swipe_dots

SCREEN = Size(1080, 2400)
PLACES = st.builds(lambda x, y: Position(Point(x, y), SCREEN), st.integers(0, 1079), st.integers(0, 2399))


@given(st.lists(st.tuples(st.sampled_from(["press", "move", "release", "cancel"]), PLACES, st.booleans())))
def test_every_finger_put_down_is_lifted_once(doings):
    finger = MouseTouch()
    down: set[int] = set()
    events = []
    for doing, place, pinch in doings:
        if doing == "press":
            if not finger.is_down:
                events += finger.press(place, pinch=pinch)
        elif doing == "move":
            events += finger.move(place)
        else:
            events += finger.release(place) if doing == "release" else finger.cancel()
    events += finger.cancel()
    for event in events:
        point = event.position.point
        assert 0 <= point.x < SCREEN.width
        assert 0 <= point.y < SCREEN.height
        if event.action is TouchAction.DOWN:
            assert event.pointer not in down
            down.add(event.pointer)
        else:
            assert event.pointer in down
            if event.action in (TouchAction.UP, TouchAction.CANCEL):
                down.remove(event.pointer)
    assert not down


def test_a_swipe_is_dotted_each_fifty_milliseconds():
    assert swipe_dots(Swipe(0, 0, 300, 600, 150)) == [(0, 0), (100, 200), (200, 400), (300, 600)]


def test_a_swipe_with_its_way_known_follows_it():
    way = ((0, 0, 0), (100, 100, 0), (200, 100, 100))
    assert swipe_dots(Drag(0, 0, 100, 100, 200, way)) == [(0, 0), (50, 0), (100, 0), (100, 50), (100, 100)]


@given(st.integers(1, 5000), st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=6))
def test_any_swipe_ends_where_it_ends(duration, way):
    path = tuple((moment * 40, x, y) for moment, (x, y) in enumerate(way))
    dots = swipe_dots(Swipe(1, 2, 3, 4, duration, path))
    assert dots[-1] == (way[-1] if way else (3, 4))


@given(
    st.integers(0, 1599), st.integers(0, 999), st.integers(0, 60), st.integers(0, 60), st.integers(100, 400)
)
def test_the_menu_stays_in_the_window_and_off_its_node(x, y, left, top, height):
    area, size = QRect(0, 0, 1600, 1000), QSize(320, height)
    node = QRect(x - left, y - top, left + 60, top + 60)
    place = QRect(menu_place(QPoint(x, y), node, size, area), size)
    assert area.contains(place)
    assert not place.intersects(node)


def test_a_pinch_of_the_mouse_is_recorded_with_both_fingers():
    hand, classifier = MouseTouch(), GestureClassifier(160)
    events = hand.press(Position(Point(600, 1200), SCREEN), pinch=True)
    for step in range(1, 6):
        events += hand.move(Position(Point(600 + 40 * step, 1200 + 20 * step), SCREEN))
    events += hand.release(Position(Point(800, 1300), SCREEN))
    gestures = []
    for number, event in enumerate(events):
        gestures += classifier.feed(
            event.action, event.pointer, event.position.point, number // 2 * 16_000_000
        )
    (pinch,) = [gesture.action for gesture in gestures]
    assert caption(pinch) == "Spread two fingers"
    assert [(path[0], path[-1]) for path in pinch.fingers] == [
        ((0, 600, 1200), (96, 800, 1300)), ((0, 479, 1199), (96, 279, 1099))]  # fmt: skip
