"""One ADB stream as a pair of blocking byte pipes, with the protocol's flow control inside.

A sender may have one WRTE on the way until the receiver's OKAY; so what a stream buffers is
bounded, and a client that stops reading stops the service that writes to it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Protocol

# Data is acknowledged at once while no more than this is unread.
_READ_AHEAD = 256 * 1024


class Channel(Protocol):
    """A two-way byte pipe: an ADB stream, or a connection between two programs on the phone."""

    def read(self, limit: int = 65536) -> bytes:
        """Wait for up to ``limit`` bytes; empty when the other end has closed."""
        ...

    def write(self, data: bytes) -> None:
        """Send all of ``data`` and block while the reader is slow; BrokenPipeError once closed."""
        ...

    def close(self) -> None:
        """Close both directions; safe to call twice."""
        ...

    @property
    def closed(self) -> bool: ...

    def on_close(self, callback: Callable[[], None]) -> None:
        """Call ``callback`` once when the channel closes, or now if it is already closed."""
        ...


class ClosableEnd:
    """One end of a channel: it is closed once, and calls whoever waits for that."""

    def __init__(self, condition: threading.Condition | None = None) -> None:
        """``condition`` is shared by ends that wait for each other."""
        self._condition = condition or threading.Condition()
        self._closed = False
        self._callbacks: list[Callable[[], None]] = []

    @property
    def closed(self) -> bool:
        return self._closed

    def on_close(self, callback: Callable[[], None]) -> None:
        """As :meth:`Channel.on_close`."""
        with self._condition:
            if not self._closed:
                self._callbacks.append(callback)
                return
        callback()

    def _close(self, *others: ClosableEnd) -> bool:
        """Close this end, and ``others`` with the same condition; False when it was closed already."""
        with self._condition:
            if self._closed:
                return False
            callbacks: list[Callable[[], None]] = []
            for end in (self, *others):
                end._closed = True
                callbacks += end._callbacks
                end._callbacks = []
            self._condition.notify_all()
        for callback in callbacks:
            callback()
        return True


class StreamConnection(Protocol):
    """The part of a connection that a stream uses."""

    @property
    def max_payload(self) -> int: ...

    def send_write(self, local_id: int, remote_id: int, data: bytes) -> None: ...

    def send_okay(self, local_id: int, remote_id: int) -> None: ...

    def send_close(self, local_id: int, remote_id: int) -> None: ...


class Stream(ClosableEnd):
    """A stream of one connection; the connection's reader thread calls the ``took_*`` methods."""

    def __init__(self, link: StreamConnection, local_id: int, remote_id: int = 0) -> None:
        super().__init__()
        self.local_id = local_id
        self.remote_id = remote_id
        self._link = link
        self._incoming = bytearray()
        self._unacknowledged = False
        self._may_send = remote_id != 0

    def read(self, limit: int = 65536) -> bytes:
        """Wait for data; data that arrived before the peer closed is still delivered."""
        with self._condition:
            self._condition.wait_for(lambda: self._incoming or self._closed)
            data = bytes(self._incoming[:limit])
            del self._incoming[:limit]
            acknowledge = self._unacknowledged and len(self._incoming) <= _READ_AHEAD and not self._closed
            if acknowledge:
                self._unacknowledged = False
        if acknowledge:
            self._link.send_okay(self.local_id, self.remote_id)
        return data

    def write(self, data: bytes) -> None:
        view = memoryview(data)
        step = self._link.max_payload
        for start in range(0, len(view), step):
            with self._condition:
                self._condition.wait_for(lambda: self._may_send or self._closed)
                if self._closed:
                    raise BrokenPipeError("the ADB stream is closed")
                self._may_send = False
            self._link.send_write(self.local_id, self.remote_id, bytes(view[start : start + step]))

    def close(self) -> None:
        if self._close():
            self._link.send_close(self.local_id, self.remote_id)

    def wait_opened(self, timeout: float) -> bool:
        """Whether the peer accepted the stream that this side opened, within ``timeout`` seconds."""
        with self._condition:
            self._condition.wait_for(lambda: self.remote_id or self._closed, timeout)
            return self.remote_id != 0 and not self._closed

    def wait_closed(self) -> None:
        """Wait until either side closes the stream."""
        with self._condition:
            self._condition.wait_for(lambda: self._closed)

    def handle_okay(self, remote_id: int) -> None:
        with self._condition:
            self.remote_id = self.remote_id or remote_id
            self._may_send = True
            self._condition.notify_all()

    def handle_write(self, data: bytes) -> bool:
        """Take a payload; False when the client did not wait for the previous OKAY."""
        with self._condition:
            if self._closed:
                return True
            if self._unacknowledged:
                return False
            self._incoming += data
            acknowledge = len(self._incoming) <= _READ_AHEAD
            self._unacknowledged = not acknowledge
            self._condition.notify_all()
        if acknowledge:
            self._link.send_okay(self.local_id, self.remote_id)
        return True

    def handle_close(self) -> None:
        self._close()
