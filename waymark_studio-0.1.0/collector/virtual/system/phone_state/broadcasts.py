"""Broadcasts to the apps of the phone, and the result that a receiver sets."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from collector.virtual.ui.effects import Intent


@dataclass(frozen=True, slots=True)
class BroadcastResult:
    """Result code and data of an ordered broadcast, as ``am broadcast`` prints them."""

    code: int = 0
    data: str | None = None


Receiver = Callable[[Intent], BroadcastResult | None]
"""Returns None for a broadcast that it does not receive."""


class Broadcasts:
    """Delivers broadcasts. Every method may be called from any thread."""

    def __init__(self) -> None:
        self._receivers: tuple[Receiver, ...] = ()

    def register(self, receiver: Receiver) -> None:
        """Add a receiver; it is called on the thread of the sender."""
        self._receivers = (*self._receivers, receiver)

    def send(self, intent: Intent) -> BroadcastResult:
        """Deliver to every receiver in turn; the last result that one of them sets is returned."""
        result = BroadcastResult()
        for receive in self._receivers:
            result = receive(intent) or result
        return result
