"""Text messages and calls, as the phone keeps them."""

from __future__ import annotations

from dataclasses import dataclass

INBOX, SENT = 1, 2
INCOMING, OUTGOING, MISSED = 1, 2, 3


@dataclass(frozen=True, slots=True)
class TextMessage:
    """A text message; ``folder`` is :data:`INBOX`, :data:`SENT` or another of Android's numbers."""

    id: int
    thread: int
    """Messages with one number belong together."""
    address: str
    date_ms: int
    body: str
    folder: int = INBOX
    read: bool = False


@dataclass(frozen=True, slots=True)
class CallRecord:
    """A call that has ended; ``kind`` is :data:`INCOMING`, :data:`OUTGOING` or :data:`MISSED`."""

    id: int
    number: str
    date_ms: int
    seconds: int
    kind: int
