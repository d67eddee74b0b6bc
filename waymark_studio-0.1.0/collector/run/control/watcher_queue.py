"""The lines that wait to be sent to one watcher: few, however slow it is."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from collector.run.control.run_snapshot import without_picture
from collector.run.control.wire import encode
from collector.run.events import RunEvent, ScreenObserved, to_line

_MOST = 2000
"""Lines; a watcher that is further behind gets a snapshot in their place."""


@dataclass(slots=True)
class _Waiting:
    line: bytes
    plain: bytes = b""
    """The line without its picture; empty for a line without one."""


class EventLine:
    """An event, encoded at most once for all watchers."""

    def __init__(self, event: RunEvent) -> None:
        self.event = event
        self._plain: bytes | None = None
        self._whole: bytes | None = None

    @property
    def plain(self) -> bytes:
        """The line without a picture."""
        if self._plain is None:
            self._plain = encode(to_line(without_picture(self.event)))
        return self._plain

    @property
    def whole(self) -> bytes:
        """The line with its picture."""
        if self._whole is None:
            self._whole = encode(to_line(self.event)) if self.picture_of else self.plain
        return self._whole

    @property
    def picture_of(self) -> str:
        """The worker whose screen it shows; empty for an event without a picture."""
        event = self.event
        return event.worker if isinstance(event, ScreenObserved) and event.picture else ""


class WatcherQueue:
    """Lines for one watcher. Thread-safe; adding never waits.

    Of each worker only the newest picture waits. When too many lines wait, or :meth:`begin_anew` is called,
    they are thrown away, and ``snapshot`` gives what is sent in their place; it calls :meth:`caught_up`.
    """

    def __init__(
        self, snapshot: Callable[[WatcherQueue], list[bytes]], *, pictures: bool, most: int = _MOST
    ) -> None:
        self.pictures = pictures
        """Whether this watcher wants pictures of screens."""
        self._snapshot = snapshot
        self._most = most
        self._changed = threading.Condition()
        self._replies: deque[bytes] = deque()
        self._lines: deque[_Waiting] = deque()
        self._pictured: dict[str, _Waiting] = {}
        self._is_behind = True
        self._is_closed = False

    def add(self, line: EventLine) -> None:
        """Add an event, unless a snapshot that will hold it is due."""
        with self._changed:
            if self._is_behind or self._is_closed:
                return
            worker = line.picture_of if self.pictures else ""
            waiting = _Waiting(line.whole, line.plain) if worker else _Waiting(line.plain)
            if worker:
                older = self._pictured.get(worker)
                if older is not None:
                    older.line = older.plain
                self._pictured[worker] = waiting
            self._lines.append(waiting)
            if len(self._lines) > self._most:
                self._forget()
            self._changed.notify_all()

    def begin_anew(self) -> None:
        """Throw away what waits: a snapshot is sent in its place, also to a watcher that is not behind."""
        with self._changed:
            self._forget()
            self._changed.notify_all()

    def _forget(self) -> None:
        self._lines.clear()
        self._pictured.clear()
        self._is_behind = True

    def reply(self, line: bytes) -> None:
        """Add a line that is no event. It is sent before those."""
        with self._changed:
            self._replies.append(line)
            self._changed.notify_all()

    def close(self) -> None:
        """End :meth:`take` once all lines were taken."""
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()

    def take(self) -> bytes | None:
        """Wait for the next line, or lines; None at the end."""
        with self._changed:
            self._changed.wait_for(lambda: self._replies or self._lines or self._is_behind or self._is_closed)
            if self._replies:
                return self._replies.popleft()
            if not self._is_behind:
                return self._next()
        # Without the lock: the runner holds its own while it adds lines here.
        return b"".join(self._snapshot(self))

    def caught_up(self) -> None:
        """A snapshot was made: events from now on are not in it. Call it while no event can be added."""
        with self._changed:
            self._is_behind = False

    def _next(self) -> bytes | None:
        if not self._lines:
            return None
        waiting = self._lines.popleft()
        if waiting.plain:
            worker = next((name for name, known in self._pictured.items() if known is waiting), None)
            if worker is not None:
                del self._pictured[worker]
        return waiting.line
