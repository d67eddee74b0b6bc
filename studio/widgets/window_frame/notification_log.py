"""The last messages of the window, so that every toast can be read again."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

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
    action: str = ""
    """The button that can still be pressed; empty for none."""
    act: Callable[[], object] | None = field(default=None, compare=False)
    """What the button does."""
    number: int = 0
    """Which message of its log it is, counted from 1."""


class NotificationLog(QObject):
    """Keeps the last hundred messages, and counts those that came since it was read. GUI thread only."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._kept: deque[Notification] = deque(maxlen=_MOST)
        self._unread = 0
        self._number = 0

    @property
    def messages(self) -> tuple[Notification, ...]:
        """The messages, oldest first."""
        return tuple(self._kept)

    @property
    def unread(self) -> int:
        """How many messages came since :meth:`mark_read`."""
        return self._unread

    def add(
        self, state: str, what: str, why: str, action: str = "", act: Callable[[], object] | None = None
    ) -> Notification:
        """Keep a message with the time of now, and with its button until :meth:`press`."""
        time = QDateTime.currentDateTime().toString("HH:mm:ss")
        self._number += 1
        message = Notification(state, what, why, time, action, act, self._number)
        self._kept.append(message)
        self._unread = min(self._unread + 1, _MOST)
        self.changed.emit()
        return message

    def press(self, number: int) -> None:
        """Do what the button of a message does, once: it is gone then."""
        for place, message in enumerate(self._kept):
            if message.number == number and message.act is not None:
                self._kept[place] = replace(message, action="", act=None)
                self.changed.emit()
                message.act()
                return

    def take_over(self, messages: Iterable[Notification], unread: int = 0) -> None:
        """Begin with the messages of the window before, of which the last ``unread`` were not read.

        Their buttons are gone with that window.
        """
        said = [replace(message, action="", act=None, number=0) for message in messages]
        self._kept = deque([*said, *self._kept], maxlen=_MOST)
        self._unread = min(self._unread + unread, _MOST)
        self.changed.emit()

    def mark_read(self) -> None:
        """Count from now."""
        self._unread = 0
        self.changed.emit()
