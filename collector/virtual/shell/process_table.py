"""What runs from the phone's shells: process ids, and the cancellation of each process."""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from collector.virtual.shell.system_processes import ADBD

_FIRST_PID, _LAST_PID = 20_000, 32_767
"""Above those of apps, so that no two processes share a number."""
KILLED = 137
"""Exit status of a process that signal 9 ended: 128 and its number."""


class Interrupted(Exception):  # noqa: N818 - control flow, not an error
    """The command was cancelled (Ctrl+C, ``kill``, or the client disconnected)."""


class CancelScope:
    """Cancel a command and everything it started. Thread-safe."""

    def __init__(self, parent: CancelScope | None = None) -> None:
        self._event = threading.Event()
        self._children: list[CancelScope] = []
        self._callbacks: list[Callable[[], None]] = []
        self._lock = threading.Lock()
        self.signal = 0
        """The signal that cancelled it; 0 when nothing or something else did."""
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

    def kill(self, signal: int) -> None:
        """Cancel because a signal ended the process."""
        self.signal = self.signal or signal
        self.set()

    def clear(self) -> None:
        """Reset for the next command at a prompt."""
        self.signal = 0
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
    parent: int = ADBD
    started_ns: int = 0
    """Uptime of the phone when it started."""
    arguments: tuple[str, ...] = ()
    in_background: bool = False
    """Whether a shell started it with ``&``, so that it ignores the signals of a keyboard."""

    @property
    def command_line(self) -> str:
        """The name with its arguments, as ``ps -o ARGS`` and ``pgrep -f`` see it."""
        return " ".join(self.arguments) or self.name


class ProcessTable:
    """Processes started from the phone's shells. Thread-safe; the phone keeps the processes of apps."""

    def __init__(self, now: Callable[[], int] = time.monotonic_ns) -> None:
        self._now = now
        self._pids = itertools.cycle(range(_FIRST_PID, _LAST_PID + 1))
        self._lock = threading.Lock()
        self._running: dict[int, RunningProcess] = {}

    def start(
        self,
        name: str,
        interruption: CancelScope,
        user: str = "shell",
        arguments: Sequence[str] = (),
        parent: int = ADBD,
        in_background: bool = False,
    ) -> RunningProcess:
        with self._lock:
            pid = next(pid for pid in self._pids if pid not in self._running)
            process = RunningProcess(
                pid, name, user, interruption, parent or ADBD, self._now(), tuple(arguments), in_background
            )
            self._running[process.pid] = process
            return process

    def end(self, process: RunningProcess) -> None:
        with self._lock:
            self._running.pop(process.pid, None)

    def age(self, pid: int) -> int:
        """Seconds since a process started; 0 when there is none."""
        running = self.get(pid)
        return (self._now() - running.started_ns) // 1_000_000_000 if running else 0

    def get(self, pid: int) -> RunningProcess | None:
        with self._lock:
            return self._running.get(pid)

    def __iter__(self) -> Iterator[RunningProcess]:
        with self._lock:
            return iter(list(self._running.values()))
