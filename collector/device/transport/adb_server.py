"""The adb server of this computer: start it, list its devices, connect to addresses. It is never killed.

Whoever listens on its port may answer anything: every call ends within its time, and says when the answer
cannot be read. adbutils brings the program, and is not imported for it: it loads an HTTP client.
"""

from __future__ import annotations

import importlib.util
import os
import re
import select
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from collector.adb.smart_socket import OKAY, encode_block
from collector.device.errors import (
    CommandFailed,
    DeviceError,
    NoAdb,
    NotConnected,
    ServerGone,
    Unauthorized,
    UnreadableServer,
)
from collector.device.protocols import Cancel
from collector.device.transport.listed_devices import ListedDevice, parse_devices
from collector.device.transport.server_connection import RequestRefused, ServerConnection
from collector.host.android_folders import find_sdk_program
from collector.host.programs import find_program, run_program
from collector.host.sockets import is_answered
from collector.model.i18n import _

DEFAULT_PORT = 5037
_ADB_VARIABLE = "ADBUTILS_ADB_PATH"
"""Names the adb program, also for adbutils."""
CONNECT_TIMEOUT = 12.0
"""adb itself waits 10 seconds for a silent device."""
_START_TIMEOUT = 20.0
_BLOCK_S = 5.0
"""How long one answer of a server may take."""
_POLL_S = 0.2
"""How often a silent tracker checks whether it is closed."""
_MOST_LISTS = 100
"""Lists that are skipped at once; a server may send them without an end."""
_EMULATOR = re.compile(r"emulator-([1-9][0-9]{3,4})")
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
        found = os.environ.get(_ADB_VARIABLE) or find_program("adb")
        found = found or find_sdk_program("platform-tools", "adb") or _packaged_adb()
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
            raise ServerGone(error.strerror or str(error)) from error
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
                raise ServerGone(error.strerror or str(error)) from error

    def query(self, service: str, seconds: float = _BLOCK_S, cancel: Cancel | None = None) -> str:
        """Ask a ``host:`` service that answers with one block of text."""
        with self.talk(seconds, cancel) as connection:
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

    def connect(self, address: str, cancel: Cancel | None = None) -> None:
        """Run ``adb connect``; raises Unauthorized, NotConnected with adb's reason, or CallCancelled.

        An emulator, by its name, is reached as it makes itself known.
        """
        self.ensure()
        if emulator := _EMULATOR.fullmatch(address):
            self._reach_emulator(address, int(emulator[1]) + 1, cancel)
            return
        answer = self.query(f"host:connect:{address}", CONNECT_TIMEOUT, cancel).strip()
        if "failed to authenticate" in answer:
            raise Unauthorized(address)
        if not answer.startswith(("connected to", "already connected")):
            raise NotConnected(address, _reason(answer, address))

    def _reach_emulator(self, serial: str, adbd_port: int, cancel: Cancel | None) -> None:
        if not is_answered(adbd_port):
            raise NotConnected(serial, _("nothing answers on port {port}", port=adbd_port))
        with self.talk(_BLOCK_S, cancel) as connection:
            connection.send(encode_block(f"host:emulator:{adbd_port}"))
            connection.read(len(OKAY))  # the server hangs up without an answer
        with self.talk(CONNECT_TIMEOUT, cancel) as connection:
            connection.request(f"host-serial:{serial}:wait-for-any-device")
            if connection.read(len(OKAY)) != OKAY:
                raise NotConnected(serial, _("adb does not see it"))

    def reconnect(self, address: str) -> None:
        """Disconnect and connect: ``connect`` alone takes an address listed as offline for connected."""
        self.ensure()
        self.disconnect(address)
        self.connect(address)

    def disconnect(self, address: str, cancel: Cancel | None = None) -> None:
        """Run ``adb disconnect``; an unknown address is no error."""
        try:
            self.query(f"host:disconnect:{address}", cancel=cancel)
        except CommandFailed:
            return


def _packaged_adb() -> Path | None:
    """The program that adbutils brings for this system; None when it brings none."""
    spec = importlib.util.find_spec("adbutils")
    folders = list(spec.submodule_search_locations or ()) if spec is not None else []
    name = "adb.exe" if os.name == "nt" else "adb"
    programs = (Path(folder) / "binaries" / name for folder in folders)
    return next((program for program in programs if os.access(program, os.X_OK)), None)


def _reason(answer: str, address: str) -> str:
    """Return adb's reason without its "failed to connect to"."""
    for prefix in (f"failed to connect to '{address}'", f"failed to connect to {address}"):
        answer = answer.removeprefix(prefix)
    return answer.lstrip(": ")
