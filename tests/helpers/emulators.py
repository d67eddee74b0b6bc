"""Virtual phones as emulators, at free pairs of ports far from those that every adb looks at."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from collector.host.emulator_ports import take_ports
from collector.virtual.device import VirtualDevice
from tests.helpers.virtual import profile

PORTS = range(5600, 5680, 2)


@contextlib.contextmanager
def virtual_emulator(*apps: str, **changes: object) -> Iterator[tuple[VirtualDevice, int]]:
    """An emulator in this process, and the port of its console."""
    taken = take_ports(PORTS)
    assert taken is not None
    lock, port = taken
    try:
        with VirtualDevice(profile(*apps, **changes), console=port) as device:
            yield device, port
    finally:
        lock.release()
