"""What a hand does on the phone itself is recorded from its drivers, and replayed as it was done.

Each gesture has a fixture, the text of ``getevent -lt``; the devices are those of ``devices.txt``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

import pytest

from collector.adb.getevent import parse_devices
from collector.device.input.input_sinks import ShellInput
from collector.device.input.on_device_input import GeteventReader, OnDeviceKey, OnDeviceTouch
from collector.model.action import Drag, Key, Pinch, Swipe, Tap, action_from_dict, action_to_dict
from collector.model.geometry import Point, Position, Size
from collector.model.phone.touch import TouchAction
from collector.model.trajectory import TOOL, Step
from collector.recorder.events import RecorderNotice
from collector.recorder.on_device_capture import OnDeviceCapture
from collector.replay.action_executor import ActionExecutor
from tests.helpers.fake_phone import FakePhone
from tests.helpers.fake_source import SCREEN
from tests.helpers.recorder_rig import BUY, RecorderRig

_HERE = Path(__file__).parent
_DEVICES = parse_devices((_HERE / "devices.txt").read_text())
_TIME = re.compile(r"\[ *(\d+\.\d+)\]")
DOWN, MOVE, UP = TouchAction.DOWN, TouchAction.MOVE, TouchAction.UP
Drawn = tuple[int, TouchAction, int, Point]
"""Milliseconds from the first touch, what happened, which finger, and where."""


class Pace:
    """Time that passes only when it is waited for."""

    now = 0.0

    def wait(self, seconds: float) -> None:
        self.now += seconds


class Glass(FakePhone):
    """A phone that notes when it is touched."""

    def __init__(self, pace: Pace) -> None:
        super().__init__({"Main": ()}, "Main", max_pointers=10)
        self.pace, self.drawn = pace, list[Drawn]()

    def touch(self, action: TouchAction, pointer: int, position: Position) -> None:
        self.drawn.append((round(self.pace.now * 1000), action, pointer, position.point))


class Hand(RecorderRig):
    """Feeds what a phone's drivers said to a recorder."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.rotation = 0
        self.done: list[Drawn] = []
        session = SimpleNamespace(device=None, screen_size=SCREEN, rotation=0)
        capture = OnDeviceCapture(self.recorder, session, listens=True)  # type: ignore[arg-type]
        assert capture.listener is not None
        self.heard = capture.listener.events
        self.reader = GeteventReader(_DEVICES, lambda: (self.source.screen_size, self.rotation))

    def does(self, name: str) -> tuple[Step, ...]:
        """Let what a fixture holds happen in its own time. Returns the steps."""
        lines = (_HERE / f"{name}.txt").read_text().splitlines(keepends=True)
        times = [float(_TIME.match(line)[1]) for line in lines]  # type: ignore[index]
        began, before = self.clock(), times[0]
        for line, time in zip(lines, times, strict=True):
            if time > before:
                self.pass_ms((time - before) * 1000)
            before = time
            for event in self.reader.feed(line.encode(), self.clock()):
                self.heard.emit(event)
                if isinstance(event, OnDeviceTouch):
                    at = round((event.time_ns - began) / 1e6)
                    self.done.append((at, event.action, event.pointer, event.position.point))
        return self.steps()


@pytest.fixture
def hand(tmp_path: Path) -> Iterator[Hand]:
    hand = Hand(tmp_path)
    hand.screen(10, BUY)
    yield hand
    hand.close()


def replayed(step: Step) -> list[Drawn]:
    pace = Pace()
    glass = Glass(pace)
    assert step.action is not None
    ActionExecutor(glass, glass, pace).do(step.action, step.state.size)  # type: ignore[arg-type]
    return glass.drawn


def at(drawn: list[Drawn], pointer: int, ms: float) -> tuple[float, float]:
    """Where a finger is at a time: it moves evenly from event to event."""
    own = [(time, point) for time, _action, finger, point in drawn if finger == pointer]
    for (t1, first), (t2, second) in pairwise(own):
        if t1 <= ms <= t2 and t2 > t1:
            share = (ms - t1) / (t2 - t1)
            return first.x + share * (second.x - first.x), first.y + share * (second.y - first.y)
    return own[-1][1].x, own[-1][1].y


def assert_same(done: list[Drawn], drawn: list[Drawn], *, px: float) -> None:
    """Fingers go down and up at the times and places they did, and are on the same way between."""
    base = min(pointer for _ms, _action, pointer, _point in done)
    done = [(ms, action, pointer - base, point) for ms, action, pointer, point in done]
    for kind in (DOWN, UP):
        own, other = ([event for event in events if event[1] is kind] for events in (done, drawn))
        assert [event[2] for event in own] == [event[2] for event in other]
        for (ms, _kind, _finger, point), (ms2, _kind2, _finger2, point2) in zip(own, other, strict=True):
            assert abs(ms - ms2) <= 2
            assert point.distance_to(point2) <= 1
    for ms, action, pointer, point in done:
        if action is MOVE:
            x, y = at(drawn, pointer, ms)
            assert point.distance_to(Point(round(x), round(y))) <= px, (ms, point, x, y)


@pytest.mark.parametrize(
    ("name", "kind", "caption", "px"),
    [
        ("pinch", Pinch, "Spread two fingers", 5),
        ("two_fingers", Pinch, "Swipe up with 2 fingers", 5),
        ("turn", Pinch, "Turn two fingers clockwise", 5),
        ("long_drag", Drag, "Drag", 10),
        ("app_switch", Swipe, "Swipe up", 6),
    ],
)
def test_a_gesture_is_replayed_as_it_was_drawn(
    hand: Hand, name: str, kind: type, caption: str, px: float
) -> None:
    (step,) = hand.does(name)
    assert isinstance(step.action, kind)
    assert step.description.startswith(caption)
    assert step.state.source["input"] == "getevent"
    assert_same(hand.done, replayed(step), px=px)


