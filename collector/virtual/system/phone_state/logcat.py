"""The phone's log: a ring of lines that readers can follow."""

from __future__ import annotations

import datetime as dt
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

CAPACITY = 8192
PRIORITIES = "VDIWEF"
"""Letters of the priorities, the least first; Android counts them from 2."""
MAIN, SYSTEM, CRASH, EVENTS = "main", "system", "crash", "events"
_SYSTEM_TAGS = frozenset(
    (
        "ActivityManager", "ActivityTaskManager", "AlarmManager", "BatteryService", "JobScheduler",
        "ProcessStats", "SyncManager", "WindowManager",
    )
)  # fmt: skip
"""Tags of the system's services, whose lines go to the buffer of the system."""


class LogEntry(NamedTuple):
    """A line to be written."""

    time: dt.datetime
    pid: int
    tid: int
    priority: str
    tag: str
    text: str
    buffer: str = ""


@dataclass(frozen=True, slots=True)
class LogLine:
    """One line; ``number`` counts from 1 and never repeats."""

    number: int
    time: dt.datetime
    pid: int
    tid: int
    priority: str
    tag: str
    text: str
    buffer: str = MAIN
    """main, system for services of the system, crash for uncaught exceptions, or events."""


class Logcat:
    """Thread-safe."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._lines: deque[LogLine] = deque(maxlen=CAPACITY)
        self._count = 0
        self._written: dict[str, tuple[int, int]] = {}
        self.background: Callable[[], Sequence[LogEntry]] | None = None
        """Returns what the system wrote by itself since the last call."""

    def write(
        self, time: dt.datetime, pid: int, priority: str, tag: str, text: str, buffer: str = ""
    ) -> None:
        """Add one line for each line of ``text``."""
        parts = text.splitlines() or [""]
        entries = (LogEntry(time, pid, pid, priority, tag, part, buffer) for part in parts)
        self._add([*self._due(), *entries])

    def read(self) -> list[LogLine]:
        self._add(self._due())
        with self._changed:
            return list(self._lines)

    @property
    def written(self) -> dict[str, tuple[int, int]]:
        """Bytes and lines ever written to each buffer."""
        with self._changed:
            return dict(self._written)

    def clear(self) -> None:
        self._due()
        with self._changed:
            self._lines.clear()

    def follow(self, after: int, stop: threading.Event, poll: float = 0.2) -> Iterator[LogLine]:
        """Yield lines numbered above ``after``, then new ones as they are written, until ``stop`` is set."""
        while not stop.is_set():
            self._add(self._due())
            with self._changed:
                if not self._lines or self._lines[-1].number <= after:
                    self._changed.wait(poll)
                new = [line for line in self._lines if line.number > after]
            for line in new:
                after = line.number
                yield line

    def _due(self) -> Sequence[LogEntry]:
        return self.background() if self.background is not None else ()

    def _add(self, entries: Iterable[LogEntry]) -> None:
        with self._changed:
            for time, pid, tid, priority, tag, text, named in entries:
                buffer = named or (SYSTEM if tag in _SYSTEM_TAGS else MAIN)
                self._count += 1
                size, lines = self._written.get(buffer, (0, 0))
                self._written[buffer] = (size + len(text.encode()), lines + 1)
                self._lines.append(LogLine(self._count, time, pid, tid, priority, tag, text, buffer))
            self._changed.notify_all()
