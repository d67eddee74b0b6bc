"""What time it is for a phone: that of this computer, or a simulated one that passes when it is told to."""

from __future__ import annotations

import time


class PhoneTime:
    """The time of this computer, in which a phone lives that people and programs use through ADB."""

    is_simulated = False

    @property
    def now_ns(self) -> int:
        """Nanoseconds since some moment; they never go back."""
        return time.monotonic_ns()


class SimulatedTime(PhoneTime):
    """Time that stands still between two calls of :meth:`pass_to`, the same on every computer."""

    is_simulated = True

    def __init__(self) -> None:
        self._now_ns = 0

    @property
    def now_ns(self) -> int:
        return self._now_ns

    def pass_to(self, moment_ns: int) -> None:
        """Let time pass until a moment; one that is over changes nothing."""
        self._now_ns = max(self._now_ns, moment_ns)
