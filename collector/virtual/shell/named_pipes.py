"""Named pipes, which ``mkfifo`` makes: who opens one end waits for the other."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextvars import ContextVar

from collector.virtual.shell.process_table import CancelScope, Interrupted

_SIZE = 64 * 1024
_POLL_SECONDS = 0.05

RUNNING: ContextVar[CancelScope | None] = ContextVar("the command that runs", default=None)
"""Its cancellation ends its waiting for the other end."""


class NamedPipe:
    """A bounded pipe between all that have it open."""

    def __init__(self) -> None:
        self._condition = threading.Condition(threading.RLock())
        self._data = bytearray()
        self._open = {True: 0, False: 0}
        """How many have it open, for writing or not."""
        self._ever = {True: 0, False: 0}
        """How many opened it so far."""

    def open(self, *, reading: bool = False, writing: bool = False) -> NamedPipeEnd:
        """Wait for the other end, where only one is opened; Interrupted when the command is cancelled."""
        with self._condition:
            others = self._ever[not writing]
            for side, opened in ((True, writing), (False, reading)):
                self._open[side] += opened
                self._ever[side] += opened
            self._condition.notify_all()
            end = NamedPipeEnd(self, reading=reading, writing=writing)
            try:
                self._wait(lambda: self._open[not writing] > 0 or self._ever[not writing] > others)
            except Exception:
                end.close()
                raise
        return end

    def read(self, limit: int) -> bytes:
        with self._condition:
            self._wait(lambda: bool(self._data) or not self._open[True])
            data = bytes(self._data[:limit])
            del self._data[:limit]
            self._condition.notify_all()
            return data

    def write(self, data: bytes) -> None:
        with self._condition:
            self._wait(lambda: len(self._data) < _SIZE or not self._open[False])
            if not self._open[False]:
                raise BrokenPipeError("the reader left")
            self._data += data
            self._condition.notify_all()

    def close(self, *, reading: bool, writing: bool) -> None:
        with self._condition:
            self._open[True] -= writing
            self._open[False] -= reading
            if not any(self._open.values()):
                self._data.clear()
            self._condition.notify_all()

    def _wait(self, ready: Callable[[], bool]) -> None:
        running = RUNNING.get()
        while not ready():
            if running is not None and running.is_set:
                raise Interrupted
            self._condition.wait(_POLL_SECONDS)


class NamedPipeEnd:
    """One end of a named pipe that is open, or both."""

    def __init__(self, pipe: NamedPipe, *, reading: bool, writing: bool) -> None:
        self._pipe, self._reads, self._writes = pipe, reading, writing

    def read(self, limit: int = 65536) -> bytes:
        """Wait for up to ``limit`` bytes; empty when all writers left."""
        return self._pipe.read(limit) if self._reads else b""

    def write(self, data: bytes) -> None:
        """Wait for room; BrokenPipeError when there is no reader."""
        if self._writes:
            self._pipe.write(data)

    def close(self) -> None:
        self._pipe.close(reading=self._reads, writing=self._writes)
        self._reads = self._writes = False