def test_a_pen_draws_and_its_eraser_rubs(hand: Hand) -> None:
    stroke, rubbed = hand.does("pen")
    assert isinstance(stroke.action, Swipe)
    assert isinstance(rubbed.action, Tap)
    assert [step.extra[TOOL] for step in (stroke, rubbed)] == ["pen", "eraser"]
    strokes = [event for event in hand.done if event[0] < 1000]
    assert_same(strokes, [(ms + 60, *rest) for ms, *rest in replayed(stroke)], px=5)  # type: ignore[misc]
    phone = FakePhone({"Main": ()}, "Main")
    pace = Pace()
    pen = ShellInput(phone, tool="stylus")
    executor = ActionExecutor(phone, phone, pace, pen)  # type: ignore[arg-type]
    for step in (stroke, rubbed):
        assert step.action is not None
        executor.do(step.action, step.state.size, tool=str(step.extra[TOOL]))
    drawn, tapped = phone.commands
    points = [tuple(map(int, found)) for found in re.findall(r"motionevent MOVE (\d+) (\d+)", drawn)]
    assert drawn.startswith(f"input stylus motionevent DOWN {stroke.action.x1} {stroke.action.y1}")
    assert drawn.endswith(f"motionevent UP {stroke.action.x2} {stroke.action.y2}")
    assert min(y for _x, y in points) == pytest.approx(186, abs=6), "the bow is drawn"
    assert tapped == f"input stylus tap {rubbed.action.x} {rubbed.action.y}"
    assert not phone.touched


def test_a_hand_that_rests_while_the_pen_draws_does_nothing(hand: Hand) -> None:
    place = Position(Point(50, 700), SCREEN)
    hand.recorder.on_device_touch(DOWN, 100, Position(Point(10, 10), SCREEN), hand.clock(), "pen")
    hand.recorder.on_device_touch(DOWN, 0, place, hand.clock())
    hand.pass_ms(100)
    hand.recorder.on_device_touch(UP, 0, place, hand.clock())
    hand.recorder.on_device_touch(UP, 100, Position(Point(10, 10), SCREEN), hand.clock(), "pen")
    (step,) = hand.steps()
    assert step.action == Tap(10, 10, 100)
    assert step.extra == {TOOL: "pen"}


def test_keys_have_their_names_and_an_unknown_one_is_said_once(hand: Hand) -> None:
    steps = hand.does("keys")
    keys = ["volume_up", "volume_down", "power", "code:80", "back", "home", "recents"]
    assert [step.action for step in steps] == [Key(name) for name in keys]
    notices = [event.what for event in hand.events if isinstance(event, RecorderNotice)]
    assert [what.split()[2] for what in notices] == ["KEY_PROG3", "KEY_ENTER"]
    assert notices[0] == "The key KEY_PROG3 of the phone is not recorded: it has no action"
    phone = FakePhone({"Main": ()}, "Main")
    executor = ActionExecutor(phone, phone, Pace())  # type: ignore[arg-type]
    for step in steps:
        executor.do(step.action, SCREEN)  # type: ignore[arg-type]
    assert phone.keys == [24, 25, 26, 80, 4, 3, 187]


def test_a_key_that_is_held_is_recorded_and_replayed_as_long(hand: Hand) -> None:
    began = hand.clock()
    (step,) = hand.does("held_key")
    assert step.action == Key("power", 1300)
    assert step.description == "Press Power for 1.3 s"
    assert step.t_ms * 1_000_000 <= began, "the screen is that of the moment in which it went down"
    assert action_from_dict(action_to_dict(step.action)) == step.action
    phone = FakePhone({"Main": ()}, "Main")
    ActionExecutor(phone, phone, Pace()).do(step.action, SCREEN)  # type: ignore[arg-type]
    assert (phone.keys, phone.held_ms) == ([26], 1300)


def test_a_key_of_which_nothing_says_that_it_was_lifted_is_a_step_all_the_same(hand: Hand) -> None:
    hand.recorder.on_device_key("power")
    hand.recorder.on_device_key("volume_down")  # both at once: a picture of the screen
    assert [step.action for step in hand.steps()] == [Key("power")]
    hand.pass_ms(11_000)
    assert [step.action for step in hand.steps()] == [Key("power"), Key("volume_down", 10_000)]
    hand.recorder.on_device_key("back")
    hand.recorder.on_device_touch(DOWN, 0, Position(Point(10, 10), SCREEN), hand.clock())
    assert [step.action for step in hand.steps()][2:] == [Key("back")]


def test_a_turned_phone_is_touched_where_the_finger_is(hand: Hand) -> None:
    hand.rotation, hand.source.screen_size, hand.source.rotation = 1, SCREEN.transposed, 1
    (step,) = hand.does("turned_phone")
    assert isinstance(step.action, Tap)
    assert step.action.point == Point(100, 59)
    assert (step.state.size, step.state.rotation) == (Size(800, 360), 1)
    assert [point for _ms, _action, _pointer, point in replayed(step)] == [Point(100, 59)] * 2


def test_the_phones_own_keys_and_touches_are_all_there_is() -> None:
    events = [
        event
        for path in sorted(_HERE.glob("*.txt"))
        for event in GeteventReader(_DEVICES, lambda: (SCREEN, 0)).feed(path.read_bytes(), 10**15)
    ]
    assert {type(event).__name__ for event in events} == {
        "OnDeviceTouch", "OnDeviceKey", "OnDeviceKeyUp", "OnDeviceUnknownKey"}  # fmt: skip
    assert sum(isinstance(event, OnDeviceKey) for event in events) == 8
