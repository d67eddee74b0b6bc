"""A mailbox for one item: a newer item replaces an unread one."""

from __future__ import annotations

import threading
from typing import Generic, TypeVar

Item = TypeVar("Item")


class Mailbox(Generic[Item]):
    """Thread-safe slot between one producer and one consumer.

    ``put`` returns whether the slot was empty, so that a producer wakes its consumer once per batch.
    """

    def __init__(self) -> None:
        self._filled = threading.Condition()
        self._item: Item | None = None
        self._closed = False
        self.dropped = 0
        """Number of items replaced before they were taken."""

    def put(self, item: Item) -> bool:
        """Store ``item``, replacing an untaken one; return whether the slot was empty."""
        with self._filled:
            was_empty = self._item is None
            if not was_empty:
                self.dropped += 1
            self._item = item
            self._filled.notify_all()
            return was_empty

    def take(self) -> Item | None:
        """Take the item and empty the slot; None when there is none."""
        with self._filled:
            item, self._item = self._item, None
            return item

    def wait(self, timeout: float | None = None) -> Item | None:
        """Take the item, waiting up to ``timeout`` seconds; None on time-out or when closed."""
        with self._filled:
            self._filled.wait_for(lambda: self._item is not None or self._closed, timeout)
            item, self._item = self._item, None
            return item

    def close(self) -> None:
        """End all waits."""
        with self._filled:
            self._closed = True
            self._filled.notify_all()

    @property
    def closed(self) -> bool:
        return self._closed
