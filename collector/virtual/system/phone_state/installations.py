"""How often, when and by whom a package was installed."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from collector.virtual.system.phone_state.phone_values import SET_UP_AT


@dataclass(frozen=True, slots=True)
class Installations:
    """The installations of one package so far."""

    count: int = 0
    first: dt.datetime = SET_UP_AT
    last: dt.datetime = SET_UP_AT
    installer: str = ""
    """The package that did the last one; empty for adb."""

    def again(self, now: dt.datetime, installer: str) -> Installations:
        """With one more."""
        return Installations(self.count + 1, self.first if self.count else now, now, installer)
