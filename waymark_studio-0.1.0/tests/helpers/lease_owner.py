"""Another program that has the lease of a phone, in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from typing import Self

_PROGRAM = """
import sys
from collector.device.transport.adb_device import AdbDevice
from collector.device.device_lease import REPLAY, lease_device
from collector.model.errors import UserError
try:
    lease = lease_device(AdbDevice(sys.argv[1]), "waymark trajectory replay", REPLAY)
except UserError as error:
    sys.exit(str(error))
print("leased", flush=True)
sys.stdin.read()
"""


class LeaseOwner:
    """Replays on a phone, as its note says, until it is killed. Use it as a context."""

    def __init__(self, serial: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", _PROGRAM, serial],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        assert self.process.stdout is not None
        self.leased = self.process.stdout.readline() == b"leased\n"
        """Whether it got the phone."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *details: object) -> None:
        self.kill()

    @property
    def pid(self) -> int:
        return self.process.pid

    def kill(self) -> str:
        """End it as the system does when memory is short; return what it complained about."""
        assert self.process.stdin is not None
        if self.process.stdin.closed:
            return ""
        self.process.kill()
        return self.process.communicate()[1].decode()
