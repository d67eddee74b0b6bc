"""A phone in this process for checks of phones, and steps that do as a test says."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Self

from collector.device.protocols import Cancel
from collector.device_check.step import CheckStep, CheckStepRun
from collector.virtual.system.phone import Phone
from tests.helpers.shell_device import ShellDevice
from tests.helpers.virtual import profile


class CheckedShellDevice(ShellDevice):
    """A ShellDevice whose calls a step could end."""

    def until(self, _cancel: Cancel) -> Self:
        return self


@contextlib.contextmanager
def checked_shell_device(*apps: str) -> Iterator[CheckedShellDevice]:
    """A phone with the settings, and the named apps."""
    phone = Phone(profile(*apps))
    device = CheckedShellDevice(phone)
    try:
        yield device
    finally:
        device.close()
        phone.close()


class TriedStep(CheckStep):
    """A step that does what a test gives it."""

    limit_s = 20.0

    def __init__(
        self,
        work: Callable[[CheckStepRun], None],
        step_id: str = "tried",
        question: str = "",
        limit_s: float = 20.0,
    ) -> None:
        self._work, self._question = work, question
        self.id, self.limit_s = step_id, limit_s  # type: ignore[misc]

    @property
    def title(self) -> str:
        return "A tried step"

    @property
    def question(self) -> str:
        return self._question

    def run(self, run: CheckStepRun) -> None:
        self._work(run)
