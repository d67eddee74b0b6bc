"""Input for a phone that nobody watches: scrcpy without a video, opened again once, else the command."""

from __future__ import annotations

import pytest

from collector.adb.scrcpy import control as msg
from collector.adb.scrcpy.options import (
    SERVER_CLASS,
    ServerOptions,
    parse_server_arguments,
    server_arguments,
)
from collector.adb.scrcpy.version import ScrcpyVersion
from collector.device.errors import DeviceError, DeviceOffline, ScrcpyFailed
from collector.device.input.unattended_input import ControlOnlyScrcpy, UnattendedInput, open_unattended_input
from collector.device.transport.adb_device import AdbDevice
from collector.device.transport.adb_server import AdbServer
from collector.device.transport.shell_result import ShellResult
from collector.device.video.scrcpy_server_jar import ScrcpyServerJar
from collector.model.event_emitter import EventEmitter
from collector.model.geometry import Point, Position, Size
from collector.model.phone.touch import TouchAction
from tests.helpers.phone_driver import place_to_tap, wait_until
from tests.helpers.virtual import adb_server, virtual_device

SCREEN = Size(1080, 2340)


class Control:
    """A control socket that breaks after ``lasts`` messages."""

    def __init__(self, lasts: int = 100, *, starts: bool = True) -> None:
        self.messages: EventEmitter = EventEmitter()
        self.acknowledges_paste = False
        self.sent: list[msg.ControlMessage] = []
        self.lasts, self.starts, self.closed = lasts, starts, False

    def start(self) -> None:
        if not self.starts:
            raise ScrcpyFailed("The server did not start", "")

    def input_size(self, screen: Size) -> Size:
        return screen

    def send(self, message: msg.ControlMessage) -> None:
        if len(self.sent) >= self.lasts:
            raise BrokenPipeError
        self.sent.append(message)

    def close(self) -> None:
        self.closed = True


class Shell:
    serial = "PHONE1"

    def __init__(self) -> None:
        self.lines: list[str] = []

    def shell(self, command, *, timeout=10.0, cancel=None):
        self.lines.append(" ".join(command))
        return ShellResult(b"", b"", 0)


class GoesAway:
    """A phone that is gone once it was told to start a server."""

    begun = ""

    def push(self, *_files, cancel=None):
        pass

    def open(self, service, *_times):
        self.begun = service
        raise DeviceOffline("PHONE1", "gone")


def opened(*controls: Control) -> tuple[UnattendedInput, Shell]:
    shell, rest = Shell(), iter(controls)
    return UnattendedInput(shell, lambda: next(rest)), shell  # type: ignore[arg-type, return-value]


def tap(sink: UnattendedInput) -> None:
    for action in (TouchAction.DOWN, TouchAction.UP):
        sink.touch(action, 0, Position(Point(540, 2339), SCREEN))


def test_a_broken_connection_is_opened_again_and_nothing_is_lost():
    first, second = Control(lasts=2), Control()
    sink, shell = opened(first, second)
    tap(sink)
    tap(sink)
    assert (len(first.sent), len(second.sent), first.closed, shell.lines) == (2, 2, True, [])
    assert sink.max_pointers == 10
    sink.close()
    assert second.closed


def test_a_phone_without_scrcpy_is_touched_by_its_command():
    control = Control(starts=False)
    sink, shell = opened(control)
    assert (sink.name, sink.max_pointers, control.closed) == ("input", 1, True)
    tap(sink)
    assert shell.lines == ["input tap 540 2339"]


def test_a_server_that_does_not_come_back_is_replaced_by_the_command():
    sink, shell = opened(Control(lasts=0), Control(starts=False))
    sink.key(4)
    assert (sink.name, shell.lines) == ("input", ["input keyevent 4"])


def test_the_rest_of_a_gesture_is_not_sent_on_a_new_connection():
    sink, _shell = opened(Control(lasts=1), Control())
    sink.touch(TouchAction.DOWN, 0, Position(Point(1, 1), SCREEN))
    with pytest.raises(ScrcpyFailed):
        sink.touch(TouchAction.UP, 0, Position(Point(1, 1), SCREEN))


@pytest.mark.parametrize(
    ("version", "size"),
    [("2.1", Size(1080, 2336)), ("2.7", Size(1080, 2336)), ("3.0", SCREEN), ("4.1", SCREEN)],
)
def test_touches_name_the_size_that_each_server_expects(version, size):
    phone = GoesAway()
    link = ControlOnlyScrcpy(phone, ScrcpyServerJar(b"", ScrcpyVersion.parse(version), ""))  # type: ignore[arg-type]
    assert link.input_size(SCREEN) == size
    with pytest.raises(DeviceOffline):
        link.start()
    words = phone.begun.partition(f"{SERVER_CLASS} ")[2].removesuffix(" 2>&1").split()
    options = parse_server_arguments(words)
    assert {"video=false", "audio=false", "send_device_meta=false"} <= set(words)
    assert (options.video, options.audio, options.control, options.send_device_meta) == (
        False,
        False,
        True,
        False,
    )


@pytest.mark.parametrize("version", ["1.24", "2.0"])
def test_a_server_that_always_sends_a_video_is_not_started(version):
    with pytest.raises(ScrcpyFailed, match="cannot run without a video"):
        ControlOnlyScrcpy(None, ScrcpyServerJar(b"", ScrcpyVersion.parse(version), ""))  # type: ignore[arg-type]
    assert not any(
        word.startswith("video=") for word in server_arguments(ServerOptions(ScrcpyVersion.parse(version)))
    )


@pytest.fixture(scope="module")
def server():
    with adb_server() as private:
        yield AdbServer(private.port)


@pytest.fixture(scope="module")
def virtual(server):
    """A virtual phone whose height a video would round, and its device."""
    with virtual_device("launcher", "todo", "settings", size=SCREEN) as device:
        server.connect(device.address)
        yield device.phone, AdbDevice(device.address, server)
        server.disconnect(device.address)


@pytest.mark.shared_threads("adb", "adbd", "phone", "virtual", "scrcpy")
@pytest.mark.parametrize("version", ["3.3.4", "2.7"])
def test_a_virtual_phone_is_touched_and_turned_without_a_video(virtual, version):
    phone, device = virtual
    jar = ScrcpyServerJar(b"waymark", ScrcpyVersion.parse(version), "")
    sink = UnattendedInput(device, lambda: ControlOnlyScrcpy(device, jar))
    home = phone.focused.package
    try:
        assert sink.name == "scrcpy"
        for rotation in (0, 1, 0):
            phone.set_rotation(rotation)
            place = Position(place_to_tap(phone), phone.size)
            for action in (TouchAction.DOWN, TouchAction.UP):
                sink.touch(action, 0, place)
            wait_until(phone, lambda: phone.focused.package != home)
            sink.key(3)
            wait_until(phone, lambda: phone.focused.package == home)
    finally:
        sink.close()


@pytest.mark.shared_threads("adb", "adbd", "phone", "virtual", "scrcpy")
def test_a_phone_that_is_gone_refuses_the_first_input(server):
    sink = open_unattended_input(AdbDevice("127.0.0.1:1", server), virtual=True)
    assert sink.name == "input"
    with pytest.raises(DeviceError):
        sink.key(4)
    sink.close()
