"""Pointer events become the gesture a person meant, on every density."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collector.hierarchy.captions import caption
from collector.model.action import (
    Action,
    DoubleTap,
    Drag,
    LongPress,
    Pinch,
    Swipe,
    Tap,
    action_from_dict,
    action_to_dict,
)
from collector.model.geometry import Point
from collector.model.phone.touch import TouchAction
from collector.recorder.gestures import GestureClassifier

MS = 1_000_000
DOWN, MOVE, UP, CANCEL = TouchAction.DOWN, TouchAction.MOVE, TouchAction.UP, TouchAction.CANCEL
Event = tuple[TouchAction, int, int, int, int]


def classify(events: list[Event], density: int = 160) -> list[Action]:
    """Feed ``(action, pointer, x, y, ms)`` events, then let the double-tap time pass."""
    classifier = GestureClassifier(density)
    gestures = []
    for action, pointer, x, y, ms in events:
        gestures += classifier.feed(action, pointer, Point(x, y), ms * MS)
    gestures += classifier.tick(10**15)
    assert classifier.deadline_ns is None
    return [gesture.action for gesture in gestures]


def tap(ms: int, x: int = 100, y: int = 100, lasting: int = 60) -> list[Event]:
    return [(DOWN, 0, x, y, ms), (UP, 0, x, y, ms + lasting)]


def stroke(hold: int, x2: int = 100, y2: int = 500) -> list[Event]:
    steps = [
        (MOVE, 0, 100 + (x2 - 100) * i // 10, 100 + (y2 - 100) * i // 10, hold + 20 * i) for i in range(1, 11)
    ]
    return [(DOWN, 0, 100, 100, 0), *steps, (UP, 0, x2, y2, hold + 220)]


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        (tap(0), [Tap(100, 100, 60)]),
        (tap(0, lasting=399), [Tap(100, 100, 399)]),
        (tap(0, lasting=400), [LongPress(100, 100, 400)]),
        (tap(0) + tap(200), [DoubleTap(100, 100)]),
        (tap(0) + tap(200, x=180), [DoubleTap(100, 100)]),
        (tap(0) + tap(360), [DoubleTap(100, 100)]),
        (tap(0) + tap(361), [Tap(100, 100, 60), Tap(100, 100, 60)]),
        (tap(0) + tap(80), [Tap(100, 100, 60), Tap(100, 100, 60)]),
        (tap(0) + tap(200, x=250), [Tap(100, 100, 60), Tap(250, 100, 60)]),
        (tap(0) + tap(200) + tap(400), [DoubleTap(100, 100), Tap(100, 100, 60)]),
        (tap(0) + tap(200, lasting=500), [Tap(100, 100, 60), LongPress(100, 100, 500)]),
        ([(DOWN, 0, 9, 9, 0), (MOVE, 0, 99, 99, 9), (CANCEL, 0, 0, 0, 10)], []),
        ([(UP, 0, 9, 9, 0), (MOVE, 0, 9, 9, 1)], []),
    ],
)
def test_taps_are_told_by_time_and_distance(events: list[Event], expected: list[Action]) -> None:
    assert classify(events) == expected


def test_the_same_distance_is_a_tap_on_a_dense_screen_and_a_swipe_on_a_coarse_one() -> None:
    events: list[Event] = [(DOWN, 0, 100, 100, 0), (MOVE, 0, 116, 100, 50), (UP, 0, 116, 100, 60)]
    assert isinstance(classify(events, density=480)[0], Tap)
    assert isinstance(classify(events, density=160)[0], Swipe)


def test_a_swipe_keeps_its_way() -> None:
    (swipe,) = classify(stroke(0))
    assert isinstance(swipe, Swipe)
    assert (swipe.x1, swipe.y1, swipe.x2, swipe.y2, swipe.duration_ms) == (100, 100, 100, 500, 220)
    assert swipe.path[0] == (0, 100, 100)
    assert swipe.path[-1] == (220, 100, 500)
    assert list(swipe.path) == sorted(swipe.path)


def test_holding_before_moving_drags() -> None:
    assert isinstance(classify(stroke(450))[0], Drag)


def test_a_tap_then_a_swipe_nearby_are_two_gestures() -> None:
    events = tap(0) + [(action, p, x, y, ms + 150) for action, p, x, y, ms in stroke(0)]
    assert [type(action) for action in classify(events)] == [Tap, Swipe]


@pytest.mark.parametrize(("end", "scale"), [(300, 3.0), (120, 0.3)])
def test_two_fingers_apart_or_together_pinch(end: int, scale: float) -> None:
    (pinch,) = classify([
        (DOWN, 0, 100, 100, 0), (DOWN, 1, 200, 100, 5), (MOVE, 1, 100 + end, 100, 90),
        (UP, 1, 100 + (end if scale > 1 else 30), 100, 100), (UP, 0, 100, 100, 110),
    ])  # fmt: skip
    assert isinstance(pinch, Pinch)
    assert (pinch.x, pinch.y, pinch.scale, pinch.duration_ms) == (150, 100, scale, 110)
    assert [(path[0][0], path[-1][0]) for path in pinch.fingers] == [(0, 110), (5, 100)]
    assert pinch.fingers[0][0][1:] == pinch.fingers[0][-1][1:] == (100, 100)


@pytest.mark.parametrize(
    ("moves", "words"),
    [
        ([(0, 100, 100), (1, 200, 100)], "Swipe up with 2 fingers"),
        ([(0, 400, 500), (1, 500, 500)], "Swipe right with 2 fingers"),
        ([(0, 101, 501)], "Tap with 2 fingers"),
        ([(0, 150, 450), (1, 150, 550)], "Turn two fingers clockwise"),
        ([(0, 150, 550), (1, 150, 450)], "Turn two fingers anticlockwise"),
        ([(1, 300, 500)], "Spread two fingers"),
        ([(1, 140, 500)], "Pinch two fingers"),
    ],
)
def test_what_two_fingers_do_is_said_and_kept(moves: list[tuple[int, int, int]], words: str) -> None:
    ends = {0: (100, 500), 1: (200, 500)} | {pointer: (x, y) for pointer, x, y in moves}
    (action,) = classify([
        (DOWN, 0, 100, 500, 0), (DOWN, 1, 200, 500, 5), *((MOVE, p, x, y, 90) for p, x, y in moves),
        (UP, 1, *ends[1], 100), (UP, 0, *ends[0], 110),
    ])  # fmt: skip
    assert isinstance(action, Pinch)
    assert caption(action) == words
    assert [path[-1][1:] for path in action.fingers] == [ends[0], ends[1]]
    assert action_from_dict(action_to_dict(action)) == action


def test_three_fingers_are_three() -> None:
    (action,) = classify([
        *((DOWN, number, 100 * number, 500, number) for number in range(3)),
        *((MOVE, number, 100 * number, 100, 90) for number in range(3)),
        *((UP, number, 100 * number, 100, 100) for number in range(3)),
    ])  # fmt: skip
    assert caption(action) == "Swipe up with 3 fingers"


def test_a_very_long_way_keeps_its_ends_and_few_samples() -> None:
    moves: list[Event] = [(MOVE, 0, i % 1000, i, 10 * i) for i in range(1, 5000)]
    (swipe,) = classify([(DOWN, 0, 0, 0, 0), *moves, (UP, 0, 7, 5000, 60_000)])
    assert isinstance(swipe, Swipe)
    assert len(swipe.path) <= 300
    assert (swipe.path[0], swipe.path[-1]) == ((0, 0, 0), (60_000, 7, 5000))
    gaps = [after[0] - before[0] for before, after in pairwise(swipe.path)]
    assert max(gaps[:-1]) <= 4 * 60_000 / 128, "its beginning is as detailed as its end"


_EVENTS = st.lists(
    st.tuples(
        st.sampled_from([DOWN, MOVE, UP, CANCEL]),
        st.integers(0, 3),
        st.integers(0, 400),
        st.integers(0, 400),
        st.integers(0, 700),
    ),
    max_size=40,
)


@given(_EVENTS, st.sampled_from([120, 160, 420, 640]))
def test_any_stream_gives_gestures_in_order_each_begun_by_a_touch(raw: list[Event], density: int) -> None:
    classifier = GestureClassifier(density)
    gestures, downs, now = [], set(), 0
    for action, pointer, x, y, gap in raw:
        now += gap * MS + 1
        if action is DOWN:
            downs.add(now)
        gestures += classifier.tick(now)
        gestures += classifier.feed(action, pointer, Point(x, y), now)
    gestures += classifier.flush()
    starts = [gesture.started_ns for gesture in gestures]
    assert starts == sorted(starts)
    assert len(set(starts)) == len(starts)
    assert set(starts) <= downs
    assert all(gesture.finished_ns >= gesture.started_ns for gesture in gestures)
