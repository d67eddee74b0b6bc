"""A device session with events that a test can wait for."""

from __future__ import annotations

import queue
from types import TracebackType
from typing import Any, Self

from collector.device.events import DeviceEvent
from collector.device.session import DeviceSession

_SECONDS = 30


class Watched:
    """A context manager around a session."""

    def __init__(self, address: str, **options: Any) -> None:
        self.events: queue.Queue[DeviceEvent] = queue.Queue()
        self.session = DeviceSession(address, **options)
        self.session.events.subscribe(self._queue_event)

    def _queue_event(self, event: DeviceEvent) -> None:
        if event.kind != "frame":
            self.events.put(event)

    def wait(self, kind: str) -> str:
        """Return the text of the next event of a kind; earlier events are dropped."""
        while True:
            event = self.events.get(timeout=_SECONDS)
            if event.kind == kind:
                return event.text

    def wait_tree(self, text: str) -> None:
        """Wait until the newest tree has a node with this text."""
        while True:
            snapshot = self.session.newest_tree()
            if snapshot and snapshot.tree and any(node.text == text for node in snapshot.tree):
                return
            self.wait("tree")

    def __enter__(self) -> Self:
        self.session.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.session.close()
