"""One phone behind the adb server. Every call has a time limit and a typed error.

adbutils makes the connection to the server. The protocol on it is read here, because the calls of adbutils
wait for ten minutes and assume that one read returns a whole answer.
"""

from __future__ import annotations

import contextlib
import socket
import struct
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePosixPath

from collector.adb import sync_protocol as sync
from collector.adb.messages import ProtocolError
from collector.adb.quoting import join
from collector.adb.shell_protocol import ShellPacket, ShellPacketDecoder, ShellPacketId
from collector.device.adb_server import AdbServer
from collector.device.errors import (
    CallCancelled,
    CommandFailed,
    DeviceError,
    DeviceNotFound,
    DeviceOffline,
    DeviceTimeout,
    NoAdb,
    ServerGone,
    Unauthorized,
)
from collector.device.protocols import Cancel
from collector.device.shell_result import ShellResult
from collector.model.i18n import _

TIMEOUT = 10.0
_POLL = 0.1
_CHUNK = 1 << 16
_MAX_BYTES = 256 << 20


class AdbDevice:
    """A :class:`~collector.device.protocols.Device` behind the adb server. Thread-safe."""

    def __init__(self, serial: str, server: AdbServer | None = None) -> None:
        self._serial = serial
        self._server = server or AdbServer()

    @property
    def serial(self) -> str:
        return self._serial

    def open(self, service: str, timeout: float = TIMEOUT, what: str = "") -> socket.socket:
        """Connect a socket to a service of the phone, as ``shell,v2,raw:ls``; the caller closes it.

        ``what`` names the service in error messages.
        """
        with _typed_errors(self._serial, what or service, timeout):
            connection = self._server.connected(timeout)
            link: socket.socket = connection.conn
            try:
                # The older form of the request: every adb version answers it with a bare OKAY.
                for request in (f"host:transport:{self._serial}".encode(), service.encode()):
                    link.sendall(b"%04x" % len(request) + request)
                    connection.check_okay()
                link.settimeout(None)
                link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            except BaseException:
                link.close()
                raise
        return link

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

    def push(self, data: bytes | Iterable[bytes], target: PurePosixPath, *, timeout: float = TIMEOUT) -> None:
        request = sync.encode_request(sync.SEND, f"{target},33188".encode())
        chunks = _slices(data) if isinstance(data, bytes) else data
        with _typed_errors(self._serial, f"push {target}", timeout), self.open("sync:", timeout) as link:
            link.settimeout(timeout)
            link.sendall(request)
            # A phone that refuses answers, and closes while the file is still being sent.
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                for chunk in chunks:
                    link.sendall(sync.encode_data(chunk))
                link.sendall(sync.encode_word(sync.DONE, int(time.time())))
            answer = link.recv(8, socket.MSG_WAITALL)
            if answer[:4] != sync.OKAY:
                (length,) = struct.unpack("<I", answer[4:8]) if len(answer) == 8 else (0,)
                why = link.recv(min(length, 4096), socket.MSG_WAITALL).decode("utf-8", "replace")
                raise CommandFailed(_("The phone did not take the file {name}", name=target), why)

    def _read(
        self, service: str, what: str, timeout: float, cancel: Cancel | None, data: bytes = b""
    ) -> Iterator[bytes]:
        end, total = time.monotonic() + timeout, 0
        with self.open(service, min(timeout, TIMEOUT), what) as link:
            with _typed_errors(self._serial, what, timeout):
                link.settimeout(timeout)
                link.sendall(data)
            link.settimeout(_POLL)
            while True:
                if cancel is not None and cancel.is_set():
                    raise CallCancelled(what)
                try:
                    received = link.recv(_CHUNK)
                except TimeoutError:
                    if time.monotonic() > end:
                        raise DeviceTimeout(what, timeout) from None
                    continue
                except OSError as error:
                    raise DeviceOffline(self._serial, str(error)) from error
                if not received:
                    return
                total += len(received)
                if total > _MAX_BYTES:
                    raise CommandFailed(_("The phone's answer has no end: {what}", what=what))
                yield received


def _slices(data: bytes) -> Iterator[bytes]:
    return (data[at : at + _CHUNK] for at in range(0, len(data), _CHUNK))


def _packets(decoder: ShellPacketDecoder, data: bytes) -> list[ShellPacket]:
    try:
        return list(decoder.feed(data))
    except ProtocolError as error:
        raise CommandFailed(_("The phone answers in no words of adb"), str(error)) from error


@contextlib.contextmanager
def _typed_errors(serial: str, what: str, timeout: float) -> Iterator[None]:
    from adbutils.errors import AdbError, AdbTimeout

    try:
        yield
    except DeviceError:
        raise
    except (AdbTimeout, TimeoutError):
        raise DeviceTimeout(what, timeout) from None
    except AdbError as error:
        text = str(error)
        if "unauthorized" in text:
            raise Unauthorized(serial) from None
        if "offline" in text:
            raise DeviceOffline(serial, text) from None
        if "not found" in text or "no devices" in text:
            raise DeviceNotFound(serial) from None
        if "No adb exe" in text:
            raise NoAdb(text) from None
        if "connect to adb server" in text:
            raise ServerGone(text) from None
        raise CommandFailed(_("The phone refused a service"), text) from None
    except OSError as error:
        raise ServerGone(str(error)) from error
