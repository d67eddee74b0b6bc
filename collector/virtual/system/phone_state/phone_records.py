"""Text messages, as the phone keeps them."""

from __future__ import annotations

from dataclasses import dataclass

INBOX, SENT = 1, 2


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
