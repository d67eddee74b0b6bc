"""A phone in this process for checks of phones, and steps that do as a test says."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import Self

from collector.adb.quoting import join
from collector.device.protocols import Cancel
from collector.device.transport.shell_result import ShellResult
from collector.device_check.step import CheckStep, CheckStepRun
from collector.virtual.system.phone import Phone
from tests.helpers.shell_device import ShellDevice
from tests.helpers.virtual import profile


class CheckedShellDevice(ShellDevice):
    """A ShellDevice for checks; ``answers`` has what it says instead to commands with a text."""

    def __init__(self, phone: Phone) -> None:
        super().__init__(phone)
        self.answers: dict[str, str] = {}

    def shell(
        self, command: str | Sequence[str], *, timeout: float = 10.0, cancel: Cancel | None = None
    ) -> ShellResult:
        line = command if isinstance(command, str) else join(command)
        for text, answer in self.answers.items():
            if text in line:
                return ShellResult(answer.encode(), b"", 0)
        return super().shell(command, timeout=timeout, cancel=cancel)

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
