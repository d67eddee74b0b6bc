"""A session outlives loose cables, killed servers and failing sources, and says each time what happened."""

from __future__ import annotations

import pytest

from collector.device.errors import Unauthorized
from collector.device.transport.adb_server import AdbServer
from collector.virtual.device import VirtualDevice
from tests.helpers.virtual import free_port, kill_adb_server, profile, virtual_device
from tests.helpers.watched import Watched

pytestmark = [
    pytest.mark.shared_threads("adb", "adbd", "phone", "virtual", "scrcpy control"),
    # adb speaks on of what it spoke before the cable came loose.
    pytest.mark.expected_log("a client was dropped"),
]


@pytest.fixture
def server():
    """A real adb server of this test's own."""
    server = AdbServer(free_port())
    server.ensure()
    yield server
    kill_adb_server(server.port)


@pytest.fixture
def device(server):
    with virtual_device("todo") as device:
        server.connect(device.address)
        yield device


def broken_server(process):
    process.out("[server] ERROR: java.lang.SecurityException: no display for you\n")
    return 1


@pytest.mark.parametrize("source", ["scrcpy", "screenrecord"])
@pytest.mark.fault("F2")
def test_a_cable_that_flaps_brings_the_same_source_back(device, server, source):
    with Watched(device.address, server=server, frame_source=source) as watched:
        watched.wait("tree")
        device.faults.drop()
        assert watched.wait("source") == source
        watched.wait("tree")
        frame = watched.session.newest_frame()
        assert frame is not None
        assert not watched.session.newest_tree().problem


@pytest.mark.fault("F1")
def test_a_phone_that_was_off_for_a_while_comes_back(server):
    first = VirtualDevice(profile("todo"))
    port = first.start()
    server.connect(first.address)
    with Watched(first.address, server=server) as watched:
        watched.wait("tree")
        seen = watched.session.newest_frame().sequence
        first.close()
        assert watched.wait("lost")
        assert watched.session.frame_source == ""
        with VirtualDevice(profile("todo"), port):
            watched.wait("back")
            assert watched.wait("source") == "scrcpy"
            watched.wait("tree")
            assert watched.session.newest_frame().sequence > seen


@pytest.mark.fault("F3")
def test_a_killed_adb_server_is_started_and_the_address_connected_again(device, server):
    with Watched(device.address, server=server) as watched:
        watched.wait("tree")
        kill_adb_server(server.port)
        assert watched.wait("lost")
        watched.wait("back")
        assert [listed.state for listed in server.devices()] == ["device"]


def test_a_phone_that_is_not_there_is_said_to_be_lost(server):
    with Watched("127.0.0.1:1", server=server) as watched:
        assert "127.0.0.1:1" in watched.wait("lost")


def test_a_disconnected_phone_is_noticed_at_once_when_somebody_says_so(device, server):
    with Watched(device.address, server=server, frame_source="screencap") as watched:
        watched.wait("source")
        server.disconnect(device.address)
        watched.session.check()
        assert device.address in watched.wait("lost")


@pytest.mark.fault("F7")
def test_a_server_that_will_not_start_gives_way_with_its_own_words(device, server):
    programs = device.machine.programs
    programs["com.genymobile.scrcpy.Server"] = broken_server
    with Watched(device.address, server=server) as watched:
        said = watched.wait("message")
        assert "no display for you" in said
        assert "shown by screenrecord" in said
        assert watched.wait("source") == "screenrecord"


@pytest.mark.fault("F7")
def test_with_neither_server_nor_recorder_there_are_screenshots(device, server):
    device.machine.programs["com.genymobile.scrcpy.Server"] = broken_server
    device.machine.programs["screenrecord"] = broken_server
    with Watched(device.address, server=server) as watched:
        assert watched.wait("source") == "screencap"
        watched.wait("tree")


def test_a_better_source_is_tried_again_later(device, server, monkeypatch):
    from collector.device.video import frame_supervisor as mirror

    monkeypatch.setattr(mirror, "RESTS", (0.2,))
    programs = device.machine.programs
    working = programs["com.genymobile.scrcpy.Server"]
    programs["com.genymobile.scrcpy.Server"] = broken_server
    with Watched(device.address, server=server) as watched:
        assert watched.wait("source") == "screenrecord"
        programs["com.genymobile.scrcpy.Server"] = working
        assert watched.wait("source") == "scrcpy"


def test_a_recording_is_begun_anew_before_its_limit(device, server):
    import queue

    from collector.device.transport.adb_device import AdbDevice
    from collector.device.video.screenrecord_source import ScreenrecordSource

    frames: queue.Queue = queue.Queue()
    link = AdbDevice(device.address, server)
    source = ScreenrecordSource(link, limit=0.4)
    source.start(frames.put, frames.put)
    try:
        keys = [frames.get(timeout=20) for _frame in range(12)]
        assert {frame.size for frame in keys} == {device.phone.size}
        assert source.stats.broken == 0
    finally:
        source.close()


def test_closing_in_the_middle_of_opening_ends_every_thread(device, server):
    for _time in range(5):
        with Watched(device.address, server=server):
            pass


@pytest.mark.fault("F5")
def test_a_phone_that_refused_is_used_once_it_agrees(server):
    with virtual_device("todo") as device:
        device.faults.authorized = False
        with pytest.raises(Unauthorized):
            server.connect(device.address)
        with Watched(device.address, server=server) as watched:
            assert "not allowed" in watched.wait("lost")
            device.faults.authorized = True
            watched.wait("back")
