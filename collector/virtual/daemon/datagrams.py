"""UDP inside the phone: ends that send datagrams to each other, and lose what nobody takes."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from collector.virtual.daemon.stream import ClosableEnd

_LIMIT = 256 * 1024
"""Bytes that wait at one end; a datagram beyond is lost."""


class DatagramEnd(ClosableEnd):
    """One socket: each read gives one datagram. No end knows whether another one is closed.

    ``reach`` is asked to hand the other end to whoever listens, at each datagram until somebody does.
    """

    def __init__(self, reach: Callable[[DatagramEnd], bool] | None = None) -> None:
        super().__init__()
        self._reach = reach
        self._incoming: deque[bytes] = deque()
        self._peer: DatagramEnd | None = None

    def read(self, limit: int = 65536) -> bytes:
        """Wait for a datagram, of which what is over ``limit`` bytes is lost; empty once it is closed."""
        with self._condition:
            self._condition.wait_for(lambda: self._incoming or self._closed)
            return self._incoming.popleft()[:limit] if self._incoming else b""

    def write(self, data: bytes) -> None:
        """Send a datagram; BrokenPipeError once this end is closed."""
        if self._closed:
            raise BrokenPipeError("the socket is closed")
        if (self._peer is None or self._peer.closed) and self._reach is not None:
            other = DatagramEnd()
            other._peer = self
            self._peer = other if self._reach(other) else None
        if self._peer is not None and data:
            self._peer._deliver(data)

    def _deliver(self, data: bytes) -> None:
        with self._condition:
            if not self._closed and sum(map(len, self._incoming)) + len(data) <= _LIMIT:
                self._incoming.append(data)
                self._condition.notify_all()

    def finish(self) -> None:
        """Nothing more is sent, which nobody is told."""

    def close(self) -> None:
        """Close this end alone: the other one is not told."""
        self._close()
