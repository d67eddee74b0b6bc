"""Text and touches on their way into a phone, and what is said when they cannot go."""

from __future__ import annotations

import queue
import threading
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collector.adb.scrcpy import control as msg
from collector.adb.scrcpy.device_message import ClipboardAck
from collector.device.errors import CommandFailed, DeviceError, InputDenied
from collector.device.input.input_queue import InputQueue
from collector.device.input.input_sinks import ScrcpyInput, ShellInput, pieces
from collector.device.transport.shell_result import ShellResult
from collector.hierarchy.parse import parse_tree
from collector.model.event_emitter import EventEmitter
from collector.model.geometry import Point, Position, Size
from collector.model.phone.touch import TouchAction
from collector.virtual.apps import make_apps
from collector.virtual.system.windows.input_methods import ADB_KEYBOARD
from tests.helpers.shell_device import shell_device

SCREEN = Size(720, 1600)


class Link:
    """The control end of a scrcpy session, which confirms pastes or does not."""

    def __init__(self, *, confirms: bool, knows: bool = True) -> None:
        self.messages: EventEmitter = EventEmitter()
        self.acknowledges_paste = knows
        self.sent: list[msg.ControlMessage] = []
        self._confirms = confirms

    def input_size(self, _screen: Size) -> Size:
        return SCREEN

    def send(self, message) -> None:
        self.sent.append(message)
        if self._confirms and isinstance(message, msg.SetClipboard):
            self.messages.emit(ClipboardAck(message.sequence))


class Shell:
    """A phone that notes commands and gives one answer."""

    serial = "PHONE1"

    def __init__(self, output: str = "", status: int = 0) -> None:
        self.lines: list[str] = []
        self._output, self._status = output, status

    def shell(self, command, *, timeout=10.0, cancel=None):
        self.lines.append(command if isinstance(command, str) else " ".join(command))
        return ShellResult(b"", self._output.encode(), self._status)


@given(st.text(), st.integers(4, 40))
def test_pieces_are_the_text_and_split_no_character(text, most):
    parts = list(pieces(text, most))
    assert "".join(parts) == text
    assert all(0 < len(part.encode()) <= most for part in parts)


def test_a_key_that_is_held_repeats_until_it_is_lifted(monkeypatch):
    now = [10.0]
    monkeypatch.setattr("collector.device.input.input_sinks.time.monotonic", lambda: now[0])
    monkeypatch.setattr(
        "collector.device.input.input_sinks.time.sleep", lambda s: now.__setitem__(0, now[0] + s)
    )
    link = Link(confirms=True)
    ScrcpyInput(link).key(26, 0, 700)
    assert now[0] == pytest.approx(10.7)
    assert [(key.action, key.repeat) for key in link.sent] == [(0, 0), (0, 1), (0, 2), (0, 3), (0, 4), (1, 0)]
    ScrcpyInput(link).key(4)
    assert [(key.code, key.action) for key in link.sent[-2:]] == [(4, 0), (4, 1)]
    shell = Shell()
    for held_ms in (0, 499, 500):
        ShellInput(shell).key(26, 0, held_ms)
    assert shell.lines == ["input keyevent 26", "input keyevent 26", "input keyevent --longpress 26"]


def test_long_plain_text_is_typed_in_parts_the_server_takes():
    link = Link(confirms=True)
    ScrcpyInput(link).text("x" * 700)
    assert [len(message.text) for message in link.sent] == [300, 300, 100]


def test_other_text_is_pasted_and_confirmed():
    link = Link(confirms=True)
    ScrcpyInput(link).text("你好 👋")
    assert [(message.text, message.paste) for message in link.sent] == [("你好 👋", True)]


def test_accents_are_typed_when_the_clipboard_does_not_answer():
    link = Link(confirms=False)
    ScrcpyInput(link, ack_timeout=0.01).text("Zoë")
    assert link.sent[-1] == msg.InjectText("Zoë")


def test_chinese_that_was_not_confirmed_is_told():
    with pytest.raises(DeviceError, match="did not confirm"):
        ScrcpyInput(Link(confirms=False), ack_timeout=0.01).text("你好")


def test_a_server_too_old_to_confirm_is_not_waited_for():
    link = Link(confirms=False, knows=False)
    ScrcpyInput(link, ack_timeout=60).text("你好")
    assert len(link.sent) == 1


def test_the_input_command_gets_places_of_the_display_not_of_the_picture():
    shell = Shell()
    sink = ShellInput(shell, lambda: Size(1440, 3200))
    place = Position(Point(100, 200), SCREEN)
    sink.touch(TouchAction.DOWN, 0, place)
    sink.touch(TouchAction.UP, 0, place)
    assert shell.lines == ["input tap 200 400"]
    for right, up in ((1, 0), (0, 1)):  # the view moves there, and the finger the other way
        sink.scroll(place, right, up)
    assert shell.lines[1:] == ["input swipe 200 400 0 400 200", "input swipe 200 400 200 600 200"]


def draw(sink: ShellInput, monkeypatch, *way: tuple[float, int, int]) -> None:
    """A finger along ``(seconds, x, y)``."""
    now = [0.0]
    monkeypatch.setattr("collector.device.input.input_sinks.time.monotonic", lambda: now[0])
    for number, (seconds, x, y) in enumerate(way):
        now[0] = seconds
        action = TouchAction.MOVE if number else TouchAction.DOWN
        sink.touch(action, 0, Position(Point(x, y), SCREEN))
    sink.touch(TouchAction.UP, 0, Position(Point(*way[-1][1:]), SCREEN))


