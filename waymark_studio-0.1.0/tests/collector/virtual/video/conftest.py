"""A phone with all its apps behind a real adb server."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from collector.virtual.device import VirtualDevice
from tests.helpers.virtual import AdbServer, adb_server, virtual_device


@pytest.fixture(scope="module")
def phone() -> Iterator[VirtualDevice]:
    with virtual_device() as device:
        yield device


@pytest.fixture(scope="module")
def adb(phone: VirtualDevice) -> Iterator[AdbServer]:
    with adb_server() as server:
        server.connect(phone.address)
        yield server
