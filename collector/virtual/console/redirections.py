"""Ports of the computer that lead to ports of the phone, as the console's ``redir`` makes them."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Callable

from collector.host.sockets import listen
from collector.virtual.daemon.stream import Channel

_BLOCK = 65536


class Redirections:
    """Listens on the loopback interface. Every method may be called from any thread."""

    def __init__(self, connect: Callable[[str], Channel]) -> None:
        """``connect`` reaches an address of the phone, such as ``tcp:8080``; ConnectionRefusedError."""
        self._connect = connect
        self._lock = threading.Lock()
        self._active: dict[int, tuple[socket.socket, int]] = {}
        """By port of the computer: who listens there, and the port of the phone."""

    @property
    def active(self) -> dict[int, int]:
        """Ports of the phone by those of the computer."""
        with self._lock:
            return {host: guest for host, (_listener, guest) in self._active.items()}

    def add(self, host: int, guest: int) -> None:
        """Lead a port of the computer to one of the phone; OSError when it is taken."""
        listener = listen(host)
        with self._lock:
            self._active[host] = listener, guest
        name = f"redirection {host}"
        threading.Thread(target=self._accept, args=(listener, guest), name=name, daemon=True).start()

    def remove(self, host: int) -> None:
        """End a redirection; connections that are open stay."""
        with self._lock:
            listener, _guest = self._active.pop(host)
        with contextlib.suppress(OSError):
            listener.shutdown(socket.SHUT_RDWR)
        listener.close()

    def close(self) -> None:
        """End all of them."""
        for host in list(self.active):
            self.remove(host)

    def _accept(self, listener: socket.socket, guest: int) -> None:
        while True:
            try:
                client, _address = listener.accept()
            except OSError:
                return
            try:
                channel = self._connect(f"tcp:{guest}")
            except ConnectionRefusedError:
                client.close()
                continue
            for copy in (_to_phone, _from_phone):
                threading.Thread(
                    target=copy, args=(client, channel), name=f"redirection to {guest}", daemon=True
                ).start()


def _to_phone(client: socket.socket, channel: Channel) -> None:
    with contextlib.suppress(OSError):
        while data := client.recv(_BLOCK):
            channel.write(data)
    channel.close()


def _from_phone(client: socket.socket, channel: Channel) -> None:
    with contextlib.suppress(OSError):
        while data := channel.read(_BLOCK):
            client.sendall(data)
    with contextlib.suppress(OSError):
        client.shutdown(socket.SHUT_RDWR)
    client.close()
