"""The clock's whole state, as YAML shows it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from collector.virtual.ui.content import load, localized

TABS = ("alarms", "cities", "timers", "stopwatch")


@dataclass(frozen=True, slots=True)
class ClockAlarm:
    """One alarm. ``days`` are those of the week on which it repeats, Monday is 0; none for once."""

    id: int
    hour: int
    minute: int
    days: tuple[int, ...] = ()
    enabled: bool = True
    label: str = ""

    @property
    def time(self) -> str:
        return f"{self.hour:02}:{self.minute:02}"


@dataclass(frozen=True, slots=True)
class ClockTimer:
    """One timer: its length, and the seconds that are left; below 0 since it is over."""

    id: int
    seconds: int
    left: int
    running: bool = True
    label: str = ""


@dataclass(frozen=True, slots=True)
class ClockState:
    """Alarms and timers, and what is open."""

    locale: str = "en-US"
    tab: str = "alarms"
    alarms: tuple[ClockAlarm, ...] = ()
    timers: tuple[ClockTimer, ...] = ()
    draft: ClockAlarm | None = None
    """The alarm that is edited; its id is 0 for a new one."""
    typed: str = ""
    """The digits of a new timer, as ``HHMMSS`` without leading zeros."""
    adding: bool = False
    """Whether a new timer is typed though there are others."""
    ringing: int = 0
    """Id of the alarm that rings; 0 for none."""
    elapsed: int = 0
    """Seconds of the stopwatch."""
    measuring: bool = False
    ticking: bool = False
    """Whether an event of the next second is on its way."""
    laps: tuple[int, ...] = ()

    def alarm(self, number: object) -> ClockAlarm | None:
        return next((alarm for alarm in self.alarms if alarm.id == number), None)

    def with_alarm(self, number: object, **changes: Any) -> ClockState:
        alarms = tuple(replace(alarm, **changes) if alarm.id == number else alarm for alarm in self.alarms)
        return replace(self, alarms=alarms)

    def with_timer(self, number: object, **changes: Any) -> ClockState:
        timers = tuple(replace(timer, **changes) if timer.id == number else timer for timer in self.timers)
        return replace(self, timers=timers)

    @property
    def next_id(self) -> int:
        numbers = [alarm.id for alarm in self.alarms] + [timer.id for timer in self.timers]
        return max(numbers, default=0) + 1

    @property
    def needs_ticks(self) -> bool:
        return self.measuring or any(timer.running for timer in self.timers)


def fresh(locale: str) -> ClockState:
    """The state of a newly installed app."""
    alarms = tuple(
        ClockAlarm(
            number, row["hour"], row["minute"], tuple(row["days"]), row["enabled"],
            localized(row["label"], locale) if "label" in row else "",
        )
        for number, row in enumerate(load("clock")["alarms"], start=1)
    )  # fmt: skip
    return ClockState(locale=locale, alarms=alarms)


def seconds_of(typed: str) -> int:
    """The seconds of the digits ``HHMMSS``."""
    digits = typed.zfill(6)
    return int(digits[:2]) * 3600 + int(digits[2:4]) * 60 + int(digits[4:])


def clock_time(seconds: int) -> str:
    """``1:02:03`` or ``02:03``; with a sign once it is over."""
    sign, rest = ("-", -seconds) if seconds < 0 else ("", seconds)
    minutes, rest = divmod(rest, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{sign}{hours}:{minutes:02}:{rest:02}" if hours else f"{sign}{minutes:02}:{rest:02}"
