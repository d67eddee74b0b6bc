"""Events of a check, emitted on the thread that checks."""

from __future__ import annotations

from dataclasses import dataclass

from collector.device_check.results import CheckStepResult


@dataclass(frozen=True, slots=True)
class CheckStepStarted:
    """A step began: its number from 1, and how many there are."""

    step: str
    title: str
    number: int
    count: int


@dataclass(frozen=True, slots=True)
class CheckStepProgress:
    """A step says what it does now."""

    step: str
    text: str


@dataclass(frozen=True, slots=True)
class CheckStepFinished:
    """A step ended."""

    result: CheckStepResult


@dataclass(frozen=True, slots=True)
class PhoneRestored:
    """The phone was compared with how it was before the check; empty when it is the same."""

    unrestored: tuple[str, ...]


CheckEvent = CheckStepStarted | CheckStepProgress | CheckStepFinished | PhoneRestored
