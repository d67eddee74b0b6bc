"""What the services say of the use of the phone, safe from any thread."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from collector.virtual.system.phone_state.state import SystemState
from collector.virtual.system.phone_state.usage import UsageEvent


@dataclass(frozen=True, slots=True)
class UsedPackage:
    """A package that was in front: for how many seconds, when last, and how often it was opened."""

    package: str
    seconds: float
    last: dt.datetime
    launches: int


class UsageReport:
    """The use of the phone since it was switched on. Every method may be called from any thread."""

    def __init__(self, state: SystemState) -> None:
        self._state = state

    def events(self) -> list[UsageEvent]:
        """The latest events, the oldest first."""
        with self._state.lock:
            return list(self._state.usage.events)

    def packages(self) -> list[UsedPackage]:
        """The packages that were in front, by name."""
        with self._state.lock:
            now, usage = self._state.clock.now, self._state.usage
            return [
                UsedPackage(name, usage.seconds(now, name), use.last or now, use.launches)
                for name, use in sorted(usage.packages.items())
            ]
