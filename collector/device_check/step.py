"""One step of a check: its base, and what it works with."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import ClassVar

from collector.device.device_info import DeviceInfo, Display
from collector.device.errors import CallCancelled
from collector.device.protocols import Cancel
from collector.device.transport.adb_device import AdbDevice
from collector.device_check.changes import CheckChanges
from collector.device_check.results import Ability, PhoneMeasurement, Value
from collector.model.errors import UserError


class StepSkipped(UserError):  # noqa: N818 - no error, but what a step says
    """A step cannot be done on this phone, or need not be."""


class CheckStepRun:
    """What a step works with, and what it says. Its phone's calls end with the step."""

    def __init__(
        self, device: AdbDevice, cancel: Cancel, changes: CheckChanges, info: DeviceInfo, display: Display, *,
        say: Callable[[str], None], observed: dict[str, str], jar: str = "",
    ) -> None:  # fmt: skip
        self.device, self.cancel, self.changes = device, cancel, changes
        self.info, self.display, self.jar = info, display, jar
        self.observed = observed
        """What the phone printed in this step and those before, by a name; never part of a report."""
        self.measurements: list[PhoneMeasurement] = []
        self.abilities: list[Ability] = []
        self._say = say

    def progress(self, text: str) -> None:
        """Say what is done now, in a sentence."""
        self._say(text)

    def measure(self, name: str, value: Value, unit: str = "") -> None:
        """Note a measurement; of a fraction one digit is kept."""
        kept = round(value, 1) if isinstance(value, float) else value
        self.measurements.append(PhoneMeasurement(name, kept, unit))

    def works(self, ability: str) -> None:
        """Note that something works."""
        self.abilities.append(Ability(ability, works=True))

    def lacks(self, ability: str, reason: str) -> None:
        """Note that something does not work, and why."""
        self.abilities.append(Ability(ability, works=False, reason=reason))

    def observe(self, name: str, text: str) -> str:
        """Keep what the phone printed, for those who look for quirks; returns the text."""
        self.observed[name] = text
        return text

    def wait(self, seconds: float) -> None:
        """Wait on the phone. Raises CallCancelled when the step ends meanwhile."""
        if self.cancel.wait(seconds):
            raise CallCancelled

    def wait_until(self, holds: Callable[[], bool], seconds: float, every: float = 0.1) -> bool:
        """Ask until something holds; False when it does not within ``seconds``. Raises CallCancelled."""
        end = time.monotonic() + seconds
        while not holds():
            if time.monotonic() > end:
                return False
            self.wait(every)
        return True


class CheckStep(ABC):
    """A step of a check. One object serves every check: it keeps nothing."""

    id: ClassVar[str]
    limit_s: ClassVar[float] = 20.0
    """Seconds after which it is ended."""
    essential: ClassVar[tuple[str, ...]] = ()
    """Abilities without which it failed; where there are none, it failed when nothing works."""

    @property
    @abstractmethod
    def title(self) -> str:
        """What it tries, in the language in use."""

    @property
    def question(self) -> str:
        """What is asked before it begins, because it may disturb; empty for nothing."""
        return ""

    @abstractmethod
    def run(self, run: CheckStepRun) -> None:
        """Try it. Raises UserError with what failed, StepSkipped, or CallCancelled."""
