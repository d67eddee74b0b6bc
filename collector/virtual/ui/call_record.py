"""A call, as the phone keeps it and the dialer lists it."""

from __future__ import annotations

from dataclasses import dataclass

INCOMING, OUTGOING, MISSED = 1, 2, 3


@dataclass(frozen=True, slots=True)
class CallRecord:
    """A call that has ended; ``kind`` is :data:`INCOMING`, :data:`OUTGOING` or :data:`MISSED`."""

    id: int
    number: str
    date_ms: int
    seconds: int
    kind: int
    name: str = ""
    """Of the contact who had the number when the call ended; empty for a stranger."""
