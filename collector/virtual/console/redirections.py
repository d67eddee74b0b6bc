"""Ports of the computer that lead to ports of the phone, as the console's ``redir`` makes them."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Callable

from collector.host.sockets import listen, listen_for_datagrams
from collector.virtual.daemon.stream import Channel

_BLOCK = 65536
TCP, UDP = "tcp", "udp"


class Redirections:
    """Listens on the loopback interface. Every method may be called from any thread."""

    def __init__(self, connect: Callable[[str], Channel]) -> None:
        """``connect`` reaches an address of the phone, such as ``tcp:8080``; ConnectionRefusedError."""
        self._connect = connect
        self._lock = threading.Lock()
        self._active: dict[tuple[str, int], tuple[socket.socket, int]] = {}
        """By protocol and port of the computer: who listens there, and the port of the phone."""

    @property
    def active(self) -> dict[tuple[str, int], int]:
        """Ports of the phone by the protocol and those of the computer."""
        with self._lock:
            return {host: guest for host, (_listener, guest) in self._active.items()}

    def add(self, protocol: str, host: int, guest: int) -> None:
        """Lead a port of the computer to one of the phone; OSError when it is taken."""
        listener = listen(host) if protocol == TCP else listen_for_datagrams(host)
        with self._lock:
            self._active[protocol, host] = listener, guest
        name = f"redirection {protocol} {host}"
        serve = self._accept if protocol == TCP else self._receive
        threading.Thread(target=serve, args=(listener, guest), name=name, daemon=True).start()

    def remove(self, protocol: str, host: int) -> None:
        """End a redirection; connections that are open stay."""
        with self._lock:
            listener, _guest = self._active.pop((protocol, host))
        if protocol == UDP:
            with contextlib.suppress(OSError):  # wakes the thread, which looks whether it goes on
                listener.sendto(b"", listener.getsockname())
            return
        with contextlib.suppress(OSError):
            listener.shutdown(socket.SHUT_RDWR)
        listener.close()

    def close(self) -> None:
        """End all of them."""
        for protocol, host in list(self.active):
            self.remove(protocol, host)

    def _accept(self, listener: socket.socket, guest: int) -> None:
        while True:
            try:
                client, _address = listener.accept()
            except OSError:
                return
            try:
                channel = self._connect(f"{TCP}:{guest}")
            except ConnectionRefusedError:
                client.close()
                continue
            for copy in (_to_phone, _from_phone):
                threading.Thread(
                    target=copy, args=(client, channel), name=f"redirection to {guest}", daemon=True
                ).start()

    def _receive(self, listener: socket.socket, guest: int) -> None:
        """Pass on datagrams, those of each sender through a socket of its own: it gets the answers."""
        senders: dict[tuple[str, int], Channel] = {}
        try:
            while True:
                data, sender = listener.recvfrom(_BLOCK)
                if not data and not self._is_active(listener):
                    return
                if sender not in senders:
                    senders[sender] = channel = self._connect(f"{UDP}:{guest}")
                    threading.Thread(
                        target=_answer,
                        args=(listener, channel, sender),
                        name=f"answers of {guest}",
                        daemon=True,
                    ).start()
                senders[sender].write(data)
        except OSError:
            return
        finally:
            listener.close()
            for channel in senders.values():
                channel.close()

    def _is_active(self, listener: socket.socket) -> bool:
        with self._lock:
            return any(active is listener for active, _guest in self._active.values())


def _answer(listener: socket.socket, channel: Channel, sender: tuple[str, int]) -> None:
    with contextlib.suppress(OSError):
        while data := channel.read(_BLOCK):
            listener.sendto(data, sender)


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
