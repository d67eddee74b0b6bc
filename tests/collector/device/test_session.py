"""A session on a virtual phone, through a real adb: pictures, trees, input, and what changes meanwhile."""

from __future__ import annotations

import gc
import queue
import subprocess
import weakref
from pathlib import Path

import av
import pytest

from collector.adb.dumpsys import ComponentName
from collector.device.device_info import read_app_version, read_foreground
from collector.device.transport.adb_server import AdbServer
from collector.model.geometry import Point, Position, Size
from collector.model.phone.touch import TouchAction
from collector.virtual.apps import make_apps
from collector.virtual.system.phone import Intent
from tests.helpers.phone_apps import DemoApp
from tests.helpers.virtual import virtual_device
from tests.helpers.watched import Watched

pytestmark = pytest.mark.shared_threads("adb", "adbd", "phone")
FORM, SECRET = (
    ComponentName("com.example.demo", f"com.example.demo.{name}")
    for name in ("FormActivity", "SecretActivity")
)


@pytest.fixture(scope="module")
def device():
    with virtual_device(apps=(*make_apps(("launcher",)), DemoApp())) as device:
        server = AdbServer()
        server.connect(device.address)
        yield device
        server.disconnect(device.address)


@pytest.fixture
def phone(device):
    phone = device.phone
    phone.force_stop("com.example.demo")
    phone.set_rotation(0)
    phone.start_activity(Intent(component=ComponentName("com.example.demo", "com.example.demo.MainActivity")))
    return phone


@pytest.fixture
def touches(phone, monkeypatch):
    """What reaches the phone's screen, as (action, x, y)."""
    seen: queue.Queue = queue.Queue()
    touch = phone.touch

    def noted(action, pointer, x, y):
        touch(action, pointer, x, y)
        seen.put((TouchAction(action), round(x), round(y)))

    monkeypatch.setattr(phone, "touch", noted)
    return seen


@pytest.mark.parametrize("source", ["scrcpy", "screenrecord", "screencap"])
def test_each_source_gives_pictures_and_the_session_gives_trees_until_it_is_closed(device, phone, source):
    decoders = _decoders()
    with Watched(device.address, frame_source=source) as watched:
        session = watched.session
        assert watched.wait("source") == source
        watched.wait("tree")
        frame, tree = session.newest_frame(), session.newest_tree()
        assert frame is not None
        assert frame.size == session.screen_size == Size(720, 1600)
        assert tree is not None
        assert tree.tree is not None
        assert session.foreground()[0] == tree.package == phone.focused.package
        assert session.info.is_virtual
        assert session.stats.fps > 0
        assert session.stats.latency_ms > 0
        picture = weakref.ref(frame)
        del frame, tree
    # Somebody may know the session for long; a picture and a decoder are 10 MB.
    assert (session.newest_frame(), session.newest_tree(), picture()) == (None, None, None)
    assert _decoders() <= decoders


def _decoders() -> int:
    return sum(type(item) is av.VideoCodecContext and item.is_decoder for item in gc.get_objects())


@pytest.mark.parametrize("source", ["scrcpy", "screenrecord", "screencap"])
def test_a_tree_follows_what_the_screen_shows_unasked(device, phone, source):
    with Watched(device.address, frame_source=source) as watched:
        watched.wait_tree("Apps")
        phone.start_activity(Intent(component=FORM))
        watched.wait_tree("Continue")
        tree = watched.session.newest_tree()
        assert tree.activity == FORM.activity
        assert tree.keyboard is not None
        assert tree.keyboard.bottom <= 1600


@pytest.mark.parametrize("source", ["scrcpy", "screenrecord"])
def test_a_tap_through_the_mirror_lands_on_what_the_tree_showed(device, touches, source):
    with Watched(device.address, frame_source=source) as watched:
        session = watched.session
        watched.wait_tree("Apps")
        target = next(node for node in session.newest_tree().tree if node.text == "Apps")
        place = Position(target.bounds.center, session.screen_size)
        session.touch(TouchAction.DOWN, 0, place)
        session.touch(TouchAction.UP, 0, place)
        for action in (TouchAction.DOWN, TouchAction.UP):
            sent, x, y = touches.get(timeout=20)
            assert sent is action
            assert Point(x, y).distance_to(place.point) <= 1


def test_text_of_any_script_arrives_whole(device, phone):
    text = "Grüße, 你好 👋🏽 " + "long " * 100
    with Watched(device.address, frame_source="scrcpy") as watched:
        watched.wait("source")
        phone.start_activity(Intent(component=FORM))
        watched.wait_tree("Continue")
        watched.session.text(text)
        watched.wait_tree(text)
        watched.session.key("select_all")
        watched.session.key("delete")
        watched.session.text("plain " * 60)
        watched.wait_tree("plain " * 60)


def test_text_the_input_command_cannot_type_is_refused_in_a_sentence(device, phone):
    with Watched(device.address, frame_source="screencap") as watched:
        watched.wait("source")
        watched.session.text("你好")
        assert "cannot be typed" in watched.wait("message")


def test_a_protected_window_is_told_and_so_is_its_end(device, phone):
    with Watched(device.address, frame_source="scrcpy") as watched:
        watched.wait_tree("Apps")
        phone.start_activity(Intent(component=SECRET))
        assert watched.wait("secure")
        assert watched.session.secure
        assert read_foreground(watched.session.device).secure
        watched.wait_tree("Nobody may photograph this")
        phone.key(4)
        assert not watched.wait("secure")
        assert not watched.session.secure


