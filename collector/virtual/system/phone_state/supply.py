"""The battery as its driver reports it: power source, level, temperature."""

from __future__ import annotations

from dataclasses import dataclass

UNKNOWN, CHARGING, DISCHARGING, NOT_CHARGING, FULL = 1, 2, 3, 4, 5
"""android.os.BatteryManager: status; 1 is unknown for the health as well"""
GOOD, OVERHEAT, DEAD, OVERVOLTAGE, UNSPECIFIED = 2, 3, 4, 5, 6
"""Health; the last is a failure of another kind."""


@dataclass(frozen=True, slots=True)
class Supply:
    """One battery report.

    ``temperature`` in tenths of a degree Celsius, ``counter`` in microampere hours.
    """

    level: int = 84
    ac: bool = False
    usb: bool = False
    wireless: bool = False
    dock: bool = False
    status: int = DISCHARGING
    present: bool = True
    temperature: int = 250
    counter: int = 84 * 45000
    invalid: int = 0
    health: int = GOOD

    @property
    def plugged(self) -> bool:
        return self.ac or self.usb or self.wireless or self.dock

    @property
    def voltage(self) -> int:
        """Millivolts."""
        return 3600 + self.level * 6


def charged(level: int, charging: bool) -> Supply:
    """A battery at a level, charging or not."""
    level = min(max(level, 0), 100)
    status = DISCHARGING if not charging else FULL if level == 100 else CHARGING
    return Supply(level, ac=charging, status=status, counter=level * 45000)
