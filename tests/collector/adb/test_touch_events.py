"""Raw events of every kind of touchscreen become fingers that come down, move and leave."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collector.adb.getevent import InputDevice, RawEvent, parse_devices
from collector.adb.touch_events import TouchReader, on_screen
from collector.model.geometry import Point, Size
from collector.model.phone.touch import TouchAction

_SYN, _KEY, _ABS = 0, 1, 3
_SLOT, _X, _Y, _TRACKING = 0x2F, 0x35, 0x36, 0x39

SCREEN = """add device 1: /dev/input/event4
  name:     "fts_ts"
  events:
    KEY (0001): KEY_WAKEUP            BTN_TOUCH             BTN_TOOL_FINGER
    ABS (0003): ABS_MT_SLOT           : value 0, min 0, max 9, fuzz 0, flat 0, resolution 0
                ABS_MT_POSITION_X     : value 0, min 0, max 4319, fuzz 0, flat 0, resolution 0
                ABS_MT_POSITION_Y     : value 0, min 0, max 9599, fuzz 0, flat 0, resolution 0
                ABS_MT_TRACKING_ID    : value 0, min 0, max 65535, fuzz 0, flat 0, resolution 0
  input props:
    INPUT_PROP_DIRECT
add device 2: /dev/input/event3
  name:     "a touchscreen by name alone"
  events:
    ABS (0003): ABS_MT_POSITION_X     : value 0, min 0, max 99, fuzz 0, flat 0, resolution 0
                ABS_MT_POSITION_Y     : value 0, min 0, max 99, fuzz 0, flat 0, resolution 0
  input props:
    INPUT_PROP_POINTER
add device 3: /dev/input/event0
  name:     "qpnp_pon"
  events:
    KEY (0001): KEY_VOLUMEDOWN        KEY_POWER
  input props:
    <none>
