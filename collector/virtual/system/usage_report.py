"""What the services say of the use of the phone, safe from any thread."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from collector.virtual.system.phone_state.state import SystemState
from collector.virtual.system.phone_state.usage import UsageEvent

ACTIVE = 10
"""Standby bucket of what is used."""


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

    def bucket(self, package: str) -> int:
        """The standby bucket of a package: 10 active, 20 working set, 30 frequent, 40 rare, 45 restricted."""
        with self._state.lock:
            return self._state.usage.buckets.get(package, ACTIVE)

    def set_bucket(self, package: str, bucket: int) -> None:
        with self._state.lock:
            self._state.usage.buckets[package] = bucket

    def packages(self) -> list[UsedPackage]:
        """The packages that were in front, by name."""
        with self._state.lock:
            now, usage = self._state.clock.now, self._state.usage
            return [
                UsedPackage(name, usage.seconds(now, name), use.last or now, use.launches)
                for name, use in sorted(usage.packages.items())
            ]
