"""Another account of this computer listens on a port first: it gets no secret, and is recognized."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from collector.device.errors import CommandFailed
from collector.device.health.host_checks import check_host
from collector.device.transport.adb_server import AdbServer
from collector.device.transport.emulator_console import _ask_emulator
from collector.run.control.run_client import _connected
from collector.run.control.runner_file import NoRunner, RunnerAddress

SYSTEM_PYTHON = Path("/usr/bin/python3")
STRANGER = 65534
pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or os.geteuid() != 0 or not SYSTEM_PYTHON.exists(),
    reason="starts the Python of the system as another account",
)
# Greets as an emulator's console does, and answers whatever comes as an adb server does.
LISTENER = """
import contextlib, socket, sys
server = socket.create_server(("127.0.0.1", 0))
print(server.getsockname()[1], flush=True)
while True:
    connection, _address = server.accept()
    with connection, contextlib.suppress(OSError):  # a client that only asks who listens is gone already
        connection.sendall(sys.argv[1].encode())
        print("GOT", connection.recv(4096), flush=True)
"""
"""Prints its port, then what each client says first."""


@pytest.fixture
def stranger() -> Iterator[tuple[int, subprocess.Popen[bytes]]]:
    words = [SYSTEM_PYTHON, "-I", "-c", LISTENER, "Android Console: Authentication required\r\nOK\r\n"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, user=STRANGER) as process:
        assert process.stdout is not None
        yield int(process.stdout.readline()), process
        process.kill()


def test_the_token_of_emulators_goes_to_no_other_account(stranger, tmp_path, monkeypatch):
    port, process = stranger
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / ".emulator_console_auth_token").write_text("the-token")
    with pytest.raises(CommandFailed, match=f"another account of this computer listens on port {port}"):
        _ask_emulator(port, "avd name", 5)
    assert process.stdout.readline() == b"GOT b''\n"  # nothing, and then the end


def test_the_token_of_a_run_goes_to_no_other_account(stranger):
    port, _process = stranger
    address = RunnerAddress("trial", 1, platform.node(), port, "the-token", "")
    with pytest.raises(NoRunner, match="another account of this computer listens in its place"):
        _connected(address)


def test_an_adb_server_of_another_account_is_said(stranger):
    port, _process = stranger
    finding = check_host(AdbServer(port))[0]
    assert (finding.code, finding.severity) == ("foreign_adb", "problem")
    assert f"it listens on port {port}" in finding.why
