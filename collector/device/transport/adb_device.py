"""One phone behind the adb server. Every call as a whole has a time limit, and typed errors."""

from __future__ import annotations

import contextlib
import socket
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePosixPath

from collector.adb import sync_protocol as sync
from collector.adb.messages import ProtocolError
from collector.adb.quoting import join
from collector.adb.shell_protocol import ShellPacket, ShellPacketDecoder, ShellPacketId
from collector.device.errors import (
    CommandFailed,
    DeviceError,
    DeviceNotFound,
    DeviceOffline,
    DeviceTimeout,
    ServerGone,
    Unauthorized,
)
from collector.device.protocols import Cancel
from collector.device.transport.adb_server import AdbServer
from collector.device.transport.server_connection import RequestRefused, ServerConnection
from collector.device.transport.shell_result import ShellResult
from collector.model.i18n import _

TIMEOUT = 10.0
_CHUNK = 1 << 16
MAX_BYTES = 64 << 20
"""Bytes of one answer; the pixels of a large screen have 20 MB."""
_MOST_WORDS = 4096
"""Bytes of a phone's own words on a file that it does not take."""


class AdbDevice:
    """A :class:`~collector.device.protocols.Device` behind the adb server. Thread-safe."""

    def __init__(self, serial: str, server: AdbServer | None = None, cancel: Cancel | None = None) -> None:
        """``cancel`` ends the calls that are given none of their own."""
        self._serial, self._cancel = serial, cancel
        self._server = server or AdbServer()

    def until(self, cancel: Cancel) -> AdbDevice:
        """This phone for work that ends once ``cancel`` is set, however silent the phone is."""
        return AdbDevice(self._serial, self._server, cancel)

    @property
    def serial(self) -> str:
        return self._serial

    def open(self, service: str, timeout: float = TIMEOUT, cancel: Cancel | None = None) -> socket.socket:
        """Connect a socket to a service of the phone, as ``shell,v2,raw:ls``; the caller closes it.

        It is for streams without an end; ``timeout`` is for the connection alone.
        """
        return self._connected(service, service, timeout, cancel).stream()

    def features(self) -> frozenset[str]:
        """What adb and the phone can both do, by adb's names such as ``shell_v2``. Raises DeviceError."""
        return frozenset(self._server.query(f"host-serial:{self._serial}:features").split(","))

    def _connected(self, service: str, what: str, timeout: float, cancel: Cancel | None) -> ServerConnection:
        """Connect to a service; ``what`` names it in error messages."""
        seconds = min(timeout, TIMEOUT)
        connection = ServerConnection(self._server.port, seconds, cancel or self._cancel)
        try:
            with _request_errors(self._serial, what, seconds):
                # The older form of the request: every adb version answers it with a bare OKAY.
                connection.request(f"host:transport:{self._serial}")
                connection.request(service)
        except BaseException:
            connection.close()
            raise
        return connection

    def shell(
        self, command: str | Sequence[str], *, timeout: float = TIMEOUT, cancel: Cancel | None = None
    ) -> ShellResult:
        line = command if isinstance(command, str) else join(command)
        decoder, out, err, status = ShellPacketDecoder(), bytearray(), bytearray(), None
        for data in self._read(f"shell,v2,raw:{line}", line, timeout, cancel):
            for packet in _packets(decoder, data):
                if packet.id == ShellPacketId.STDOUT:
                    out += packet.data
                elif packet.id == ShellPacketId.STDERR:
                    err += packet.data
                elif packet.id == ShellPacketId.EXIT and packet.data:
                    status = packet.data[0]
        if status is None:
            # A command that ended sends its status; without one the output may be incomplete.
            raise DeviceOffline(self._serial, _("The connection was cut in the middle of an answer"))
        return ShellResult(bytes(out), bytes(err), status)

    def exec_out(
        self, command: str | Sequence[str], *, timeout: float = TIMEOUT, cancel: Cancel | None = None
    ) -> bytes:
        line = command if isinstance(command, str) else join(command)
        return b"".join(self._read(f"exec:{line}", line, timeout, cancel))

    def exchange(
        self, service: str, data: bytes, *, timeout: float = TIMEOUT, cancel: Cancel | None = None
    ) -> bytes:
        """Send ``data`` to a service of the phone, as ``tcp:9008``, and read its answer to the end."""
        return b"".join(self._read(service, service, timeout, cancel, data))

    def push(
        self, data: bytes | Iterable[bytes], target: PurePosixPath, *, timeout: float = TIMEOUT,
        cancel: Cancel | None = None,
    ) -> None:  # fmt: skip
        what = f"push {target}"
        with self._connected("sync:", what, timeout, cancel) as link:
            for block in _sync_blocks(data, target):
                link.allow(timeout)
                try:
                    with self._connection_errors(what, timeout):
                        link.send(block)
                except DeviceOffline:
                    # A phone that refuses answers, and closes while the file is still being sent.
                    break
            link.allow(timeout)
            with self._connection_errors(what, timeout):
                answer = link.read(8)
                length = 0 if answer[:4] == sync.OKAY else int.from_bytes(answer[4:8], "little")
                why = link.read(min(length, _MOST_WORDS)).decode("utf-8", "replace")
        if answer[:4] != sync.OKAY:
            raise CommandFailed(_("The phone did not take the file {name}", name=target), why)

    def _read(
        self, service: str, what: str, timeout: float, cancel: Cancel | None, data: bytes = b""
    ) -> Iterator[bytes]:
        total = 0
        with self._connected(service, what, timeout, cancel) as link:
            link.allow(timeout)
            while received := self._received(link, what, timeout, data):
                data = b""
                total += len(received)
                if total > MAX_BYTES:
                    raise CommandFailed(_("The phone's answer has no end: {what}", what=what))
                yield received

    def _received(self, link: ServerConnection, what: str, timeout: float, data: bytes) -> bytes:
        """Send ``data`` and return what comes next; nothing at the end."""
        with self._connection_errors(what, timeout):
            link.send(data)
            return link.receive(_CHUNK)

    @contextlib.contextmanager
    def _connection_errors(self, what: str, timeout: float) -> Iterator[None]:
        try:
            yield
        except TimeoutError:
            raise DeviceTimeout(what, timeout) from None
        except OSError as error:
            raise DeviceOffline(self._serial, str(error)) from error


