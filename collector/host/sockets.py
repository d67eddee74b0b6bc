"""Sockets of this computer.

The loopback interface is open to all its accounts: whoever listens there asks for a secret, and whoever
connects does not trust what answers.
"""

from __future__ import annotations

import contextlib
import errno
import os
import random
import socket
import struct
import sys
from pathlib import Path

LOOPBACK = "127.0.0.1"
_PORTS, _PORTS_TRIED = (20_000, 32_768), 100
"""Below those that Linux, macOS and Windows give to clients."""
_CREDENTIALS = struct.Struct("3i")
"""Process, account and group of the other end, as Linux gives them."""


_LISTENING = "0A"


def listen(port: int = 0) -> socket.socket:
    """Listen on the loopback interface; port 0 takes any free one. Raises OSError, as for a port in use."""
    if sys.platform != "win32":
        return socket.create_server((LOOPBACK, port))
    bound = socket.socket()
    try:
        _take_alone(bound)
        bound.bind((LOOPBACK, port))
        bound.listen()
    except OSError:
        bound.close()
        raise
    return bound


def listen_for_datagrams(port: int) -> socket.socket:
    """A UDP port of the loopback interface. Raises OSError, as for a port in use."""
    bound = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    try:
        bound.bind((LOOPBACK, port))
    except OSError:
        bound.close()
        raise
    return bound


def connect(port: int, seconds: float, host: str = LOOPBACK) -> socket.socket:
    """Connect to a port. Raises OSError, as TimeoutError when nobody answers within ``seconds``."""
    return socket.create_connection((host, port), timeout=seconds)


def message_pair() -> tuple[socket.socket, socket.socket]:
    """Two ends of a line for messages, which keeps their borders; one is for a process that is started."""
    return socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)


def inherited_socket(descriptor: int) -> socket.socket:
    """The socket that whoever started this process handed to it."""
    return socket.socket(fileno=descriptor)


def is_answered(port: int, seconds: float = 0.5) -> bool:
    """Whether something listens on a port of the loopback interface."""
    if sys.platform == "win32" and _can_bind(port):
        return False  # Windows tries a port that nobody listens on for seconds
    with contextlib.suppress(OSError):
        connect(port, seconds).close()
        return True
    return False


def is_free(port: int) -> bool:
    """Whether a port of the loopback interface can be listened on, and nobody does on all interfaces."""
    # Linux refuses a port that is taken on all interfaces, and so does Windows when it is asked for alone.
    return _can_bind(port) and not (sys.platform == "darwin" and is_answered(port))


def _take_alone(bound: socket.socket) -> None:
    """On Windows, let no other program listen on the same port, which it could otherwise take over."""
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)  # type: ignore[attr-defined,unused-ignore]


def _can_bind(port: int) -> bool:
    with socket.socket() as probe:
        if sys.platform == "win32":
            _take_alone(probe)
        else:
            # Else a port whose last connection ended a moment ago counts as taken.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        with contextlib.suppress(OSError):
            probe.bind((LOOPBACK, port))
            return True
    return False


def free_port() -> int:
    """A port of the loopback interface that nobody listens on now. Raises OSError when none is found.

    It is none of those that systems give to the clients of a connection: a client that looks for a server on
    such a port before it listens may get the port itself, and be connected with itself.
    """
    for port in random.SystemRandom().sample(range(*_PORTS), _PORTS_TRIED):
        with contextlib.suppress(OSError), socket.create_server((LOOPBACK, port)):
            return port
    raise OSError(errno.EADDRINUSE, os.strerror(errno.EADDRINUSE))


def is_of_this_account(descriptor: int) -> bool:
    """Whether the other end of a connected local socket belongs to this account.

    On Windows the access rights of a named pipe say so already.
    """
    if sys.platform == "win32":
        return True
    with socket.socket(fileno=os.dup(descriptor)) as connection:
        try:
            return _peer(connection) == os.getuid()
        except OSError:
            return False


def listener_account(port: int) -> int | None:
    """The number of the account that listens on a port of the loopback interface; None where it is unknown.

    Only Linux tells. With several listeners, as on IPv4 and IPv6, the one that others would reach first.
    """
    for table, loopback in (("tcp", "0100007F"), ("tcp", "00000000"), ("tcp6", "0" * 32)):
        with contextlib.suppress(OSError, ValueError, IndexError):
            for line in Path(f"/proc/net/{table}").read_text("ascii").splitlines()[1:]:
                fields = line.split()
                if fields[3] == _LISTENING and fields[1] == f"{loopback}:{port:04X}":
                    return int(fields[7])
    return None


def is_trusted_listener(port: int) -> bool:
    """Whether no other account than this and the administrator's listens on a port, as far as is known."""
    account = listener_account(port)
    return account is None or not hasattr(os, "getuid") or account in (0, os.getuid())


def _peer(connection: socket.socket) -> int:
    """The account of the other end. Raises OSError."""
    if sys.platform == "linux":
        data = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
        return int(_CREDENTIALS.unpack(data)[1])
    # struct xucred of macOS: a version, then the account.
    local, peer_credentials = 0, 1
    data = connection.getsockopt(local, peer_credentials, 76)
    return int(struct.unpack_from("II", data)[1])
