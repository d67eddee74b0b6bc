"""A person's input on the screen of a run becomes actions."""

from __future__ import annotations

from collector.model.action import DoubleTap, Drag, Key, LongPress, Scroll, Swipe, Tap, Type
from collector.model.geometry import Point, Position, Size
from collector.model.phone.touch import TouchAction
from collector.recorder.input_actions import InputActions, estimated_density

SCREEN = Size(1080, 2400)
MS = 1_000_000


def at(x: int, y: int, screen: Size = SCREEN) -> Position:
    return Position(Point(x, y), screen)


def press(actions: InputActions, x: int, y: int, start_ms: int, for_ms: int = 60) -> list:
    done = actions.pointer(TouchAction.DOWN, 0, at(x, y), start_ms * MS)
    return done + actions.pointer(TouchAction.UP, 0, at(x, y), (start_ms + for_ms) * MS)


def test_a_tap_is_sent_once_it_cannot_be_a_double_tap() -> None:
    actions = InputActions(SCREEN)
    assert press(actions, 100, 200, 0) == []
    deadline = actions.deadline_ns
    assert deadline == (60 + 300) * MS
    assert actions.tick(deadline) == []
    assert actions.tick(deadline + 1) == [Tap(100, 200, 60)]
    assert actions.deadline_ns is None
    press(actions, 100, 200, 1000)
    assert press(actions, 104, 203, 1150) == [DoubleTap(100, 200)]


def test_gestures_in_pixels_of_the_screen_of_the_run() -> None:
    actions = InputActions(SCREEN)
    assert press(actions, 100, 200, 0, 600) == [LongPress(100, 200, 600)]
    half = Size(540, 1200)
    actions.pointer(TouchAction.DOWN, 0, at(50, 1000, half), 0)
    actions.pointer(TouchAction.MOVE, 0, at(50, 500, half), 100 * MS)
    (swipe,) = actions.pointer(TouchAction.UP, 0, at(50, 100, half), 200 * MS)
    assert isinstance(swipe, Swipe)
    assert abs(swipe.y1 - 2000) <= 1
    assert abs(swipe.y2 - 200) <= 1
    actions.pointer(TouchAction.DOWN, 0, at(500, 500), 0)
    actions.pointer(TouchAction.MOVE, 0, at(500, 900), 700 * MS)
    (drag,) = actions.pointer(TouchAction.UP, 0, at(500, 900), 800 * MS)
    assert isinstance(drag, Drag)


def test_typing_is_one_action_until_it_pauses() -> None:
    actions = InputActions(SCREEN)
    for number, letter in enumerate("postes"):
        assert actions.text(letter, number * MS) == []
    assert actions.key("delete", 7 * MS) == []
    assert actions.text("r", 8 * MS) == []
    deadline = actions.deadline_ns
    assert actions.tick(deadline - 1) == []
    assert actions.tick(deadline) == [Type("poster", 6)]
    actions.text("你好", 0)
    assert actions.key("enter", MS) == [Type("你好", 2), Key("enter")]
    assert actions.key("delete", 2 * MS) == [Key("delete")]


def test_what_follows_ends_what_waits() -> None:
    actions = InputActions(SCREEN)
    press(actions, 10, 20, 0)
    assert actions.text("a", 100 * MS) == [Tap(10, 20, 60)]
    assert actions.scroll(at(5, 5), 0, -1, 200 * MS) == [Type("a", 1)]
    assert actions.scroll(at(5, 5), 0, -2, 300 * MS) == []
    assert actions.tick(699 * MS) == []
    assert actions.tick(700 * MS) == [Scroll(5, 5, "down")]
    actions.scroll(at(5, 5), 1, 0, 0)
    assert actions.pointer(TouchAction.DOWN, 0, at(1, 1), MS) == [Scroll(5, 5, "right")]
    actions.pointer(TouchAction.CANCEL, 0, at(1, 1), 2 * MS)
    assert actions.flush() == []


def test_density_of_a_screen() -> None:
    assert estimated_density(SCREEN) == 480
    assert estimated_density(Size(2400, 1080)) == 480
    assert estimated_density(Size(320, 640)) == 142
