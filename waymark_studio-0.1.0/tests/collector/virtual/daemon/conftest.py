"""A phone behind each adb of this machine: the one of adbutils' wheel and that of the system."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from collector.virtual.device import VirtualDevice
from tests.helpers.virtual import AdbServer, adb_binaries, adb_server, virtual_device


@pytest.fixture(scope="module")
def phone() -> Iterator[VirtualDevice]:
    with virtual_device("todo") as device:
        yield device


@pytest.fixture(
    scope="module", params=adb_binaries(), ids=lambda path: "debian" if "/usr/" in path else "bundled"
)
def adb(request: pytest.FixtureRequest, phone: VirtualDevice) -> Iterator[AdbServer]:
    with adb_server(request.param) as server:
        server.connect(phone.address)
        yield server
