"""``/proc/net/tcp``, ``tcp6``, ``udp`` and ``unix``: the sockets of the phone, as the kernel lists them."""

from __future__ import annotations

import stat
from collections.abc import Callable
from typing import TYPE_CHECKING

from collector.virtual.shell.files import Files

if TYPE_CHECKING:
    from collector.virtual.daemon.sockets import DeviceSockets

ADBD_PORT = 5555
_SHELL_UID = 2000
_LISTEN, _UNCONNECTED = "0A", "07"
_TCP_HEAD = (
    "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode"
    "                                                     \n"
)
_TCP6_HEAD = (
    "  sl  local_address                         remote_address                        st tx_queue rx_queue "
    "tr tm->when retrnsmt   uid  timeout inode\n"
)
_UDP_HEAD = (
    "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode ref "
    "pointer drops             \n"
)
_UNIX_HEAD = "Num       RefCount Protocol Flags    Type St Inode Path\n"
_FIRST_INODE = 20481


def listening_ports(sockets: DeviceSockets) -> list[int]:
    """The TCP ports on which something listens, that of adbd first."""
    named = (name.removeprefix("tcp:") for name in sockets.listening() if name.startswith("tcp:"))
    return [ADBD_PORT, *(int(port) for port in named if port.isdecimal())]


def _udp_ports(sockets: DeviceSockets) -> list[int]:
    named = (name.removeprefix("udp:") for name in sockets.listening() if name.startswith("udp:"))
    return [int(port) for port in named if port.isdecimal()]


def unix_names(sockets: DeviceSockets) -> list[str]:
    """The names of abstract UNIX sockets on which something listens."""
    return [name.partition(":")[2] for name in sockets.listening() if name.startswith("localabstract:")]


def install_socket_files(files: Files, sockets: DeviceSockets) -> None:
    """Put the lists of sockets into the file system."""
    texts = {
        "tcp": lambda: _TCP_HEAD + "".join(_tcp(*row) for row in enumerate(listening_ports(sockets))),
        "tcp6": lambda: _TCP6_HEAD,
        "udp": lambda: _UDP_HEAD + "".join(_udp(*row) for row in enumerate(_udp_ports(sockets))),
        "udp6": lambda: _UDP_HEAD,
        "unix": lambda: _UNIX_HEAD + "".join(_unix(*row) for row in enumerate(unix_names(sockets))),
    }
    for name, text in texts.items():
        files.install(f"/proc/net/{name}", _encoded(text), mode=stat.S_IFREG | 0o444)


def _encoded(text: Callable[[], str]) -> Callable[[], bytes]:
    return lambda: text().encode()


def _tcp(number: int, port: int) -> str:
    """A line of a socket that listens on the loopback: the address is in the order of bytes of the host."""
    return (
        f"{number:4}: 0100007F:{port:04X} 00000000:0000 {_LISTEN} 00000000:00000000 00:00000000 00000000 "
        f"{_SHELL_UID:5}        0 {_FIRST_INODE + number} 1 0000000000000000 100 0 0 10 0\n"
    )


def _udp(number: int, port: int) -> str:
    return (
        f"{number:5}: 0100007F:{port:04X} 00000000:0000 {_UNCONNECTED} 00000000:00000000 00:00000000 "
        f"00000000 {_SHELL_UID:5}        0 {_FIRST_INODE + 500 + number} 2 0000000000000000 0         \n"
    )


def _unix(number: int, name: str) -> str:
    return f"{0:016x}: 00000002 00000000 00010000 0001 01 {_FIRST_INODE + 1000 + number} @{name}\n"
