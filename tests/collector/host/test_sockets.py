"""Sockets: whose process is at the other end, and who listens on a port."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from collector.host import sockets

ANOTHER = 65534
"""An account that is not this one; root can start programs as it."""
SYSTEM_PYTHON = Path("/usr/bin/python3")
"""One that any account can start, unlike that of an environment in a home folder."""
as_root = pytest.mark.skipif(
    getattr(os, "geteuid", lambda: 1)() != 0 or not SYSTEM_PYTHON.exists(),
    reason="starts the Python of the system as another account",
)
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux says who listens on a port")
LISTENER = """
import socket, sys
server = socket.create_server(("127.0.0.1", 0))
print(server.getsockname()[1], flush=True)
sys.stdin.read()
"""
CLIENT = """
import socket, sys
client = socket.socket(socket.AF_UNIX)
client.connect(sys.argv[1])
sys.stdin.read()
"""


def test_what_is_listened_on_is_answered_and_not_free():
    with sockets.listen() as server:
        port = server.getsockname()[1]
        assert sockets.is_answered(port)
        assert not sockets.is_free(port)
        sockets.connect(port, 5).close()
    assert not sockets.is_answered(port)
    assert sockets.is_free(port)


@on_linux
def test_a_free_port_is_none_that_a_client_may_get():
    """adb asked such a port for its server, got it itself, and took its own words for a broken answer."""
    first, last = map(int, Path("/proc/sys/net/ipv4/ip_local_port_range").read_text("utf-8").split())
    ports = [sockets.free_port() for _number in range(50)]
    assert not [port for port in ports if first <= port <= last]
    assert all(map(sockets.is_free, ports))


@on_linux
def test_this_account_listens_on_its_own_port():
    with sockets.listen() as server:
        assert sockets.listener_account(server.getsockname()[1]) == os.getuid()
        assert sockets.is_trusted_listener(server.getsockname()[1])


def test_who_listens_on_a_free_port_is_unknown():
    with sockets.listen() as server:
        port = server.getsockname()[1]
    assert sockets.listener_account(port) is None


@on_linux
@as_root
def test_a_listener_of_another_account_is_not_trusted():
    with subprocess.Popen(
        [SYSTEM_PYTHON, "-I", "-c", LISTENER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, user=ANOTHER
    ) as process:
        assert process.stdout is not None
        port = int(process.stdout.readline())
        assert sockets.listener_account(port) == ANOTHER
        assert not sockets.is_trusted_listener(port)


@pytest.mark.skipif(not hasattr(socket, "AF_UNIX"), reason="named pipes have access rights instead")
def test_the_other_end_of_a_pair_is_of_this_account():
    first, second = socket.socketpair()
    with first, second:
        assert sockets.is_of_this_account(first.fileno())
        second.close()
        assert first.fileno() > 0  # it was looked at, not taken over


@as_root
def test_a_client_of_another_account_is_told_apart(tmp_path: Path):
    for folder in (tmp_path, *tmp_path.parents[:3]):
        folder.chmod(folder.stat().st_mode | 0o055)  # the last one may be /tmp, which stays sticky
    path = tmp_path / "s"
    with socket.socket(socket.AF_UNIX) as server:
        server.settimeout(30)
        server.bind(str(path))
        server.listen()
        path.chmod(0o777)
        with subprocess.Popen(
            [SYSTEM_PYTHON, "-I", "-c", CLIENT, str(path)], stdin=subprocess.PIPE, user=ANOTHER
        ):
            connection, _address = server.accept()
            with connection:
                assert not sockets.is_of_this_account(connection.fileno())
