"""Convert times of a phone's clock to this computer's, so that what it sends late is not taken to be late."""

from __future__ import annotations

_MAX_DELAY_NS = 2_000_000_000


class DeviceClock:
    """Convert the phone's time to this computer's clock, by the event with the least delay."""

    def __init__(self) -> None:
        self._offset: int | None = None
        self._newest = 0

    def note(self, time: float | None, now_ns: int) -> None:
        """Note that an event of ``time``, in seconds of the phone's uptime, arrived at ``now_ns``."""
        if time is not None:
            offset = now_ns - int(time * 1e9)
            known = self._offset
            # The phone's clock stops while it sleeps: an impossible delay means that it slept.
            slept = known is not None and offset - known > _MAX_DELAY_NS
            self._offset = offset if known is None or slept else min(known, offset)

    def here(self, time: float | None, now_ns: int) -> int:
        """Return ``time`` on this computer's clock; never runs backwards nor ahead of ``now_ns``."""
        if time is not None and self._offset is not None:
            now_ns = min(now_ns, int(time * 1e9) + self._offset)
        self._newest = max(self._newest, now_ns)
        return self._newest
