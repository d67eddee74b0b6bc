"""An emulator that runs and cannot be used: which part of it hangs."""

from __future__ import annotations

import contextlib
import socket
from pathlib import Path

import pytest

from collector.device.health.phone_health import check_phone
from collector.device.transport.adb_device import AdbDevice
from collector.device.transport.adb_server import AdbServer
from collector.host.sockets import connect, free_port
from collector.run.phones import emulator_diagnosis
from collector.run.phones.emulator_diagnosis import why_it_hangs
from tests.helpers.emulators import virtual_emulator
from tests.helpers.virtual import adb_server

pytestmark = pytest.mark.shared_threads("adb", "console client")
STOPPED = "its machine stands still, as its console says"


@pytest.fixture
def adb(monkeypatch):
    monkeypatch.setattr(emulator_diagnosis, "_SECONDS", 20)
    with adb_server() as private:
        monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", str(private.port))
        yield private


@contextlib.contextmanager
def hurried_after_the_console(monkeypatch):
    """The console may answer as late as a loaded machine lets it; what is asked after it gets 0.4 s."""
    ask = emulator_diagnosis.run_console_command
    with monkeypatch.context() as changes:

        def ask_then_hurry(*words, **options):
            answer = ask(*words, **options)
            changes.setattr(emulator_diagnosis, "_SECONDS", 0.4)
            return answer

        changes.setattr(emulator_diagnosis, "run_console_command", ask_then_hurry)
        yield


def test_the_first_part_that_fails_is_named(adb, monkeypatch):
    server = AdbServer(adb.port)
    with virtual_emulator("todo") as (device, port):
        serial = f"emulator-{port}"

        def why() -> str:
            return why_it_hangs(serial, server)

        server.connect(serial)
        assert why() == ""
        device.machine.programs["pm"] = lambda _process: 20
        assert why() == "Android has started, and its package manager does not answer"
        health = check_phone(AdbDevice(serial, server))
        assert health.problem == "Android has not finished its start on this phone"
        device.machine.properties["sys.boot_completed"] = ""
        assert why() == "adb answers, and Android has not finished its start"
        device.faults.set("slow-shell", ms=5000)
        with hurried_after_the_console(monkeypatch):
            assert why().startswith("its console answers, and adb does not: The device did not answer within")
        device.faults.clear("slow-shell")
        token = (Path.home() / ".emulator_console_auth_token").read_text("ascii")
        with connect(port, 5) as console:
            console.sendall(f"auth {token}\navd stop\navd status\n".encode())
            while b"is stopped" not in console.recv(4096):
                pass
        assert why() == STOPPED
    assert why() == "The emulator's console does not answer"


def test_a_console_that_is_none_and_an_adb_that_does_not_know_it(adb, monkeypatch):
    with socket.create_server(("127.0.0.1", free_port())) as silent:
        serial = f"emulator-{silent.getsockname()[1]}"
        with monkeypatch.context() as changes:
            changes.setattr(emulator_diagnosis, "_SECONDS", 0.4)
            assert why_it_hangs(serial, AdbServer(adb.port)).startswith("The device did not answer within")
    monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", str(free_port()))  # where it cannot make itself known
    with virtual_emulator("todo") as (_device, port):
        assert why_it_hangs(f"emulator-{port}", AdbServer(adb.port)) == (
            "its console answers, and adb does not list it"
        )
