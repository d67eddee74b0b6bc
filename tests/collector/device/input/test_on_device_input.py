"""Lines of getevent become fingers and keys in time, however they are cut and whatever stands between."""

from __future__ import annotations

import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collector.adb.getevent import parse_devices
from collector.device.device_clock import DeviceClock
from collector.device.input.on_device_input import GeteventReader, OnDeviceKey, OnDeviceKeyUp, OnDeviceTouch
from collector.model.geometry import Point, Position, Size
from collector.model.phone.touch import TouchAction

_SIZE = Size(720, 1600)
_DEVICES = parse_devices("""add device 1: /dev/input/event2
  name:     "panel"
    ABS (0003): ABS_MT_SLOT           : value 0, min 0, max 9, fuzz 0, flat 0, resolution 0
                ABS_MT_POSITION_X     : value 0, min 0, max 719, fuzz 0, flat 0, resolution 0
                ABS_MT_POSITION_Y     : value 0, min 0, max 1599, fuzz 0, flat 0, resolution 0
  input props:
    INPUT_PROP_DIRECT
add device 2: /dev/input/event1
  name:     "keys"
    KEY (0001): KEY_BACK              KEY_POWER
""")
_LINES = b"""add device 1: /dev/input/event2\r
  name:     "panel"\r
[    1000.000000] /dev/input/event2: EV_ABS       ABS_MT_TRACKING_ID   00000001            \r
[    1000.000000] /dev/input/event2: EV_ABS       ABS_MT_POSITION_X    00000064            \r
[    1000.000000] /dev/input/event2: EV_ABS       ABS_MT_POSITION_Y    000000c8            \r
[    1000.000000] /dev/input/event2: EV_SYN       SYN_REPORT           00000000            \r
[    1000.080000] /dev/input/event2: EV_ABS       ABS_MT_TRACKING_ID   ffffffff            \r
[    1000.080000] /dev/input/event2: EV_SYN       SYN_REPORT           00000000            \r
[    1001.000000] /dev/input/event1: EV_KEY       KEY_BACK             DOWN                \r
[    1001.000000] /dev/input/event1: EV_SYN       SYN_REPORT           00000000            \r
[    1001.050000] /dev/input/event1: EV_KEY       KEY_BACK             UP                  \r
[    1002.000000] /dev/input/event9: EV_ABS       ABS_MT_POSITION_X    00000001            \r
"""
_AT = Position(Point(100, 200), _SIZE)
_NOW = 5_000_000_000_000


def _reader() -> GeteventReader:
    return GeteventReader(_DEVICES, lambda: (_SIZE, 0))


def _seen(events):
    return [
        event.name
        if isinstance(event, OnDeviceKey)
        else event.held_ms
        if isinstance(event, OnDeviceKeyUp)
        else (event.action, event.position)
        for event in events
    ]


_EXPECTED = [(TouchAction.DOWN, _AT), (TouchAction.UP, _AT), "back", 50]


def test_a_tap_and_a_key_are_told_at_their_own_times() -> None:
    down, up, key, lifted = _reader().feed(_LINES, _NOW)
    assert _seen((down, up, key, lifted)) == _EXPECTED
    assert up.time_ns - down.time_ns == 80_000_000
    assert key.time_ns <= _NOW


@given(cuts=st.lists(st.integers(0, len(_LINES)), max_size=12))
def test_chunks_may_be_cut_anywhere(cuts) -> None:
    reader, events, begin = _reader(), [], 0
    for end in (*sorted(cuts), len(_LINES)):
        events += reader.feed(_LINES[begin:end], _NOW)
        begin = end
    assert _seen(events) == _EXPECTED


@given(junk=st.lists(st.binary(max_size=120), max_size=20))
def test_junk_between_the_lines_hides_none_of_them(junk) -> None:
    reader = _reader()
    for data in junk:
        reader.feed(data, _NOW)
    reader.feed(b"\n", _NOW)
    events = reader.feed(_LINES, _NOW)
    assert _seen(events) == _EXPECTED


@given(data=st.text(alphabet="[] :./deviptn0123456789EVABSYNKMTRPOIX_\n", max_size=400))
def test_nearly_right_lines_are_survived(data) -> None:
    for event in _reader().feed(data.encode(), _NOW):
        assert isinstance(event, (OnDeviceTouch, OnDeviceKey, OnDeviceKeyUp))


def test_a_line_without_an_end_is_not_kept_for_ever() -> None:
    reader = _reader()
    tracemalloc.start()
    for _chunk in range(100):
        reader.feed(b"x" * 10_000, _NOW)
    kept, _most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert kept < 20_000


def test_what_is_under_way_when_the_phone_leaves_is_cancelled() -> None:
    reader = _reader()
    reader.feed(_LINES[: _LINES.index(b"[    1000.080000]")], _NOW)
    assert _seen(reader.cancel(_NOW)) == [(TouchAction.CANCEL, _AT)]
    assert reader.cancel(_NOW) == []


def test_the_turn_of_the_screen_is_that_of_the_moment() -> None:
    turned = [0]
    reader = GeteventReader(_DEVICES, lambda: (Size(1600, 720), 1) if turned[0] else (_SIZE, 0))
    turned[0] = 1
    (down, *_rest) = reader.feed(_LINES, _NOW)
    assert down.position == Position(Point(200, 619), Size(1600, 720))


@given(times=st.lists(st.tuples(st.floats(0, 1e6), st.integers(0, 10**9)), max_size=50))
def test_time_never_runs_backwards_nor_ahead(times) -> None:
    clock, last = DeviceClock(), 0
    for time, late in sorted(times):
        now = max(last, int(time * 1e9) + late)
        clock.note(time, now)
        here = clock.here(time, now)
        assert last <= here <= now
        last = here


def test_a_phone_that_slept_is_not_taken_for_late() -> None:
    clock = DeviceClock()
    clock.note(10.0, 1_000_000_000_000)
    clock.note(11.0, 1_060_000_000_000)
    assert clock.here(11.0, 1_060_000_000_000) == 1_060_000_000_000


@pytest.mark.parametrize(
    "times",
    [
        (1.0, 1e8, 2.0, 3.0),  # forward by years, and back
        (1e8, 1.0, 2.0, 3.0),
        (5.0, 4.0, 3.0, 2.0),
        (1.0, 1e9, 1e9, 1e9),
        (None, 1.0, None, 0.5),
    ],
)
def test_a_clock_of_the_phone_that_jumps_moves_no_event_out_of_order(times):
    clock, now, told = DeviceClock(), 10**9, []
    for time in times:
        now += 10**9
        clock.note(time, now)
        told.append(clock.here(time, now))
    assert told == sorted(told)
    assert all(0 <= at <= now for at in told)
