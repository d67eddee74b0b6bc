"""The phone's own sockets: who listens on ``localabstract:scrcpy`` or ``tcp:9008`` inside it.

None of them is a socket of this computer. ``adb forward`` reaches a listener through the
daemon; a program of the phone reaches another one, or through ``adb reverse`` a program of
the computer, with :meth:`DeviceSockets.connect`.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from typing import Protocol

from collector.virtual.daemon.datagrams import DatagramEnd
from collector.virtual.daemon.stream import Channel, ClosableEnd

_BACKLOG = 16


class HostDialler(Protocol):
    """A connection to a computer, which may have registered addresses with ``adb reverse``."""

    @property
    def online(self) -> bool: ...

    def dial(self, address: str) -> Channel | None:
        """Open a stream to the target registered for ``address``; None when there is none."""
        ...


class Listener:
    """A listening socket of the phone."""

    def __init__(self, address: str, forget: Callable[[Listener], None]) -> None:
        self.address = address
        self._forget = forget
        self._waiting: queue.Queue[Channel | None] = queue.Queue(_BACKLOG)
        self._closed = False

    def accept(self, timeout: float | None = None) -> Channel | None:
        """The next connection; None when ``timeout`` seconds pass or the listener is closed."""
        if self._closed and self._waiting.empty():
            return None
        try:
            return self._waiting.get(timeout=timeout)
        except queue.Empty:
            return None

    def offer(self, channel: Channel) -> bool:
        """Queue a connection; False when the listener does not accept fast enough."""
        if self._closed:
            return False
        try:
            self._waiting.put_nowait(channel)
        except queue.Full:
            return False
        return True

    def close(self) -> None:
        """Stop listening; connections not accepted yet are closed."""
        if self._closed:
            return
        self._closed = True
        self._forget(self)
        while not self._waiting.empty():
            channel = self._waiting.get_nowait()
            if channel:
                channel.close()
        self._waiting.put(None)


class DeviceSockets:
    """All listeners of one phone. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._listeners: dict[str, Listener] = {}
        self._diallers: list[HostDialler] = []

    def listen(self, address: str) -> Listener:
        """Listen on ``localabstract:<name>``, ``tcp:<port>`` or ``udp:<port>``; OSError when it is taken."""
        with self._lock:
            if address in self._listeners:
                raise OSError(f"{address} is in use on the phone")
            listener = Listener(address, self._forget)
            self._listeners[address] = listener
            return listener

    def listening(self) -> list[str]:
        """The addresses on which programs of the phone listen."""
        with self._lock:
            return sorted(self._listeners)

    def is_listening(self, address: str) -> bool:
        """Whether a program of the phone listens on ``address``."""
        with self._lock:
            return address in self._listeners

    def offer(self, address: str, channel: Channel) -> bool:
        """Pass the other end of ``channel`` to the listener; False when nobody listens."""
        with self._lock:
            listener = self._listeners.get(address)
        return listener is not None and listener.offer(channel)

    def connect(self, address: str) -> Channel:
        """Connect from inside the phone, to the phone or through ``adb reverse``.

        Raise ConnectionRefusedError when nobody listens; of ``udp:<port>`` nobody is told.
        """
        if address.startswith("udp:"):
            return DatagramEnd(lambda other: self.offer(address, other))
        if self.is_listening(address):
            ours, theirs = pipe()
            if self.offer(address, theirs):
                return ours
        with self._lock:
            diallers = list(self._diallers)
        for dialler in reversed(diallers):
            channel = dialler.dial(address)
            if channel:
                return channel
        raise ConnectionRefusedError(f"nobody listens on {address}")

    def add_dialler(self, dialler: HostDialler) -> None:
        """Register a computer for ``adb reverse`` and drop the disconnected ones."""
        with self._lock:
            others = [pending for pending in self._diallers if pending is not dialler and pending.online]
            self._diallers = [*others, dialler]

    def close(self) -> None:
        with self._lock:
            listeners = list(self._listeners.values())
        for listener in listeners:
            listener.close()

    def _forget(self, listener: Listener) -> None:
        with self._lock:
            if self._listeners.get(listener.address) is listener:
                del self._listeners[listener.address]


class PipeEnd(ClosableEnd):
    """One end of a connection between two programs on the phone."""

    _LIMIT = 256 * 1024

    def __init__(self, condition: threading.Condition) -> None:
        super().__init__(condition)
        self._incoming = bytearray()
        self._peer = self
        self._finished = False

    def read(self, limit: int = 65536) -> bytes:
        with self._condition:
            self._condition.wait_for(lambda: self._incoming or self._closed or self._peer._finished)
            data = bytes(self._incoming[:limit])
            del self._incoming[:limit]
            self._condition.notify_all()
            return data

    def write(self, data: bytes) -> None:
        with self._condition:
            self._condition.wait_for(lambda: self._closed or len(self._peer._incoming) < self._LIMIT)
            if self._closed:
                raise BrokenPipeError("the connection is closed")
            self._peer._incoming += data
            self._condition.notify_all()

    def finish(self) -> None:
        """Close the way to the other end, which may go on to send."""
        with self._condition:
            self._finished = True
            self._condition.notify_all()

    def close(self) -> None:
        """Close both ends."""
        self._close(self._peer)


def pipe() -> tuple[PipeEnd, PipeEnd]:
    """Two connected ends."""
    condition = threading.Condition()
    near, other = PipeEnd(condition), PipeEnd(condition)
    near._peer, other._peer = other, near
    return near, other
