"""A phone without a mouse: arrow keys move a cursor on the screen, Enter touches, and nothing else does."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPointF, QRect, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from collector.model.geometry import Point, Size
from collector.model.phone.touch import TouchAction
from studio.widgets.device_view.timed_touch import LONG_PRESS_MS
from studio.widgets.device_view.touch_targets import Direction, swipe_between
from studio.widgets.device_view.view import DeviceView, MirrorMode
from studio.widgets.device_view.view_frame import ViewFrame
from tests.helpers.sample_screen import SCREEN, sample_image, sample_tree

SHIFT, CTRL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier
DOWN, MOVE, UP = TouchAction.DOWN, TouchAction.MOVE, TouchAction.UP


@pytest.fixture
def view(hosted):
    view = hosted(DeviceView(), 700, 900)
    view.show_frame(ViewFrame(sample_image(Size(540, 1200)), SCREEN))
    view.selection.set_tree(sample_tree())
    view.setFocus()
    return view


@pytest.fixture
def touches(view):
    events = []
    view.pointer.connect(events.append)
    return events


def press(view, *keys, modifiers=Qt.KeyboardModifier.NoModifier):
    for key in keys:
        QTest.keyClick(view, key, modifiers)


def on(view):
    node = view.selection.selected
    return node.label or node.short_id


def held(view, key, text=""):
    """The key repeats while it is held."""
    event = QKeyEvent(QEvent.Type.KeyPress, key, Qt.KeyboardModifier.NoModifier, text, True)
    QApplication.sendEvent(view, event)


def test_arrows_go_from_node_to_node_and_enter_taps_where_the_cursor_is(view, touches):
    press(view, Qt.Key.Key_Return)
    assert (on(view), touches) == ("Back", []), "the first Enter shows the cursor and touches nothing"
    for key, name in (
        (Qt.Key.Key_Right, "poster"), (Qt.Key.Key_Right, "Cart"), (Qt.Key.Key_Right, "Cart"),
        (Qt.Key.Key_Down, "Filter"), (Qt.Key.Key_Left, "Price: low to high"),
    ):  # fmt: skip
        press(view, key)
        assert on(view) == name
    assert touches == []
    assert "Price: low to high" in view.accessibleDescription()
    press(view, Qt.Key.Key_Return)
    assert [(event.action, event.position.point) for event in touches] == [
        (DOWN, Point(290, 350)), (UP, Point(290, 350)),
    ]  # fmt: skip
    held(view, Qt.Key.Key_Return)
    assert len(touches) == 2


def test_control_moves_a_little_shift_presses_long_or_swipes_and_esc_hides(view, touches, qtbot):
    press(view, Qt.Key.Key_Right)
    start = view.touch_cursor.point
    press(view, Qt.Key.Key_Down, modifiers=CTRL)
    assert view.touch_cursor.point.x == start.x
    assert 0 < view.touch_cursor.point.y - start.y < 60
    press(view, Qt.Key.Key_Return, modifiers=SHIFT)
    qtbot.waitUntil(lambda: not view.touch_cursor.finger.is_down)
    assert [event.action for event in touches] == [DOWN, UP]
    assert touches[1].time_ns - touches[0].time_ns >= (LONG_PRESS_MS - 1) * 1e6
    touches.clear()
    press(view, Qt.Key.Key_Up, modifiers=SHIFT)
    press(view, Qt.Key.Key_Left, modifiers=SHIFT)
    qtbot.waitUntil(lambda: not view.touch_cursor.finger.is_down)
    assert {event.action for event in touches[1:-1]} == {MOVE}
    first, last = touches[0].position.point, touches[-1].position.point
    assert first.x == last.x
    assert first.y - last.y > SCREEN.height / 3, "the second gesture waited for none"
    press(view, Qt.Key.Key_Escape)
    assert view.touch_cursor.point is None


def test_a_swipe_is_as_long_at_the_edge_and_stays_on_the_screen():
    for direction in Direction:
        start, end = (each.point for each in swipe_between(Point(2, 2390), SCREEN, direction))
        across, down = direction.value
        assert ((end.x - start.x) * across > SCREEN.width * 0.35) == bool(across)
        assert ((end.y - start.y) * down > SCREEN.height * 0.35) == bool(down)
        assert all(0 < each.x < SCREEN.width and 0 < each.y < SCREEN.height for each in (start, end))


def test_the_cursor_is_seen_only_while_keys_move_it(view):
    place = QRect(0, 0, 40, 40)
    press(view, Qt.Key.Key_Right)
    place.moveCenter(QPointF(*view.transform.to_view(view.touch_cursor.point)).toPoint())
    view.selection.select(None)
    shown = view.grab(place).toImage()
    view.set_mode(MirrorMode.INSPECT)
    assert view.grab(place).toImage() != shown
    view.set_mode(MirrorMode.INTERACT)
    assert view.grab(place).toImage() == shown
    view.take_keyboard()
    assert view.touch_cursor.point is None


def test_a_held_key_that_gave_the_phone_the_keyboard_types_nothing(view, qtbot):
    typed, pressed = [], []
    view.text_committed.connect(typed.append)
    view.key_pressed.connect(pressed.append)
    view.take_keyboard()
    held(view, Qt.Key.Key_K, "k")
    held(view, Qt.Key.Key_Return)
    assert (typed, pressed) == ([], [])
    QTest.keyClicks(view, "k")
    held(view, Qt.Key.Key_K, "k")
    assert typed == ["k", "k"]
    press(view, Qt.Key.Key_Escape)
    view.take_keyboard()
    held(view, Qt.Key.Key_K, "k")
    assert typed == ["k", "k"]
