"""A running command of the phone: its arguments, its pipes and its cancellation."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from collector.virtual.shell.pipes import InputPipe, Writer, read_all

if TYPE_CHECKING:
    from collector.virtual.shell.interpreter import Shell
    from collector.virtual.shell.machine import Machine

_FIRST_PID = 4200


class Interrupted(Exception):  # noqa: N818 - control flow, not an error
    """The command was cancelled (Ctrl+C, ``kill``, or the client disconnected)."""


class CommandError(Exception):
    """A command fails: the message goes to its stderr unchanged; then its exit status."""

    def __init__(self, message: str, status: int = 1) -> None:
        super().__init__(message)
        self.status = status


class CancelScope:
    """Cancel a command and everything it started. Thread-safe."""

    def __init__(self, parent: CancelScope | None = None) -> None:
        self._event = threading.Event()
        self._children: list[CancelScope] = []
        self._callbacks: list[Callable[[], None]] = []
        self._lock = threading.Lock()
        if parent:
            parent._adopt(self)

    @property
    def is_set(self) -> bool:
        return self._event.is_set()

    def set(self) -> None:
        self._event.set()
        with self._lock:
            children, self._children = self._children, []
            callbacks, self._callbacks = self._callbacks, []
        for child in children:
            child.set()
        for callback in callbacks:
            callback()

    def clear(self) -> None:
        """Reset for the next command at a prompt."""
        self._event.clear()

    def wait(self, seconds: float) -> bool:
        """Sleep; return True as soon as cancelled."""
        return self._event.wait(seconds)

    def on_set(self, callback: Callable[[], None]) -> None:
        """Call ``callback`` once on cancellation, or at once when already cancelled."""
        with self._lock:
            if not self.is_set:
                self._callbacks.append(callback)
                return
        callback()

    def leave(self, child: CancelScope) -> None:
        """Remove a child that has finished."""
        with self._lock:
            if child in self._children:
                self._children.remove(child)

    def _adopt(self, child: CancelScope) -> None:
        with self._lock:
            if not self.is_set:
                self._children.append(child)
                return
        child.set()


@dataclass(frozen=True, slots=True)
class RunningProcess:
    """A row of ``ps``."""

    pid: int
    name: str
    user: str
    interruption: CancelScope


class ProcessTable:
    """Processes started from the phone's shells. Thread-safe; the phone keeps the processes of apps."""

    def __init__(self) -> None:
        self._pids = itertools.count(_FIRST_PID)
        self._lock = threading.Lock()
        self._running: dict[int, RunningProcess] = {}

    def start(self, name: str, interruption: CancelScope, user: str = "shell") -> RunningProcess:
        with self._lock:
            process = RunningProcess(next(self._pids), name, user, interruption)
            self._running[process.pid] = process
            return process

    def end(self, process: RunningProcess) -> None:
        with self._lock:
            self._running.pop(process.pid, None)

    def get(self, pid: int) -> RunningProcess | None:
        with self._lock:
            return self._running.get(pid)

    def __iter__(self) -> Iterator[RunningProcess]:
        with self._lock:
            return iter(list(self._running.values()))


@dataclass(slots=True)
class Process:
    """The argument of a command function; ``argv[0]`` is the name it was called by."""

    machine: Machine
    shell: Shell
    argv: list[str]
    stdin: InputPipe
    stdout: Writer
    stderr: Writer
    interruption: CancelScope
    environment: dict[str, str] = field(default_factory=dict)
    pid: int = 0

    @property
    def name(self) -> str:
        return self.argv[0]

    @property
    def arguments(self) -> list[str]:
        return self.argv[1:]

    def out(self, text: str) -> None:
        """Print to stdout without a line end."""
        self.stdout.write(encode(text))

    def line(self, text: str = "") -> None:
        """Print a line to stdout."""
        self.stdout.write(encode(text + "\n"))

    def err(self, text: str) -> None:
        """Print a line to stderr."""
        self.stderr.write(encode(text + "\n"))

    def path(self, name: str) -> str:
        """The absolute path of a name as typed."""
        return name if name.startswith("/") else f"{self.shell.directory.rstrip('/')}/{name}"

    def input(self) -> bytes:
        """Read all of stdin."""
        return read_all(self.stdin)

    def sleep(self, seconds: float) -> None:
        """Wait; raise Interrupted on cancellation."""
        if self.interruption.wait(seconds):
            raise Interrupted

    def pretend(self, seconds: float) -> None:
        """On a realistic phone, take as long as the command takes there."""
        if self.machine.realistic:
            self.sleep(seconds)


def encode(text: str) -> bytes:
    """Encode text for output; input bytes that were not UTF-8 are restored unchanged."""
    return text.encode("utf-8", "surrogateescape")
