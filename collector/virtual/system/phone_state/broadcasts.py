"""Broadcasts to the apps of the phone, and the result that a receiver sets."""

from __future__ import annotations

import datetime as dt
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from collector.virtual.ui.effects import Intent


@dataclass(frozen=True, slots=True)
class BroadcastResult:
    """Result code and data of an ordered broadcast, as ``am broadcast`` prints them."""

    code: int = 0
    data: str | None = None


@dataclass(frozen=True, slots=True)
class SentBroadcast:
    """A broadcast that was delivered: when, by the phone's time and its uptime in ns."""

    intent: Intent
    at: dt.datetime
    uptime_ns: int
    result: BroadcastResult


Receiver = Callable[[Intent], BroadcastResult | None]
"""Returns None for a broadcast that it does not receive."""


_REMEMBERED = 50
"""As many broadcasts as Android keeps in its history."""


class Broadcasts:
    """Delivers broadcasts. Every method may be called from any thread."""

    def __init__(self, now: Callable[[], tuple[dt.datetime, int]]) -> None:
        """``now`` gives the phone's time and its uptime in ns."""
        self._now = now
        self._receivers: tuple[Receiver, ...] = ()
        self._sent: deque[SentBroadcast] = deque(maxlen=_REMEMBERED)

    @property
    def history(self) -> list[SentBroadcast]:
        """The latest broadcasts, the newest first."""
        return list(reversed(self._sent.copy()))

    def register(self, receiver: Receiver) -> None:
        """Add a receiver; it is called on the thread of the sender."""
        self._receivers = (*self._receivers, receiver)

    def send(self, intent: Intent) -> BroadcastResult:
        """Deliver to every receiver in turn; the last result that one of them sets is returned."""
        result = BroadcastResult()
        for receive in self._receivers:
            result = receive(intent) or result
        at, uptime_ns = self._now()
        self._sent.append(SentBroadcast(intent, at, uptime_ns, result))
        return result
