"""The adb server of this computer: start it, list its devices, connect to addresses. It is never killed.

Whoever listens on its port may answer anything: every call ends within its time, and says when the answer
cannot be read. adbutils brings the program, and is imported when that is needed: it loads an HTTP client.
"""

from __future__ import annotations

import os
import re
import select
import socket
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from collector.device.errors import (
    CommandFailed,
    DeviceError,
    NoAdb,
    NotConnected,
    ServerGone,
    Unauthorized,
    UnreadableServer,
)
from collector.device.listed_devices import ListedDevice, parse_devices
from collector.device.protocols import Cancel
from collector.device.server_connection import HOST, RequestRefused, ServerConnection
from collector.model.i18n import _

DEFAULT_PORT = 5037
CONNECT_TIMEOUT = 12.0
"""adb itself waits 10 seconds for a silent device."""
_START_TIMEOUT = 20.0
_BLOCK_S = 5.0
"""How long one answer of a server may take."""
_POLL_S = 0.2
"""How often a silent tracker checks whether it is closed."""
_MOST_LISTS = 100
"""Lists that are skipped at once; a server may send them without an end."""
_VERSION = re.compile(r"[0-9a-fA-F]{4}")


def server_port() -> int:
    """Return the port of adb in this environment; raises DeviceError for an invalid variable."""
    text = os.environ.get("ANDROID_ADB_SERVER_PORT", "")
    if not text:
        return DEFAULT_PORT
    if not text.isdecimal() or not 0 < int(text) < 1 << 16:
        raise DeviceError(
            _("ANDROID_ADB_SERVER_PORT is no port: {text}", text=text),
            "",
            _("Set it to a number from 1 to 65535, or unset it"),
        )
    return int(text)


class AdbServer:
    """One adb server. Thread-safe: every call makes its own connection."""

    def __init__(self, port: int = 0, program: str = "") -> None:
        """``port`` 0 means the environment's port; an empty ``program`` means the adb of adbutils."""
        self.port = port or server_port()
        self._program = program

    @property
    def program(self) -> str:
        """Path of the adb program; raises NoAdb when there is none."""
        if self._program:
            if not Path(self._program).is_file():
                raise NoAdb(_("There is no file {path}", path=self._program))
            return self._program
        try:
            from adbutils import adb_path

            return str(adb_path())
        except RuntimeError as error:
            raise NoAdb(str(error)) from error

    @property
    def is_running(self) -> bool:
        """Whether something listens on the port."""
        with socket.socket() as probe:
            probe.settimeout(0.5)
            return probe.connect_ex((HOST, self.port)) == 0

    def ensure(self) -> None:
        """Start the server when it does not run; raises NoAdb or ServerGone."""
        if self.is_running:
            return
        command = [self.program, "-P", str(self.port), "start-server"]
        hidden = getattr(subprocess, "CREATE_NO_WINDOW", 0)
        try:
            result = subprocess.run(
                command, capture_output=True, timeout=_START_TIMEOUT, check=False, creationflags=hidden
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise ServerGone(str(error)) from error
        if result.returncode != 0 and not self.is_running:
            raise ServerGone(result.stderr.decode("utf-8", "replace").strip()[-300:])

    @contextmanager
    def talk(self, seconds: float, cancel: Cancel | None = None) -> Iterator[ServerConnection]:
        """Open a connection; all that is sent and read on it ends within ``seconds``. Raises DeviceError."""
        with ServerConnection(self.port, seconds, cancel) as connection:
            try:
                yield connection
            except RequestRefused as error:
                raise CommandFailed(_("adb refused: {text}", text=error)) from error
            except TimeoutError as error:
                raise connection.too_late() from error
            except OSError as error:
                raise ServerGone(str(error)) from error

    def query(self, service: str, seconds: float = _BLOCK_S) -> str:
        """Ask a ``host:`` service that answers with one block of text."""
        with self.talk(seconds) as connection:
            connection.request(service)
            return connection.block()

    def version(self) -> int:
        """Return the protocol version of the server; 41 for every recent adb."""
        text = self.query("host:version")
        if not _VERSION.fullmatch(text):
            raise UnreadableServer(self.port, _("It gives {text} for its version", text=ascii(text[:40])))
        return int(text, 16)

    def devices(self) -> tuple[ListedDevice, ...]:
        """Return what ``adb devices`` lists."""
        return parse_devices(self.query("host:devices"), self.port)

    def track(self, closed: threading.Event) -> Iterator[tuple[ListedDevice, ...]]:
        """Yield the list of devices now and after each change, until ``closed`` or ServerGone.

        Of lists that are there already the last one: older ones tell nothing any more.
        """
        with self.talk(_BLOCK_S, closed) as connection:
            connection.request("host:track-devices")
            while not closed.is_set():
                if not select.select([connection], [], [], _POLL_S)[0]:
                    continue
                for _list in range(_MOST_LISTS):
                    connection.allow(_BLOCK_S)
                    newest = parse_devices(connection.block(), self.port)
                    if not connection.has_data:
                        break
                yield newest

    def connect(self, address: str) -> None:
        """Run ``adb connect``; raises Unauthorized, or NotConnected with adb's reason."""
        self.ensure()
        answer = self.query(f"host:connect:{address}", CONNECT_TIMEOUT).strip()
        if "failed to authenticate" in answer:
            raise Unauthorized(address)
        if not answer.startswith(("connected to", "already connected")):
            raise NotConnected(address, _reason(answer, address))

    def reconnect(self, address: str) -> None:
        """Disconnect and connect: ``connect`` alone takes an address listed as offline for connected."""
        self.ensure()
        self.disconnect(address)
        self.connect(address)

    def disconnect(self, address: str) -> None:
        """Run ``adb disconnect``; an unknown address is no error."""
        try:
            self.query(f"host:disconnect:{address}")
        except CommandFailed:
            return


def _reason(answer: str, address: str) -> str:
    """Return adb's reason without its "failed to connect to"."""
    for prefix in (f"failed to connect to '{address}'", f"failed to connect to {address}"):
        answer = answer.removeprefix(prefix)
    return answer.lstrip(": ")
