"""Whole checks of virtual phones that are like others: each finds exactly the quirks of its profile.

    python -m tests.benchmarks.checked_profiles [PROFILE]...

One line a profile, with what was missed or found besides. Ends with 1 when there was any. A check takes 20 s,
so that ``make test`` runs the detectors, and the quick steps on a few phones.
"""

from __future__ import annotations

import os
import sys
import time

from collector.device.transport.adb_device import AdbDevice
from collector.device_check.check import DeviceCheck
from collector.device_check.steps.all_steps import STEPS
from collector.phone_profiles.registry import built_in_names, profile_called
from collector.virtual.device import VirtualDevice
from tests.helpers.virtual import adb_server, profile

APPS = ("launcher", "settings", "shop", "companion")


def main(names: list[str]) -> int:
    """Return the exit status: 0 when each phone showed its quirks and no others."""
    wrong = 0
    with adb_server() as server:
        os.environ["ANDROID_ADB_SERVER_PORT"] = str(server.port)
        for name in names or built_in_names():
            quirks = set(profile_called(name).quirks)
            with VirtualDevice(profile(*APPS).with_quirks(quirks)) as device:
                server.connect(device.address)
                began = time.monotonic()
                check = DeviceCheck(AdbDevice(device.address), STEPS, lambda _question: True)
                found = set(check.run().quirks)
                seconds = time.monotonic() - began
                missed, besides = sorted(quirks - found), sorted(found - quirks)
                wrong += found != quirks
                print(f"{name}: {seconds:.0f} s, missed {missed}, besides {besides}", flush=True)
                server.run("disconnect", device.address)
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