@pytest.mark.parametrize("source", ["scrcpy", "screenrecord", "screencap"])
def test_the_screen_turns_with_the_phone(device, phone, source):
    with Watched(device.address, frame_source=source) as watched:
        session = watched.session
        watched.wait_tree("Apps")
        phone.set_rotation(3)
        turned = Size(1600, 720)
        while (session.screen_size, session.rotation, session.newest_frame().size) != (turned, 3, turned):
            watched.wait("size")


@pytest.mark.fault("F17")
def test_a_gesture_is_cancelled_when_the_screen_turns_under_it(device, phone, touches):
    with Watched(device.address, frame_source="scrcpy") as watched:
        session = watched.session
        watched.wait_tree("Apps")
        upright = Size(720, 1600)
        session.touch(TouchAction.DOWN, 0, Position(Point(300, 800), upright))
        assert touches.get(timeout=20)[0] is TouchAction.DOWN
        phone.set_rotation(1)
        assert watched.wait("size") == "1600x720"
        session.touch(TouchAction.MOVE, 0, Position(Point(300, 810), upright))
        session.touch(TouchAction.UP, 0, Position(Point(300, 820), upright))
        session.touch(TouchAction.DOWN, 0, Position(Point(310, 820), upright))
        session.touch(TouchAction.DOWN, 0, Position(Point(900, 360), Size(1600, 720)))
        assert touches.get(timeout=20)[0] is TouchAction.CANCEL
        assert touches.get(timeout=20) == (TouchAction.DOWN, 900, 360)
        session.touch(TouchAction.UP, 0, Position(Point(900, 360), Size(1600, 720)))
        assert touches.get(timeout=20)[0] is TouchAction.UP


def test_an_overridden_size_and_density_are_those_of_the_session(device, phone):
    with Watched(device.address, frame_source="scrcpy") as watched:
        session = watched.session
        watched.wait_tree("Apps")
        session.device.shell("wm density 240; wm size 542x1203")
        try:
            # Video is made of whole blocks. A measure of the start may be late, and be ahead of the frame.
            while (session.screen_size, session.newest_frame().size) != (Size(542, 1203), Size(544, 1200)):
                watched.wait("size")
            assert session.density == 240
        finally:
            session.device.shell("wm size reset; wm density reset")


def test_the_version_of_an_app_is_read(device, phone):
    with Watched(device.address, frame_source="screencap") as watched:
        known = {package.package: package.version for package in phone.packages}
        assert read_app_version(watched.session.device, "com.example.demo") == known["com.example.demo"]
        assert read_app_version(watched.session.device, "com.example.none") == ""


def test_an_app_that_is_not_there_is_named(device, phone):
    with Watched(device.address, frame_source="screencap") as watched:
        watched.wait("source")
        watched.session.open_app("com.example.none")
        assert "com.example.none" in watched.wait("message")
        watched.session.open_app("no such app")
        assert "no such app" in watched.wait("message")


def test_unmodified_scrcpy_client_gets_frames_and_lands_keys(device, phone):
    scrcpy = pytest.importorskip("scrcpy")
    frames: queue.Queue = queue.Queue()
    client = scrcpy.Client(device=device.address)
    client.add_listener("frame", lambda frame: frames.put(frame) if frame is not None else None)
    client.start(daemon_threaded=True)
    try:
        assert frames.get(timeout=20).shape == (1600, 720, 3)
        assert client.resolution == (720, 1600)
        before = phone.capture().generation
        point = Point(360, 900)
        client.control.touch(point.x, point.y, scrcpy.ACTION_DOWN)
        client.control.touch(point.x, 300, scrcpy.ACTION_MOVE)
        client.control.touch(point.x, 300, scrcpy.ACTION_UP)
        client.control.keycode(scrcpy.KEYCODE_APP_SWITCH, scrcpy.ACTION_DOWN)
        client.control.keycode(scrcpy.KEYCODE_APP_SWITCH, scrcpy.ACTION_UP)
        assert phone.wait_picture(before, 10) is not None
    finally:
        client.stop()
        client.stream_loop_thread.join(10)


def test_version_of_the_packaged_jar_is_read_from_it():
    scrcpy = pytest.importorskip("scrcpy")

    from collector.device.video.scrcpy_server_jar import jar_version

    assert str(jar_version(Path(scrcpy.__file__).with_name("scrcpy-server.jar"))) in ("1.20", "1.24")
    assert jar_version(Path(subprocess.__file__)) is None


def test_settings_that_suit_the_phone_are_used_where_nothing_was_chosen(monkeypatch, tmp_path):
    """The phone is of a maker of whom the person has a profile."""
    monkeypatch.setenv("WAYMARK_HOME", str(tmp_path))
    own = tmp_path / "data" / "phones" / "mine.yaml"
    own.parent.mkdir(parents=True)
    own.write_text(
        "match: {manufacturers: [Example]}\n"
        "settings: {frame-source: screencap, tree-source: uiautomator, settle-ms: 700}\n"
    )
    with virtual_device("launcher", manufacturer="Example") as device:
        server = AdbServer()
        server.connect(device.address)
        with Watched(device.address) as watched:
            assert watched.wait("source") == "screencap"
            assert watched.session.profile.settings.settle_ms == 700
        with Watched(device.address, frame_source="screenrecord") as watched:
            assert watched.wait("source") == "screenrecord"
        server.disconnect(device.address)
