"""The use of the phone as its services count it: which activity was in front, and when the screen was on."""

from __future__ import annotations

import datetime as dt
from collections import deque
from dataclasses import dataclass, field

from collector.virtual.ui.effects import Component

RESUMED, PAUSED = "ACTIVITY_RESUMED", "ACTIVITY_PAUSED"
SCREEN_ON, SCREEN_OFF = "SCREEN_INTERACTIVE", "SCREEN_NON_INTERACTIVE"
_KEPT = 400


@dataclass(frozen=True, slots=True)
class UsageEvent:
    """One event, of Android's ``UsageEvents``; a component for those of an activity."""

    time: dt.datetime
    kind: str
    component: Component | None = None


@dataclass(slots=True)
class PackageUse:
    """How long a package was in front, when last, and how often it came to the front from another one."""

    seconds: float = 0.0
    last: dt.datetime | None = None
    launches: int = 0


@dataclass(slots=True)
class Usage:
    """What happened since the phone was switched on. The phone's lock protects it."""

    events: deque[UsageEvent] = field(default_factory=lambda: deque(maxlen=_KEPT))
    """The latest ones, the oldest first."""
    packages: dict[str, PackageUse] = field(default_factory=dict)
    buckets: dict[str, int] = field(default_factory=dict)
    """Standby buckets that were set by hand, by package."""
    _front: Component | None = None
    _since: dt.datetime | None = None

    def note_front(self, now: dt.datetime, front: Component | None) -> None:
        """Another activity came to the front, or none is there any more."""
        if front == self._front:
            return
        before, self._front = self._front, front
        if before is not None:
            self._count(now, before.package)
            self.events.append(UsageEvent(now, PAUSED, before))
        self._since = now
        if front is not None:
            use = self.packages.setdefault(front.package, PackageUse())
            use.last = now
            if before is None or before.package != front.package:
                use.launches += 1
            self.events.append(UsageEvent(now, RESUMED, front))

    def note_screen(self, now: dt.datetime, on: bool) -> None:
        """The screen was switched on or off; nothing is used while it is off."""
        if on:
            self._since = now
        elif self._front is not None:
            self._count(now, self._front.package)
        self.events.append(UsageEvent(now, SCREEN_ON if on else SCREEN_OFF))

    def seconds(self, now: dt.datetime, package: str) -> float:
        """How long a package was in front, up to now."""
        use = self.packages.get(package, PackageUse())
        in_front = self._front is not None and self._front.package == package and self._since is not None
        return use.seconds + ((now - self._since).total_seconds() if in_front and self._since else 0)

    def _count(self, now: dt.datetime, package: str) -> None:
        use = self.packages.setdefault(package, PackageUse())
        if self._since is not None:
            use.seconds += max(0.0, (now - self._since).total_seconds())
        use.last, self._since = now, None
