"""A virtual phone behind a real adb, and what a replay needs of it."""

from __future__ import annotations

import pytest

from collector.device.transport.adb_device import AdbDevice
from collector.device.transport.adb_server import AdbServer
from collector.replay.phone import opened_phone
from collector.store.project.project import Project
from tests.helpers.golden import add_a_task
from tests.helpers.virtual import adb_server, small_device


@pytest.fixture(scope="module")
def device():
    """A virtual phone with the to-do app, the settings and the companion app, on an adb of its own."""
    with adb_server() as private, small_device("launcher", "todo", "settings", "companion") as device:
        server = AdbServer(private.port)
        server.connect(device.address)
        device.adb_port = private.port
        yield device
        server.disconnect(device.address)


def _opened(device):
    return opened_phone(AdbDevice(device.address, AdbServer(device.adb_port)))


@pytest.fixture
def phone(device):
    with _opened(device) as phone:
        yield phone


@pytest.fixture(scope="module")
def recording(device, tmp_path_factory):
    """A golden trajectory of a task of the to-do app, recorded once."""
    with _opened(device) as phone:
        return add_a_task(phone, Project.create(tmp_path_factory.mktemp("recording") / "project"))