def _sync_blocks(data: bytes | Iterable[bytes], target: PurePosixPath) -> Iterator[bytes]:
    """The blocks that write a file: the request, its parts, and the end with the time of now."""
    yield sync.encode_request(sync.SEND, f"{target},33188".encode())
    whole = (
        (data[at : at + _CHUNK] for at in range(0, len(data), _CHUNK)) if isinstance(data, bytes) else data
    )
    yield from map(sync.encode_data, whole)
    yield sync.encode_word(sync.DONE, int(time.time()))


def _packets(decoder: ShellPacketDecoder, data: bytes) -> list[ShellPacket]:
    try:
        return list(decoder.feed(data))
    except ProtocolError as error:
        raise CommandFailed(_("The phone answers in no words of adb"), str(error)) from error


@contextlib.contextmanager
def _request_errors(serial: str, what: str, timeout: float) -> Iterator[None]:
    try:
        yield
    except TimeoutError:
        raise DeviceTimeout(what, timeout) from None
    except RequestRefused as error:
        raise _refusal(serial, str(error)) from None
    except OSError as error:
        raise ServerGone(error.strerror or str(error)) from error


def _refusal(serial: str, text: str) -> DeviceError:
    """The error for what the server says of a phone."""
    if "unauthorized" in text:
        return Unauthorized(serial)
    if "offline" in text:
        return DeviceOffline(serial, text)
    if "not found" in text or "no devices" in text:
        return DeviceNotFound(serial)
    return CommandFailed(_("The phone refused a service"), text)
