"""The tracker tells of phones that come and go."""

import queue
import subprocess

import pytest

from collector.device.adb_server import AdbServer
from collector.device.device_tracker import DeviceTracker
from collector.device.doctor import diagnose
from tests.helpers.virtual import bundled_adb, free_port, virtual_device

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
        kill = [bundled_adb(), "-P", str(server.port), "kill-server"]
        subprocess.run(kill, capture_output=True, check=True)
        wait_for()
        wait_for("device")
        tracker.close()
        subprocess.run(kill, capture_output=True, check=True)