def test_the_input_command_draws_what_a_swipe_cannot(monkeypatch):
    shell = Shell()
    sink = ShellInput(shell)
    draw(sink, monkeypatch, (0, 10, 10), (0.1, 10, 100), (0.2, 10, 200))
    draw(sink, monkeypatch, (0, 10, 10), (0.5, 10, 10))
    draw(sink, monkeypatch, (0, 10, 10), (0.1, 100, 110), (0.2, 10, 200))
    draw(sink, monkeypatch, (0, 10, 10), (0.6, 10, 11), (0.7, 10, 200))
    event = "input motionevent"
    assert shell.lines == [
        "input swipe 10 10 10 200 200",
        "input swipe 10 10 10 10 500",
        f"{event} DOWN 10 10 && sleep 0.060 && {event} MOVE 100 110 && sleep 0.060 && {event} MOVE 10 200 "
        f"&& {event} UP 10 200",
        f"{event} DOWN 10 10 && sleep 0.560 && {event} MOVE 10 11 && sleep 0.060 && {event} MOVE 10 200 "
        f"&& {event} UP 10 200",
    ]
    with shell_device() as device:
        assert device.shell(shell.lines[2]).ok


def test_a_long_way_is_drawn_in_few_points(monkeypatch):
    shell = Shell()
    wave = [(n / 100, 100 + 80 * (n // 20 % 2), 10 + n) for n in range(1500)]
    draw(ShellInput(shell), monkeypatch, *wave)
    assert 20 < shell.lines[0].count("MOVE") <= 40


def test_a_phone_that_draws_no_ways_gets_a_swipe(monkeypatch):
    shell = Shell("Error: Unknown command: motionevent", status=255)
    sink = ShellInput(shell, tool="stylus")
    bent = ((0, 10, 10), (0.1, 100, 110), (0.2, 10, 200))
    for _time in range(2):
        with pytest.raises(CommandFailed):  # this shell knows no swipe either
            draw(sink, monkeypatch, *bent)
    drawn, *swipes = shell.lines
    assert "motionevent" in drawn
    assert swipes == ["input stylus swipe 10 10 10 200 200"] * 2


def test_a_phone_that_forbids_input_says_so_in_words():
    with pytest.raises(InputDenied, match="Security settings"):
        ShellInput(Shell("SecurityException: INJECT_EVENTS")).key(4)


def test_input_that_fails_is_an_error_with_the_phones_own_words():
    with pytest.raises(CommandFailed, match=r"took no input\. \[2JKilled") as failure:
        ShellInput(Shell("\x1b[2JKilled\n" + "x" * 5000, status=137)).key(4)
    assert len(failure.value.why) == 400


@pytest.mark.parametrize("text", ["你好", "naïve", "two\nlines"])
def test_the_input_command_refuses_what_it_cannot_type(text):
    with pytest.raises(DeviceError, match="cannot be typed"):
        ShellInput(Shell()).text(text)


def test_adb_keyboard_types_what_has_no_keys_while_the_phone_uses_it():
    with shell_device(apps=make_apps(["adbkeyboard"])) as device:
        device.shell("am start -n com.android.settings/.SearchActivity")
        sink = ShellInput(device)
        with pytest.raises(DeviceError, match="cannot be typed"):
            sink.text("你好")
        device.shell(f"ime enable {ADB_KEYBOARD.id}; ime set {ADB_KEYBOARD.id}")
        sink.text("plain")
        sink.text(" 你好 %s 😀")
        assert "plain 你好 %s 😀" in [node.text for node in parse_tree(device.phone.hierarchy_xml())]


class Sink:
    """Notes touches; the first waits until it is let go."""

    name = "noted"

    def __init__(self) -> None:
        self.touches: queue.Queue = queue.Queue()

    def touch(self, action, pointer, position) -> None:
        self.touches.put((action, pointer, position))

    def close(self) -> None:
        pass


def test_what_belongs_to_a_cancelled_gesture_never_arrives():
    sink, input_queue = Sink(), InputQueue(lambda _event: None)
    upright, turned = Position(Point(10, 20), SCREEN), Position(Point(30, 40), SCREEN.transposed)
    input_queue.use(sink)
    input_queue.start()
    input_queue.touch(TouchAction.DOWN, 0, upright)
    assert sink.touches.get(timeout=20)[0] is TouchAction.DOWN
    input_queue.screen_changed(SCREEN.transposed)
    for action, place in (
        (TouchAction.MOVE, upright),
        (TouchAction.UP, upright),
        (TouchAction.DOWN, upright),
        (TouchAction.DOWN, turned),
    ):
        input_queue.touch(action, 0, place)
    action, _pointer, place = sink.touches.get(timeout=20)
    assert (action, place.screen) == (TouchAction.CANCEL, SCREEN.transposed)
    assert sink.touches.get(timeout=20) == (TouchAction.DOWN, 0, turned)
    input_queue.close()
    assert sink.touches.empty()


def test_a_failure_is_told_and_the_next_input_goes_on():
    events, done = queue.Queue(), threading.Event()
    input_queue = InputQueue(events.put)
    input_queue.use(SimpleNamespace(close=lambda: None))
    input_queue.start()

    def fail(_sink):
        raise InputDenied("no")

    input_queue.send(fail)
    input_queue.send(lambda _sink: done.set())
    assert "refuses input" in events.get(timeout=20).text
    assert done.wait(20)
    input_queue.close()
