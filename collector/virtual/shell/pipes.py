"""Input and output of commands."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from collector.virtual.shell.files import Files

_PIPE_SIZE = 64 * 1024


@runtime_checkable
class InputPipe(Protocol):
    """The input of a command."""

    def read(self, limit: int = 65536) -> bytes:
        """Wait for up to ``limit`` bytes; empty at the end."""
        ...


@runtime_checkable
class Writer(Protocol):
    """The output of a command."""

    def write(self, data: bytes) -> None:
        """Write all of ``data``; BrokenPipeError when the reader is closed."""
        ...


@dataclass(frozen=True, slots=True)
class Streams:
    """The pipes of a command: the three standard ones, and those that ``exec 3>file`` opened."""

    stdin: InputPipe
    stdout: Writer
    stderr: Writer
    more: Mapping[int, InputPipe | Writer] = field(default_factory=dict)
    private: frozenset[int] = frozenset()
    """Those of ``more`` that ``exec`` opened: mksh keeps them from programs."""

    @property
    def of_programs(self) -> Mapping[int, InputPipe | Writer]:
        """The further descriptors that a program gets."""
        return {number: stream for number, stream in self.more.items() if number not in self.private}


class NullPipe:
    """``/dev/null`` in both directions."""

    def read(self, limit: int = 65536) -> bytes:  # noqa: ARG002 - as every reader
        return b""

    def write(self, data: bytes) -> None:
        """Discard ``data``."""


class BytesReader:
    """Input from bytes in memory."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    def read(self, limit: int = 65536) -> bytes:
        taken, self._data = self._data[:limit], self._data[limit:]
        return taken


class Collector:
    """Collect output in memory, for ``$(...)``; BrokenPipeError beyond the size limit."""

    _LIMIT = 16 * 1024 * 1024

    def __init__(self) -> None:
        self.data = bytearray()

    def write(self, data: bytes) -> None:
        if len(self.data) + len(data) > self._LIMIT:
            raise BrokenPipeError("output too long")
        self.data += data


class FileWriter:
    """Write output directly to a file of the phone."""

    def __init__(self, files: Files, path: str, *, append: bool) -> None:
        self._files = files
        self.path = path
        files.write(path, b"", append=append)

    def write(self, data: bytes) -> None:
        self._files.write(self.path, data, append=True)


class OpenFile(FileWriter):
    """A file that ``<>`` opened: it is read from its start, and what is written comes at its end."""

    def __init__(self, files: Files, path: str) -> None:
        super().__init__(files, path, append=True)
        self._reader = LineReader(BytesReader(files.read(path)))

    def read(self, limit: int = 65536) -> bytes:
        return self._reader.read(limit)


class Pipe:
    """A pipe between two commands (``|``): bounded, so that a fast writer waits for a slow reader."""

    def __init__(self) -> None:
        self._condition = threading.Condition()
        self._data = bytearray()
        self._writing = True
        self._reading = True

    def read(self, limit: int = 65536) -> bytes:
        with self._condition:
            self._condition.wait_for(lambda: self._data or not self._writing)
            data = bytes(self._data[:limit])
            del self._data[:limit]
            self._condition.notify_all()
            return data

    def write(self, data: bytes) -> None:
        with self._condition:
            self._condition.wait_for(lambda: len(self._data) < _PIPE_SIZE or not self._reading)
            if not self._reading:
                raise BrokenPipeError("the reader left")
            self._data += data
            self._condition.notify_all()

    def close_writing(self) -> None:
        with self._condition:
            self._writing = False
            self._condition.notify_all()

    def close_reading(self) -> None:
        with self._condition:
            self._reading = False
            self._data.clear()
            self._condition.notify_all()


def read_all(reader: InputPipe) -> bytes:
    """Read everything until the end."""
    parts: list[bytes] = []
    while part := reader.read():
        parts.append(part)
    return b"".join(parts)


class LineReader:
    """Split a reader into lines with their line ends; ``read`` returns the bytes not consumed yet."""

    def __init__(self, reader: InputPipe, before_reading: Callable[[], None] = lambda: None) -> None:
        """``before_reading`` is called before more is read, which may wait."""
        self._reader = reader
        self._before_reading = before_reading
        self._rest = b""
        self._at = 0
        """How much of the rest is consumed: to cut it off at each line would copy all that follows."""

    def read(self, limit: int = 65536) -> bytes:
        if self._at == len(self._rest):
            return self._reader.read(limit)
        taken = self._rest[self._at : self._at + limit]
        self._at += len(taken)
        return taken

    def __iter__(self) -> LineReader:
        return self

    def __next__(self) -> bytes:
        while (end := self._rest.find(b"\n", self._at)) < 0:
            self._before_reading()
            part = self._reader.read()
            self._rest, self._at = self._rest[self._at :] + part, 0
            if not part:
                line, self._rest = self._rest, b""
                if not line:
                    raise StopIteration
                return line
        line = self._rest[self._at : end + 1]
        self._at = end + 1
        return line