"""


def _fed(reader: TouchReader, *events: tuple[int, int, int]) -> list[tuple[str, int, int, int]]:
    touches = []
    for kind, code, value in events:
        touches += reader.feed(RawEvent("", kind, code, value, None))
    return [(touch.action.name, touch.pointer, touch.x, touch.y) for touch in touches]


_LIFT = (_ABS, _TRACKING, -1)
_REPORT, _MT_REPORT, _DROPPED = (_SYN, 0, 0), (_SYN, 2, 0), (_SYN, 3, 0)


def test_devices_are_known_by_what_they_can_do() -> None:
    screen, pad, keys = parse_devices(SCREEN)
    assert [device.is_touchscreen for device in (screen, pad, keys)] == [True, False, False]
    assert screen.has_slots
    assert screen.axes[_X] == (0, 4319)
    assert keys.keys == {0x72, 0x74}


def test_a_finger_in_a_slot_comes_down_moves_and_leaves() -> None:
    reader = TouchReader()
    assert _fed(reader, (_ABS, _TRACKING, 7), (_ABS, _X, 10), (_ABS, _Y, 20), _REPORT) == [
        ("DOWN", 0, 10, 20)
    ]
    assert _fed(reader, (_ABS, _Y, 25), _REPORT) == [("MOVE", 0, 10, 25)]
    assert _fed(reader, (_ABS, _TRACKING, -1), _REPORT) == [("UP", 0, 10, 25)]


def test_a_finger_that_comes_down_where_the_last_one_left_is_known_by_what_stayed() -> None:
    reader = TouchReader()
    _fed(
        reader, (_ABS, _TRACKING, 1), (_ABS, _X, 10), (_ABS, _Y, 20), _REPORT, (_ABS, _TRACKING, -1), _REPORT
    )
    assert _fed(reader, (_ABS, _TRACKING, 2), (_ABS, _Y, 30), _REPORT) == [("DOWN", 0, 10, 30)]
    assert _fed(reader, (_ABS, _TRACKING, -1), _REPORT, (_ABS, _TRACKING, 3), _REPORT)[-1] == (
        "DOWN",
        0,
        10,
        30,
    )


def test_two_fingers_keep_their_slots() -> None:
    reader = TouchReader()
    both = _fed(
        reader,
        (_ABS, _TRACKING, 1), (_ABS, _X, 1), (_ABS, _Y, 1),
        (_ABS, _SLOT, 1), (_ABS, _TRACKING, 2), (_ABS, _X, 9), (_ABS, _Y, 9), _REPORT,
    )  # fmt: skip
    assert both == [("DOWN", 0, 1, 1), ("DOWN", 1, 9, 9)]
    assert _fed(reader, (_ABS, _SLOT, 0), (_ABS, _TRACKING, -1), _REPORT) == [("UP", 0, 1, 1)]
    assert _fed(reader, (_ABS, _SLOT, 1), (_ABS, _X, 8), _REPORT) == [("MOVE", 1, 8, 9)]


def test_a_finger_replaced_within_a_report_is_two_fingers() -> None:
    reader = TouchReader()
    _fed(reader, (_ABS, _TRACKING, 1), (_ABS, _X, 1), (_ABS, _Y, 1), _REPORT)
    assert _fed(reader, (_ABS, _TRACKING, 2), (_ABS, _X, 5), _REPORT) == [("UP", 0, 1, 1), ("DOWN", 0, 5, 1)]


def test_lost_events_cancel_what_was_under_way_until_the_next_report() -> None:
    reader = TouchReader()
    _fed(reader, (_ABS, _TRACKING, 1), (_ABS, _X, 1), (_ABS, _Y, 1), _REPORT)
    assert _fed(reader, _DROPPED, (_ABS, _X, 50), _REPORT) == [("CANCEL", 0, 1, 1)]
    assert _fed(reader, (_ABS, _X, 60), (_ABS, _TRACKING, -1), _REPORT) == []
    assert _fed(reader, (_ABS, _TRACKING, 2), (_ABS, _X, 3), (_ABS, _Y, 4), _REPORT) == [("DOWN", 0, 3, 4)]


def test_protocol_a_tells_fingers_apart_by_where_they_were() -> None:
    reader = TouchReader(has_slots=False)
    first, second = ((_ABS, _X, 10), (_ABS, _Y, 10), _MT_REPORT), ((_ABS, _X, 90), (_ABS, _Y, 90), _MT_REPORT)
    assert _fed(reader, (_ABS, _TRACKING, 0), *first, _REPORT) == [("DOWN", 0, 10, 10)]
    assert _fed(reader, *first, *second, _REPORT) == [("DOWN", 1, 90, 90)]
    moved = ((_ABS, _X, 88), (_ABS, _Y, 90), _MT_REPORT)
    assert _fed(reader, *moved, _REPORT) == [("UP", 0, 10, 10), ("MOVE", 1, 88, 90)]
    assert _fed(reader, _MT_REPORT, _REPORT) == [("UP", 1, 88, 90)]


@pytest.mark.parametrize(
    ("rotation", "size", "place"),
    [
        (0, Size(1080, 2400), Point(0, 2399)),
        (1, Size(2400, 1080), Point(2399, 1079)),
        (2, Size(1080, 2400), Point(1079, 0)),
        (3, Size(2400, 1080), Point(0, 0)),
    ],
)
def test_the_lower_left_corner_of_the_panel_is_where_the_turned_screen_has_it(rotation, size, place) -> None:
    (screen, *_others) = parse_devices(SCREEN)
    assert on_screen(0, 9599, screen, size, rotation) == place
    assert on_screen(-5, 99999, screen, size, rotation) == place, "what lies outside is at the edge"


def test_axes_begin_anywhere_and_may_be_nothing() -> None:
    device = InputDevice("", "", {_X: (100, 199), _Y: (5, 5)})
    assert on_screen(150, 7, device, Size(50, 80), 0) == Point(25, 0)


_CODES = st.sampled_from([(_ABS, _SLOT), (_ABS, _X), (_ABS, _Y), (_ABS, _TRACKING), (_SYN, 0), (_SYN, 2),
                          (_SYN, 3), (_KEY, 0x14A), (9, 9)])  # fmt: skip
_EVENTS = st.lists(st.tuples(_CODES, st.integers(-3, 40)), max_size=200)


@given(events=_EVENTS, slots=st.booleans())
def test_whatever_a_driver_says_fingers_come_down_once_and_leave_once(events, slots) -> None:
    reader = TouchReader(has_slots=slots)
    down: set[int] = set()
    touches = []
    for (kind, code), value in events:
        touches += reader.feed(RawEvent("", kind, code, value, None))
    touches += reader.cancel()
    for touch in touches:
        if touch.action is TouchAction.DOWN:
            assert touch.pointer not in down
            down.add(touch.pointer)
        else:
            assert touch.pointer in down
            if touch.action is not TouchAction.MOVE:
                down.remove(touch.pointer)
    assert not down
