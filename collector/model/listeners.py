"""How events travel up: a list of callables, told in order, that nobody's error can break."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Generic, TypeVar

Event = TypeVar("Event")
_log = logging.getLogger(__name__)


class Listeners(Generic[Event]):
    """Thread-safe. ``tell`` runs every listener on the caller's thread, newest subscription last."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._listeners: tuple[Callable[[Event], None], ...] = ()

    def add(self, listener: Callable[[Event], None]) -> Callable[[], None]:
        """Subscribe; the returned callable unsubscribes and may be called twice."""
        with self._lock:
            self._listeners = (*self._listeners, listener)

        def remove() -> None:
            with self._lock:
                self._listeners = tuple(one for one in self._listeners if one is not listener)

        return remove

    def tell(self, event: Event) -> None:
        for listener in self._listeners:
            try:
                listener(event)
            except Exception:  # noqa: BLE001 - the boundary between teller and told
                # A view that fails to draw must not stop the recorder that told it.
                _log.exception("a listener failed on %r", event)
