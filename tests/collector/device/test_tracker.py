"""The tracker tells of phones that come and go."""

import queue

import pytest

from collector.device.doctor import diagnose
from collector.device.tracker import DeviceTracker
from tests.helpers.virtual import virtual_device

pytestmark = pytest.mark.shared_threads("adb", "adbd", "device tracker")


def test_a_phone_appears_with_its_state_and_the_doctor_finds_it_well():
    told: queue.Queue = queue.Queue()
    tracker = DeviceTracker()
    tracker.events.add(told.put)
    with virtual_device("todo") as device:
        tracker.start()
        tracker.connect(device.address)
        states: dict[str, str] = {}
        while states.get(device.address) != "device":
            states = {one.serial: one.state for one in told.get(timeout=20).devices}
        findings = {one.code: one for one in diagnose(tracker.server)}
        assert findings["device"].severity == "ok"
        assert findings["scrcpy"].severity == "ok"
        assert tracker.targets == (device.address,)
        tracker.close()
        tracker.forget(device.address)
