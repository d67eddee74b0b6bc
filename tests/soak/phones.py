"""A virtual phone as a process, behind an adb server of its own; both can break and come back."""

from __future__ import annotations

import signal
import subprocess
import sys
import time

from collector.host.sockets import free_port
from tests.helpers.virtual import AdbServer, bundled_adb, kill_adb_server, read_line

_SILENT_S, _GONE_S = 4.0, 3.0
_WAIT_S = 20
_COMMAND = ("-m", "collector.cli.main", "device")


class Phone:
    """A phone at one address. After a fault it comes back by itself, at the next :meth:`look` that is due."""

    def __init__(self) -> None:
        self.adb = AdbServer(bundled_adb(), free_port())
        self._port = free_port()
        self._process: subprocess.Popen[bytes] | None = None
        self._back_at = 0.0

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self._port}"

    def open(self) -> None:
        """Start the phone and connect adb to it."""
        words = ["virtual", "--port", str(self._port), "--size", "300x666", "--density", "133"]
        self._process = subprocess.Popen(
            [sys.executable, *_COMMAND, *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        assert read_line(self._process).startswith(b"ready")
        self.adb.run("connect", self.address)

    def close(self) -> None:
        self._end()
        kill_adb_server(self.adb.port, self.adb.binary)

    def look(self) -> None:
        """Let the phone come back when its time has come."""
        if self._back_at and time.monotonic() >= self._back_at:
            self.recover()

    def recover(self) -> None:
        """Be there and answer again."""
        self._back_at = 0.0
        assert self._process is not None
        if self._process.poll() is not None:
            self.open()
        self._process.send_signal(signal.SIGCONT)
        self.adb.run("connect", self.address)

    def kill_adb(self) -> None:
        kill_adb_server(self.adb.port, self.adb.binary)

    def unplug(self) -> None:
        self._end()
        self._back_at = time.monotonic() + _GONE_S

    def freeze(self) -> None:
        """Keep the connections, and say nothing."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)
        self._back_at = time.monotonic() + _SILENT_S

    def _end(self) -> None:
        if self._process is not None and self._process.poll() is None:
            self._process.kill()
            self._process.wait(_WAIT_S)
        if self._process is not None and self._process.stdout is not None:
            self._process.stdout.close()
