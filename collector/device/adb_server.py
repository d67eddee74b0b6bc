"""The adb server of this computer: start it, list its devices, connect to addresses. It is never killed.

adbutils is imported on first use, on the threads that talk to adb: it loads an HTTP client, and the window
should not wait for that.
"""

from __future__ import annotations

import os
import select
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from collector.device.errors import (
    CommandFailed,
    DeviceError,
    NoAdb,
    NotAnAdbServer,
    NotConnected,
    ServerGone,
    Unauthorized,
)
from collector.host.programs import find_program, run_program
from collector.host.sockets import is_answered
from collector.model.i18n import _

if TYPE_CHECKING:
    from adbutils import AdbConnection

DEFAULT_PORT = 5037
_ADB_VARIABLE = "ADBUTILS_ADB_PATH"
"""Names the adb program, also for adbutils."""
READY = "device"
"""The state adb gives a phone that takes commands."""
HOST = "127.0.0.1"
CONNECT_TIMEOUT = 12.0
"""adb itself waits 10 seconds for a silent device."""
_START_TIMEOUT = 20.0
_POLL_S = 0.2
"""How often a silent tracker checks whether it is closed."""


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


@dataclass(frozen=True, slots=True)
class ListedDevice:
    """A line of ``adb devices``; ``state`` is device, offline, unauthorized, ..."""

    serial: str
    state: str

    @property
    def is_ready(self) -> bool:
        """Whether the phone takes commands."""
        return self.state == READY


class AdbServer:
    """One adb server. Thread-safe: every call makes its own connection."""

    def __init__(self, port: int = 0, program: str = "") -> None:
        """``port`` 0 means the environment's port; an empty ``program`` means the adb of this computer."""
        self.port = port or server_port()
        self._program = program

    @property
    def program(self) -> str:
        """Path of the adb program; raises NoAdb when there is none."""
        if self._program:
            if not Path(self._program).is_file():
                raise NoAdb(_("There is no file {path}", path=self._program))
            return self._program
        found = os.environ.get(_ADB_VARIABLE) or find_program("adb") or _packaged_adb()
        if found is None:
            raise NoAdb("")
        return str(found)

    def run_program(self, command: str, seconds: float) -> subprocess.CompletedProcess[bytes]:
        """Run the adb program for this server, as with ``start-server``. Raises OSError and NoAdb."""
        return run_program([self.program, "-P", str(self.port), command], seconds=seconds)

    @property
    def is_running(self) -> bool:
        """Whether something listens on the port."""
        return is_answered(self.port)

    def ensure(self) -> None:
        """Start the server when it does not run; raises NoAdb or ServerGone."""
        if self.is_running:
            return
        try:
            result = self.run_program("start-server", seconds=_START_TIMEOUT)
        except OSError as error:
            raise ServerGone(str(error)) from error
        if result.returncode != 0 and not self.is_running:
            raise ServerGone(result.stderr.decode("utf-8", "replace").strip()[-300:])

    @contextmanager
    def talk(self, timeout: float) -> Iterator[AdbConnection]:
        """Open a connection to the server; every read on it ends within ``timeout`` seconds."""
        with _typed_errors(self.port, timeout):
            connection = self.connected(timeout)
            try:
                yield connection
            finally:
                connection.close()

    def query(self, service: str, timeout: float = 5.0) -> str:
        """Ask a ``host:`` service that answers with one block of text."""
        with self.talk(timeout) as connection:
            _ask(connection, service)
            return str(connection.read_string_block())

    def version(self) -> int:
        """Return the protocol version of the server; 41 for every recent adb."""
        return int(self.query("host:version"), 16)

    def devices(self) -> tuple[ListedDevice, ...]:
        """Return what ``adb devices`` lists."""
        return _listed(self.query("host:devices"))

    def track(self, closed: threading.Event) -> Iterator[tuple[ListedDevice, ...]]:
        """Yield the list of devices now and after each change, until ``closed`` or ServerGone."""
        with self.talk(timeout=5.0) as connection:
            _ask(connection, "host:track-devices")
            while not closed.is_set():
                if select.select([connection.conn], [], [], _POLL_S)[0]:
                    yield _listed(_block(connection))

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

    def connected(self, timeout: float) -> AdbConnection:
        """Return a connection, which the caller closes; raises ServerGone when no server runs."""
        if not self.is_running:
            raise ServerGone
        from adbutils import AdbClient

        connection = AdbClient(HOST, self.port).make_connection(timeout=timeout)
        connection.conn.settimeout(timeout)
        return connection


def _packaged_adb() -> Path | None:
    """The program that adbutils brings for this system; None when it brings none."""
    import adbutils

    program = Path(adbutils.__file__).parent / "binaries" / ("adb.exe" if os.name == "nt" else "adb")
    return program if os.access(program, os.X_OK) else None


def _reason(answer: str, address: str) -> str:
    """Return adb's reason without its "failed to connect to"."""
    for prefix in (f"failed to connect to '{address}'", f"failed to connect to {address}"):
        answer = answer.removeprefix(prefix)
    return answer.lstrip(": ")


def _ask(connection: AdbConnection, service: str) -> None:
    raw = service.encode("utf-8")
    connection.conn.sendall(b"%04x" % len(raw) + raw)
    connection.check_okay()


def _block(connection: AdbConnection) -> str:
    """Read one block; adbutils would take a closed connection for an empty string."""
    head = connection.read(4)
    if len(head) < 4:
        raise ServerGone
    body = connection.read(int(head, 16)) if head != b"0000" else b""
    return bytes(body).decode("utf-8", "replace")


def _listed(text: str) -> tuple[ListedDevice, ...]:
    pairs = (line.split("\t") for line in text.splitlines() if "\t" in line)
    return tuple(ListedDevice(pair[0], pair[1].strip()) for pair in pairs)


@contextmanager
def _typed_errors(port: int, timeout: float) -> Iterator[None]:
    from adbutils.errors import AdbConnectionError, AdbError, AdbTimeout

    try:
        yield
    except DeviceError:
        raise
    except (AdbTimeout, TimeoutError) as error:
        raise NotAnAdbServer(port, _("No answer for {seconds:.0f} s", seconds=timeout)) from error
    except AdbConnectionError as error:
        raise ServerGone(str(error)) from error
    except AdbError as error:
        if str(error).startswith("Unknown data"):
            raise NotAnAdbServer(port, str(error)) from error
        raise CommandFailed(_("adb refused: {text}", text=error)) from error
    except (OSError, EOFError, ValueError) as error:
        raise ServerGone(str(error)) from error
