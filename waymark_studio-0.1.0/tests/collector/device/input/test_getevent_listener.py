"""Hands are heard on a phone that allows it, through loss and return, and not a moment longer."""

from __future__ import annotations

import queue
import socket
import threading

import pytest

from collector.device.errors import DeviceOffline
from collector.device.input.getevent_listener import GeteventListener
from collector.device.input.on_device_input import (
    OnDeviceEvent,
    OnDeviceInputUnavailable,
    OnDeviceKey,
    OnDeviceTouch,
)
from collector.device.transport.adb_device import AdbDevice
from collector.device.transport.adb_server import AdbServer
from collector.device.transport.shell_result import ShellResult
from collector.model.geometry import Size
from tests.helpers.virtual import adb_server, virtual_device

_DISPLAY = (Size(720, 1600), 0)


class _Heard:
    """What a listener tells, to be waited for."""

    def __init__(self, device) -> None:
        self.events: queue.Queue[OnDeviceEvent] = queue.Queue()
        self.listener = GeteventListener(device, lambda: _DISPLAY)
        self.listener.events.subscribe(self.events.put)
        self.listener.start()

    def next(self) -> OnDeviceEvent:
        return self.events.get(timeout=30)


def listening() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "getevent"]


def wait_for_the_end() -> None:
    """Wait until the listener has ended by itself."""
    for thread in listening():
        thread.join(30)
    assert not listening()


@pytest.fixture
def hear():
    listeners = []

    def start(device) -> _Heard:
        listeners.append(_Heard(device))
        return listeners[-1]

    yield start
    for heard in listeners:
        heard.listener.close()
        assert not listening()


def test_fingers_and_keys_are_heard_and_injected_touches_are_not(hear):
    with virtual_device("todo") as phone, adb_server() as server:
        address = f"127.0.0.1:{phone.port}"
        server.connect(address)
        device = AdbDevice(address, AdbServer(port=server.port))
        heard = hear(device)
        assert heard.listener.wait_ready(30)
        device.shell("input tap 300 300; input keyevent BACK; cmd waymark finger down 100 200")
        device.shell("cmd waymark finger up 100 200; cmd waymark button back")
        down, up, key = (heard.next() for _event in range(3))
        assert isinstance(down, OnDeviceTouch)
        assert (down.position.point.x, down.position.point.y) == (100, 200)
        assert (up.action.name, key.name if isinstance(key, OnDeviceKey) else "") == ("UP", "back")
        heard.listener.close()


class _Phone:
    """Answers as it is told to; a call beyond that raises."""

    serial = "fake"

    def __init__(self, described: str, *streams: bytes) -> None:
        self.described = described
        self.streams = list(streams)
        self.opened = 0

    def shell(self, _command, **_options) -> ShellResult:
        return ShellResult(self.described.encode(), b"could not open /dev/input/event2, Permission denied", 0)

    def open(self, _service, **_options) -> socket.socket:
        self.opened += 1
        if not self.streams:
            raise DeviceOffline("fake", "gone")
        ours, theirs = socket.socketpair()
        theirs.sendall(self.streams.pop(0))
        theirs.close()
        return ours


_SCREEN = """add device 1: /dev/input/event2
    ABS (0003): ABS_MT_SLOT           : value 0, min 0, max 9, fuzz 0, flat 0, resolution 0
                ABS_MT_POSITION_X     : value 0, min 0, max 719, fuzz 0, flat 0, resolution 0
                ABS_MT_POSITION_Y     : value 0, min 0, max 1599, fuzz 0, flat 0, resolution 0
  input props:
    INPUT_PROP_DIRECT
"""
_EXIT = b"\x03\x01\x00\x00\x00\x01"


def _stdout_packet(text: str) -> bytes:
    data = text.encode()
    return b"\x01" + len(data).to_bytes(4, "little") + data


def test_a_phone_that_does_not_allow_it_says_so_once_and_is_left_alone(hear):
    heard = hear(_Phone("add device 1: /dev/input/event0\n"))
    event = heard.next()
    assert isinstance(event, OnDeviceInputUnavailable)
    assert "Permission denied" in event.why
    wait_for_the_end()
    assert heard.events.empty()


def test_a_getevent_that_ends_again_and_again_is_not_begun_for_ever(hear, monkeypatch):
    monkeypatch.setattr("collector.device.input.getevent_listener.RETRY_AFTER_S", (0.0,))
    phone = _Phone(_SCREEN, *[_stdout_packet("no\r\n") + _EXIT] * 9)
    assert isinstance(hear(phone).next(), OnDeviceInputUnavailable)
    assert phone.opened == 3


def test_a_gesture_is_cancelled_when_the_phone_leaves_and_it_is_heard_again(hear, monkeypatch):
    monkeypatch.setattr("collector.device.input.getevent_listener.RETRY_AFTER_S", (0.0,))
    words = ("ABS_MT_TRACKING_ID 1", "ABS_MT_POSITION_X 5", "ABS_MT_POSITION_Y 6")
    lines = [*(f"EV_ABS {word}" for word in words), "EV_SYN SYN_REPORT 0"]
    touch = "".join(f"[ 1.0] /dev/input/event2: {line}\r\n" for line in lines)
    heard = hear(_Phone(_SCREEN, _stdout_packet(touch), _stdout_packet(touch)))
    actions = [heard.next().action.name for _event in range(4)]
    assert actions == ["DOWN", "CANCEL"] * 2


def test_a_phone_that_reports_more_than_anybody_does_is_left_alone(hear):
    keys = "".join(f"[ {number}.0] /dev/input/event2: EV_KEY KEY_BACK DOWN\r\n" for number in range(500))
    heard = hear(_Phone(_SCREEN, _stdout_packet(keys)))
    for _key in range(100):
        assert isinstance(heard.next(), OnDeviceKey)
    event = heard.next()
    assert isinstance(event, OnDeviceInputUnavailable)
    assert "more touches and keys than anybody makes" in event.why
    wait_for_the_end()
    assert heard.events.empty()


@pytest.mark.parametrize(
    "stream", [b"\x01\xff\xff\xff\xff", b"\x01\x05\0\0\0", b"\x07\0\0\0\0" * 9, b"\x01\x02\0\0\0\xff\xfe"]
)
def test_nonsense_ends_a_connection_and_not_the_listening(hear, monkeypatch, stream):
    monkeypatch.setattr("collector.device.input.getevent_listener.RETRY_AFTER_S", (0.0,))
    key = _stdout_packet("[ 1.0] /dev/input/event2: EV_KEY KEY_BACK DOWN\r\n")
    heard = hear(_Phone(_SCREEN, stream, key))
    assert isinstance(heard.next(), OnDeviceKey)


@pytest.mark.expected_log("listening to on-device input failed")
def test_a_fault_of_ours_ends_the_listening_and_nothing_else(hear):
    class Broken(_Phone):
        def shell(self, _command, **_options):
            raise ZeroDivisionError

    event = hear(Broken("")).next()
    assert isinstance(event, OnDeviceInputUnavailable)
    assert "log" in event.why
