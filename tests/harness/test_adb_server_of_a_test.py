"""A test that ends its adb server ends it, and is not held by it."""

import os
import signal

from tests.helpers import virtual
from tests.helpers.virtual import AdbServer, bundled_adb, free_port, kill_adb_server


def test_a_server_that_stands_still_is_killed(monkeypatch):
    monkeypatch.setattr(virtual, "_KILL_SECONDS", 0.3)
    server = AdbServer(bundled_adb(), free_port())
    server.run("start-server")
    (process,) = virtual.adb_servers_of(server.port)
    os.kill(process, signal.SIGSTOP)
    kill_adb_server(server.port)
    assert b"failed to connect" in server.run("connect", "127.0.0.1:1").stdout  # by a new server
    assert process not in virtual.adb_servers_of(server.port)
    kill_adb_server(server.port)
