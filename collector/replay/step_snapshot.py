"""Snapshots of an emulator or a virtual phone where a step begins: what steps led to once is loaded later."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from collector.device.errors import CommandFailed
from collector.device.protocols import Cancel, Device
from collector.device.transport.emulator_console import run_console_command
from collector.reset.phone_reset import load_snapshot

_SAVE_S = 60.0


@dataclass(frozen=True, slots=True)
class StepSnapshot:
    """One snapshot by its name. It is on the phone itself, and a virtual phone keeps it until it ends."""

    name: str

    @classmethod
    def after(cls, steps: str, beginning: str) -> StepSnapshot:
        """The snapshot behind ``steps``, their digest, done on a phone of this ``beginning``.

        Another beginning, such as another variation, has another snapshot.
        """
        return cls("waymark-step-" + hashlib.sha256(f"{steps}\n{beginning}".encode()).hexdigest()[:16])

    def load(self, device: Device, cancel: Cancel) -> bool:
        """Go back to it; False when the phone has none of that name. Raises DeviceError, as NoConsole."""
        try:
            load_snapshot(device, self.name, cancel)
        except CommandFailed:
            return False
        return True

    def save(self, device: Device) -> None:
        """Keep the phone as it is. Raises DeviceError."""
        run_console_command(device, ["avd", "snapshot", "save", self.name], timeout=_SAVE_S)
