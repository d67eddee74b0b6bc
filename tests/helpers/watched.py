"""A device session whose events can be waited for."""

from __future__ import annotations

import queue
from types import TracebackType
from typing import Any, Self

from collector.device.events import DeviceEvent
from collector.device.session import DeviceSession

_SECONDS = 30


class Watched:
    """Starts the session when entered, closes it when left."""

    def __init__(self, address: str, **options: Any) -> None:
        self.events: queue.Queue[DeviceEvent] = queue.Queue()
        self.session = DeviceSession(address, **options)
        self.session.events.subscribe(self._keep)

    def _keep(self, event: DeviceEvent) -> None:
        if event.kind != "frame":
            self.events.put(event)

    def wait(self, kind: str) -> str:
        """The text of the next event of a kind; what came before it is forgotten."""
        while True:
            event = self.events.get(timeout=_SECONDS)
            if event.kind == kind:
                return event.text

    def wait_tree(self, text: str) -> None:
        """Until the newest tree holds a node with this text."""
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
