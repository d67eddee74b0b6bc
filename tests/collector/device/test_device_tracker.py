"""The tracker tells of phones that come and go."""

import queue
import threading

import pytest

from collector.adb.smart_socket import OKAY, encode_block
from collector.device import device_tracker
from collector.device.device_tracker import DeviceTracker
from collector.device.errors import NotAnAdbServer, ServerGone, UnreadableServer
from collector.device.health.doctor import diagnose
from collector.device.transport import adb_server
from collector.device.transport.adb_server import AdbServer
from tests.helpers.hostile_adb import SERIAL, WELL, held, hostile_adb
from tests.helpers.virtual import free_port, kill_adb_server, virtual_device

pytestmark = pytest.mark.shared_threads("adb", "adbd", "device tracker")


def test_a_phone_appears_with_its_state_and_the_doctor_finds_it_well():
    changes: queue.Queue = queue.Queue()
    tracker = DeviceTracker()
    tracker.events.subscribe(changes.put)
    with virtual_device("todo") as device:
        tracker.start()
        tracker.connect(device.address)
        states: dict[str, str] = {}
        while states.get(device.address) != "device":
            states = {device.serial: device.state for device in changes.get(timeout=20).devices}
        findings = {finding.code: finding for finding in diagnose(tracker.server)}
        assert findings["device"].severity == "ok"
        assert findings["scrcpy"].severity == "ok"
        assert tracker.targets == (device.address,)
        tracker.close()
        tracker.forget(device.address)


def test_an_address_is_connected_again_after_its_adb_server_was_killed():
    changes: queue.Queue = queue.Queue()
    server = AdbServer(free_port())
    tracker = DeviceTracker(server)
    tracker.events.subscribe(changes.put)

    def wait_for(*states: str) -> None:
        while tuple(device.state for device in tracker.devices) != states:
            changes.get(timeout=20)

    with virtual_device("todo") as device:
        tracker.start()
        tracker.connect(device.address)
        wait_for("device")
        kill_adb_server(server.port)
        wait_for()
        wait_for("device")
        tracker.close()
        kill_adb_server(server.port)


def test_a_server_that_closes_between_two_lists_is_gone_and_not_unreadable():
    with hostile_adb({"host:track-devices": OKAY + encode_block(f"{SERIAL}\tdevice\n")}) as server:
        lists = AdbServer(server.port).track(threading.Event())
        assert len(next(lists)) == 1
        with pytest.raises(ServerGone, match="closed the connection") as failure:
            next(lists)
    assert type(failure.value) is ServerGone


def test_a_list_that_began_has_a_time_to_end(monkeypatch):
    goes_on = threading.Event()

    def answer(client):
        client.send(OKAY + encode_block(f"{SERIAL}\tdevice\n"))
        goes_on.wait(20)
        client.send(b"0010PHONE")
        client.hold()

    with hostile_adb({"host:track-devices": answer}) as server:
        lists = AdbServer(server.port).track(threading.Event())
        assert len(next(lists)) == 1
        monkeypatch.setattr(adb_server, "_BLOCK_S", 0.1)
        goes_on.set()
        with pytest.raises(UnreadableServer, match="takes longer than"):
            next(lists)


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (b"OKAY-001", UnreadableServer),
        (OKAY + encode_block("garbage"), UnreadableServer),
        (OKAY + b"0010PHONE", UnreadableServer),
        (b"OKAI", NotAnAdbServer),
    ],
)
def test_a_server_that_cannot_be_read_is_told_once_and_followed_again(monkeypatch, answer, error):
    monkeypatch.setattr(device_tracker, "_BACK_OFF", (0.01,))
    changes: queue.Queue = queue.Queue()
    with hostile_adb({"host:track-devices": answer}) as server:
        tracker = DeviceTracker(AdbServer(server.port))
        tracker.events.subscribe(changes.put)
        tracker.start()
        told = changes.get(timeout=20)
        assert (told.devices, type(told.error)) == ((), error)
        while len(server.asked) < 4:
            with pytest.raises(queue.Empty):
                changes.get(timeout=0.01)
        assert changes.empty()
        server.answers["host:track-devices"] = WELL["host:track-devices"]
        told = changes.get(timeout=20)
        assert ([phone.serial for phone in told.devices], told.error) == ([SERIAL], None)
        tracker.close()


def test_of_lists_that_came_at_once_the_last_one_counts():
    lists = [encode_block(f"{name}\tdevice\n") for name in ("old", "older", SERIAL)]
    with hostile_adb({"host:track-devices": held(OKAY + b"".join(lists))}) as server:
        closed, seen = threading.Event(), []
        for devices in AdbServer(server.port).track(closed):
            seen += [phone.serial for phone in devices]
            if SERIAL in seen:
                closed.set()
    assert seen[-1] == SERIAL
