"""One connection to the adb server, with one deadline for all that a call sends and reads on it.

The timeout of a socket begins anew with each byte: a peer that sends one every few seconds would never let a
call end. A length, a status or an end that cannot be is an error here, and no empty answer.
"""

from __future__ import annotations

import contextlib
import select
import socket
import time
from types import TracebackType
from typing import Self

from collector.adb.messages import ProtocolError
from collector.adb.smart_socket import FAIL, OKAY, block_length, encode_block
from collector.device.errors import (
    CallCancelled,
    CommandFailed,
    NotAnAdbServer,
    ServerGone,
    UnreadableServer,
)
from collector.device.protocols import Cancel
from collector.host.sockets import connect
from collector.model.i18n import _

_CONNECT_S = 3.0
_POLL_S = 0.1
"""How often a call that waits looks whether it is cancelled."""


class RequestRefused(Exception):  # noqa: N818 - the word of the protocol
    """The server answered FAIL; ``str()`` is its message."""


class ServerConnection:
    """A connection of one call, which ends within its time or when ``cancel`` is set.

    Methods raise TimeoutError after the deadline, CallCancelled, and OSError when the connection breaks.
    """

    def __init__(self, port: int, seconds: float, cancel: Cancel | None = None) -> None:
        """Connect. Raises ServerGone when no server listens on ``port``."""
        self._port, self._cancel = port, cancel
        self.allow(seconds)
        try:
            self._socket = connect(port, min(seconds, _CONNECT_S))
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        except OSError as error:
            raise ServerGone(error.strerror or str(error)) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the connection; a second call does nothing."""
        self._socket.close()

    def fileno(self) -> int:
        """Let ``select`` wait for the connection."""
        return self._socket.fileno()

    def allow(self, seconds: float) -> None:
        """Set the deadline for what comes next to ``seconds`` from now."""
        self._seconds, self._has_answered = seconds, False
        self._end = time.monotonic() + seconds

    @property
    def has_data(self) -> bool:
        """Whether something can be read now, without waiting for it; not so at the end of the connection."""
        if not select.select([self._socket], [], [], 0)[0]:
            return False
        with contextlib.suppress(OSError):
            return bool(self._socket.recv(1, socket.MSG_PEEK))
        return False

    def stream(self) -> socket.socket:
        """Hand the socket over for a stream without an end; the caller sets its timeouts and closes it."""
        self._socket.settimeout(None)
        return self._socket

    # -- the server's protocol -----------------------------------------------
    def request(self, service: str) -> None:
        """Ask for a service. Raises RequestRefused, NotAnAdbServer, UnreadableServer and CommandFailed."""
        try:
            self.send(encode_block(service))
        except ProtocolError as error:
            raise CommandFailed(_("The command is too long for adb"), str(error)) from None
        status = self._read_whole(4)
        if status == FAIL:
            raise RequestRefused(self.block())
        if status != OKAY:
            raise NotAnAdbServer(self._port, _("It answers with {text}", text=ascii(status)[1:]))

    def block(self) -> str:
        """Read one block of text. Raises UnreadableServer."""
        digits = self._read_whole(4)
        try:
            length = block_length(digits)
        except ProtocolError:
            why = _("It gives {text} for the length of its answer", text=ascii(digits)[1:])
            raise UnreadableServer(self._port, why) from None
        return self._read_whole(length).decode("utf-8", "replace")

    def too_late(self) -> ServerGone:
        """The error for a deadline that passed while the server itself was asked."""
        if self._has_answered:
            why = _("Its answer takes longer than {seconds:.0f} s", seconds=self._seconds)
            return UnreadableServer(self._port, why)
        return NotAnAdbServer(self._port, _("No answer for {seconds:.0f} s", seconds=self._seconds))

    def _read_whole(self, count: int) -> bytes:
        data = self.read(count)
        if len(data) < count:
            if not self._has_answered:
                raise ServerGone(_("It closed the connection"))
            raise UnreadableServer(self._port, _("Its answer ends in the middle"))
        return data

    # -- bytes ---------------------------------------------------------------
    def read(self, count: int) -> bytes:
        """Read ``count`` bytes, fewer only at the end of the connection."""
        data = bytearray()
        while len(data) < count and (received := self.receive(count - len(data))):
            data += received
        return bytes(data)

    def receive(self, most: int) -> bytes:
        """Wait for at most ``most`` bytes; none at the end of the connection."""
        while True:
            self._socket.settimeout(self._patience())
            try:
                data = self._socket.recv(most)
            except TimeoutError:
                continue
            self._has_answered = self._has_answered or bool(data)
            return data

    def send(self, data: bytes) -> None:
        """Send all of ``data``."""
        left = memoryview(data)
        while left:
            self._socket.settimeout(self._patience())
            try:
                left = left[self._socket.send(left) :]
            except TimeoutError:
                continue

    def _patience(self) -> float:
        """How long the socket may wait now. Raises CallCancelled, and TimeoutError at the deadline."""
        if self._cancel is not None and self._cancel.is_set():
            raise CallCancelled
        left = self._end - time.monotonic()
        if left <= 0:
            raise TimeoutError
        return left if self._cancel is None else min(left, _POLL_S)
