"""Virtual devices for tests: in this process or as a command, and real adb servers on private ports."""

from __future__ import annotations

import contextlib
import os
import select
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from collector.host.sockets import free_port
from collector.model.geometry import Size
from collector.virtual.apps import make_apps
from collector.virtual.device import VirtualDevice
from collector.virtual.system.phone import PhoneProfile

SMALL = {"size": Size(360, 800), "density": 160}
"""A quarter of the usual pixels: they are drawn, coded, decoded and compared at every step."""
_READY_SECONDS = 60
_KILL_SECONDS = 20


def bundled_adb() -> str:
    """The adb 36 that comes with adbutils."""
    import adbutils

    return str(Path(adbutils.__file__).parent / "binaries" / "adb")


def adb_binaries() -> list[str]:
    """Every available real adb: the bundled one, and the system's."""
    programs = [bundled_adb()]
    system = shutil.which("adb")
    return [*programs, system] if system else programs


@dataclass(frozen=True)
class AdbServer:
    """A real adb with a server of its own on a private port."""

    binary: str
    port: int

    @property
    def environment(self) -> dict[str, str]:
        private = {
            "ANDROID_ADB_SERVER_PORT": str(self.port),
            "ADB_LOCAL_TRANSPORT_MAX_PORT": "5553",
            "ADB_USB": "0",
        }
        return os.environ | private

    def run(
        self, *words: str, data: bytes | None = None, timeout: float = 60
    ) -> subprocess.CompletedProcess[bytes]:
        """Run one adb command to its end."""
        stdin = None if data is not None else subprocess.DEVNULL
        return subprocess.run(
            [self.binary, *words],
            input=data,
            stdin=stdin,
            capture_output=True,
            env=self.environment,
            timeout=timeout,
            check=False,
        )

    def start(self, *words: str) -> subprocess.Popen[bytes]:
        """Start one adb command whose output is read as it comes."""
        return subprocess.Popen(
            [self.binary, *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=self.environment,
        )

    def connect(self, address: str) -> None:
        """Run ``adb connect``; fail the test when it does not connect."""
        answer = self.run("connect", address).stdout.decode()
        assert answer.startswith(("connected to", "already connected")), answer


@contextlib.contextmanager
def adb_server(binary: str | None = None) -> Iterator[AdbServer]:
    """A running server of its own, stopped afterwards."""
    server = AdbServer(binary or bundled_adb(), free_port())
    server.run("start-server")
    try:
        yield server
    finally:
        kill_adb_server(server.port, server.binary)


def kill_adb_server(port: int, binary: str | None = None) -> None:
    """End the adb server of a private port and wait for its end.

    A server of adb 36 that has said yes to ``kill-server`` can stand still while it exits, and its
    client with it: such a server gets SIGKILL.
    """
    words = [binary or bundled_adb(), "-P", str(port), "kill-server"]
    try:
        subprocess.run(words, capture_output=True, check=False, timeout=_KILL_SECONDS)
    except subprocess.TimeoutExpired:
        for process in adb_servers_of(port):
            with contextlib.suppress(ProcessLookupError):
                _kill(process)


def _kill(process: int) -> None:
    """Kill a process and wait for its end: until then its port takes connections, and resets them."""
    handle = os.pidfd_open(process)
    try:
        os.kill(process, signal.SIGKILL)
        select.select([handle], [], [], _KILL_SECONDS)
    finally:
        os.close(handle)


def adb_servers_of(port: int) -> list[int]:
    """Return the ids of the processes that ``adb fork-server`` started for the port."""
    servers = []
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            words = entry.read_bytes().split(b"\0")
            if b"fork-server" in words and f"tcp:{port}".encode() in words:
                servers.append(int(entry.parent.name))
    return servers


def profile(*apps: str, **changes: object) -> PhoneProfile:
    """A small phone with the named apps (all of them when none is named)."""
    values: dict[str, object] = {"apps": make_apps(apps)} | changes
    return PhoneProfile(**values)  # type: ignore[arg-type]


@contextlib.contextmanager
def virtual_device(*apps: str, **changes: object) -> Iterator[VirtualDevice]:
    """A virtual device in this process, listening on a free port."""
    with VirtualDevice(profile(*apps, **changes)) as device:
        yield device


@contextlib.contextmanager
def small_device(*apps: str) -> Iterator[VirtualDevice]:
    """A virtual device of 360 x 800, where no test depends on the size."""
    with virtual_device(*apps, **SMALL) as device:
        yield device


@contextlib.contextmanager
def virtual_process(*words: str) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """``waymark device virtual`` as a command, and its address once it is ready."""
    command = [sys.executable, "-m", "collector.cli.main", "device", "virtual", *words]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        line = read_line(process)
        assert line.startswith(b"ready 127.0.0.1:"), line
        yield process, line.split()[1].decode()
    finally:
        process.terminate()
        process.wait(20)
        for stream in (process.stdout, process.stderr):
            if stream:
                stream.close()


def read_line(process: subprocess.Popen[bytes], seconds: float = _READY_SECONDS, end: bytes = b"\n") -> bytes:
    """The output up to the next ``end``; fail the test when it does not come in time."""
    assert process.stdout is not None
    line = b""
    deadline = time.monotonic() + seconds
    while not line.endswith(end):
        readable, _, _ = select.select([process.stdout], [], [], max(0.0, deadline - time.monotonic()))
        part = os.read(process.stdout.fileno(), 1) if readable else b""
        if not part:
            pytest.fail(f"no line from {process.args!r}, only {line!r}")
        line += part
    return line
