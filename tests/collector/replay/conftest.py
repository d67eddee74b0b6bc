"""A virtual phone behind a real adb, and what a replay needs of it."""

from __future__ import annotations

import pytest

from collector.device.adb_device import AdbDevice
from collector.device.adb_server import AdbServer
from collector.replay.phone import opened_phone
from tests.helpers.virtual import adb_server, virtual_device


@pytest.fixture(scope="module")
def device():
    """A virtual phone with the to-do app, the settings and the companion app, on an adb of its own."""
    with adb_server() as private, virtual_device("launcher", "todo", "settings", "companion") as device:
        server = AdbServer(private.port)
        server.connect(device.address)
        device.adb_port = private.port
        yield device
        server.disconnect(device.address)


@pytest.fixture
def phone(device):
    with opened_phone(AdbDevice(device.address, AdbServer(device.adb_port))) as phone:
        yield phone
