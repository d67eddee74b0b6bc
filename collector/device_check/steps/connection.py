"""The connection: how adb reaches the phone, and how fast."""

from __future__ import annotations

import os
import time
from pathlib import PurePosixPath

from collector.device.transport.adb_server import AdbServer
from collector.device_check.step import CheckStep, CheckStepRun
from collector.model.i18n import _

_ROUNDS = 10
_BYTES = 1 << 20
_FILE = PurePosixPath("/data/local/tmp/waymark-check.bin")
_SLOW_MS = 300.0
_SLOW_MB = 0.3
_TRIES = 2
"""The better one counts: this computer may be busy."""


class ConnectionStep(CheckStep):
    """Measures round trips and the speed of a file in both directions."""

    id = "connection"

    @property
    def title(self) -> str:
        return _("Connection to the phone")

    def run(self, run: CheckStepRun) -> None:
        run.observe("getprop", run.device.shell("getprop").text)
        run.measure("adb_server", AdbServer().version())
        run.measure("link", _link(run.device.serial))
        features = run.device.features()
        run.measure("features", " ".join(sorted(features)))
        times = []
        for _round in range(_ROUNDS):
            began = time.perf_counter()
            run.device.shell("true")
            times.append((time.perf_counter() - began) * 1000)
        answer = sorted(times)[_ROUNDS // 2]
        run.measure("round_trip", answer, "ms")
        run.changes.plan(_("a file of the check"), f"rm -f {_FILE}")
        speeds = [_copied(run) for _try in range(_TRIES)]
        sent, received = (max(each) for each in zip(*speeds, strict=True))
        run.measure("send", sent, "MB/s")
        run.measure("receive", received, "MB/s")
        if answer > _SLOW_MS or received < _SLOW_MB:
            run.lacks(
                "connection.speed",
                _("The connection is slow: use another cable or port, or USB instead of Wi-Fi"),
            )
        else:
            run.works("connection.speed")


def _copied(run: CheckStepRun) -> tuple[float, float]:
    """Megabytes a second to the phone and back."""
    data = os.urandom(_BYTES)
    began = time.perf_counter()
    run.device.push(data, _FILE)
    between = time.perf_counter()
    run.device.exec_out(f"cat {_FILE}")
    end = time.perf_counter()
    return _BYTES / 1e6 / (between - began), _BYTES / 1e6 / (end - between)


def _link(serial: str) -> str:
    if serial.startswith("emulator-"):
        return "emulator"
    if serial.startswith(("127.0.0.1:", "localhost:", "[::1]:")):
        return "loopback"
    return "network" if ":" in serial or "._adb" in serial else "usb"
