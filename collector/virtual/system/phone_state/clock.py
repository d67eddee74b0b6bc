"""The phone's clock: starts where the profile says and runs as its time passes."""

from __future__ import annotations

import datetime as dt

from collector.virtual.system.phone_state.phone_time import PhoneTime

START = dt.datetime(2026, 11, 20, 12, 4)


class Clock:
    """Virtual wall time and uptime. It has no lock; the phone's lock protects it."""

    def __init__(self, start: dt.datetime = START, time: PhoneTime | None = None) -> None:
        self._start = start
        self._time = time or PhoneTime()
        self._began_ns = self._time.now_ns
        self._skipped = dt.timedelta()

    @property
    def uptime_ns(self) -> int:
        """Since the phone was switched on."""
        return self._time.now_ns - self._began_ns

    @property
    def now(self) -> dt.datetime:
        return self._start + self._skipped + dt.timedelta(microseconds=self.uptime_ns // 1000)

    @property
    def epoch_ms(self) -> int:
        """Milliseconds since 1970; the phone's time zone is UTC."""
        return round(self.now.replace(tzinfo=dt.UTC).timestamp() * 1000)

    def set(self, when: dt.datetime) -> None:
        """Set another time; uptime continues."""
        self._skipped += when - self.now

    @property
    def seconds_to_next_minute(self) -> float:
        now = self.now
        return 60 - now.second - now.microsecond / 1e6
