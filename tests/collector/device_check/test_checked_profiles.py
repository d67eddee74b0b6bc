"""The quick steps of a check, through a real adb: each phone shows its quirks, and a clean one none.

``make quirks`` runs whole checks on a phone like each profile of the studio.
"""

from __future__ import annotations

import pytest

from collector.device.transport.adb_device import AdbDevice
from collector.device.transport.adb_server import AdbServer
from collector.device_check.check import DeviceCheck
from collector.device_check.quirks import DETECTORS
from collector.device_check.steps.all_steps import chosen_steps
from collector.phone_profiles.registry import profile_called
from collector.virtual.device import VirtualDevice
from tests.helpers.virtual import profile

QUICK = ("connection", "storage", "trees", "touches")

pytestmark = pytest.mark.shared_threads("adb", "adbd", "phone")


@pytest.mark.parametrize("name", ["clean", "oppo", "samsung", "samsung-fold"])
def test_a_check_finds_what_was_switched_on(name):
    quirks = profile_called(name).quirks
    with VirtualDevice(profile("launcher", "settings").with_quirks(quirks)) as device:
        server = AdbServer()
        server.connect(device.address)
        results = DeviceCheck(AdbDevice(device.address), chosen_steps(QUICK), lambda _question: True).run()
        server.disconnect(device.address)
    assert sorted(results.quirks) == sorted(quirk for quirk in quirks if DETECTORS[quirk][0] in QUICK)
