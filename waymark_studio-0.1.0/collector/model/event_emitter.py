"""Emit events to subscribers; an error in one subscriber does not stop the others."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Generic, TypeVar

Event = TypeVar("Event")
_log = logging.getLogger(__name__)


class EventEmitter(Generic[Event]):
    """Call every subscriber on the thread of ``emit``, newest subscription last. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._subscribers: tuple[Callable[[Event], None], ...] = ()

    def subscribe(self, subscriber: Callable[[Event], None]) -> Callable[[], None]:
        """Call ``subscriber`` with every later event. The returned callable unsubscribes."""
        with self._lock:
            self._subscribers = (*self._subscribers, subscriber)

        def unsubscribe() -> None:
            with self._lock:
                self._subscribers = tuple(known for known in self._subscribers if known is not subscriber)

        return unsubscribe

    def emit(self, event: Event) -> None:
        for subscriber in self._subscribers:
            try:
                subscriber(event)
            except Exception:  # noqa: BLE001 - the boundary between emitter and subscriber
                # A view that fails to draw must not stop the recorder that emitted the event.
                _log.exception("a subscriber failed on %r", event)
