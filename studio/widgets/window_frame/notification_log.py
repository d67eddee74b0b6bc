"""The last messages of the window, so that every toast can be read again."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass

from PySide6.QtCore import QDateTime, QObject, Signal

_MOST = 100


@dataclass(frozen=True, slots=True)
class Notification:
    """A message that was shown as a toast; ``state`` is ok, info, warn or err."""

    state: str
    what: str
    why: str
    time: str
    """Local time as ``hh:mm:ss``."""


class NotificationLog(QObject):
    """Keeps the last hundred messages, and counts those that came since it was read. GUI thread only."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._kept: deque[Notification] = deque(maxlen=_MOST)
        self._unread = 0

    @property
    def messages(self) -> tuple[Notification, ...]:
        """The messages, oldest first."""
        return tuple(self._kept)

    @property
    def unread(self) -> int:
        """How many messages came since :meth:`mark_read`."""
        return self._unread

    def add(self, state: str, what: str, why: str) -> None:
        """Keep a message with the time of now."""
        time = QDateTime.currentDateTime().toString("HH:mm:ss")
        self._kept.append(Notification(state, what, why, time))
        self._unread = min(self._unread + 1, _MOST)
        self.changed.emit()

    def take_over(self, messages: Iterable[Notification], unread: int = 0) -> None:
        """Begin with the messages of the window before, of which the last ``unread`` were not read."""
        self._kept = deque([*messages, *self._kept], maxlen=_MOST)
        self._unread = min(self._unread + unread, _MOST)
        self.changed.emit()

    def mark_read(self) -> None:
        """Count from now."""
        self._unread = 0
        self.changed.emit()
