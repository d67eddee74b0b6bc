"""What a check of a phone found: plain values, which hold nothing private of the person."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

Value = bool | int | float | str


class CheckOutcome(StrEnum):
    """How a step of a check ended."""

    PASSED = "passed"
    FAILED = "failed"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class PhoneMeasurement:
    """One number or word that was measured, by a stable name such as ``first_picture``."""

    name: str
    value: Value
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Ability:
    """Something the phone can or cannot do, by a stable id such as ``input.tap``."""

    id: str
    works: bool
    reason: str = ""
    """Why it does not work, in a sentence; empty when it works."""


@dataclass(frozen=True, slots=True)
class CheckStepResult:
    """What one step found. ``step`` is its id."""

    step: str
    outcome: CheckOutcome
    reason: str = ""
    """Why it failed or was skipped, in a sentence."""
    seconds: float = 0.0
    measurements: tuple[PhoneMeasurement, ...] = ()
    abilities: tuple[Ability, ...] = ()
    quirks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CheckedPhone:
    """What a phone is, without anything that only this one has, such as its serial number."""

    manufacturer: str = ""
    brand: str = ""
    model: str = ""
    android: str = ""
    sdk: int = 0
    build: str = ""
    size: str = ""
    """Of its screen in its natural rotation, as in ``1080x2400``."""
    density: int = 0
    is_virtual: bool = False

    @property
    def name(self) -> str:
        """Maker, model and Android, as in ``Google Pixel 7, Android 15``."""
        maker = "" if self.model.casefold().startswith(self.manufacturer.casefold()) else self.manufacturer
        phone = f"{maker} {self.model}".strip()
        return ", ".join(part for part in (phone, self.android and f"Android {self.android}") if part)


@dataclass(frozen=True, slots=True)
class WorkspaceVerdict:
    """Whether a workspace can use the phone."""

    workspace: str
    """``record``, ``rules``, ``states``, ``run`` or ``review``."""
    works: bool
    limits: tuple[str, ...] = ()
    """What does not work, or only in another way, each in a sentence."""


@dataclass(frozen=True, slots=True)
class DeviceCheckResults:
    """All that a check found, also of one that was cancelled."""

    phone: CheckedPhone
    steps: tuple[CheckStepResult, ...] = ()
    verdicts: tuple[WorkspaceVerdict, ...] = ()
    settings: Mapping[str, str] = field(default_factory=dict)
    """Settings of the studio that suit this phone, by key."""
    unrestored: tuple[str, ...] = ()
    """What is not as it was before, each in a sentence."""
    changed_meanwhile: tuple[str, ...] = ()
    """Names of settings that differ and that no check changes: phones change some by themselves."""
    end: str = ""
    """Why it ended before its last step, in a sentence; empty when it did not."""
    seconds: float = 0.0
    version: str = ""
    """Of the studio that checked."""

    @property
    def quirks(self) -> tuple[str, ...]:
        """Ids of all quirks that were found, each once."""
        return tuple(dict.fromkeys(quirk for step in self.steps for quirk in step.quirks))

    def ability(self, ability_id: str) -> Ability | None:
        """What was found about an ability; None when it was not tried."""
        found = (ability for step in self.steps for ability in step.abilities if ability.id == ability_id)
        return next(found, None)

    def measured(self, name: str) -> Value | None:
        """What was measured under a name; None when it was not."""
        found = (each.value for step in self.steps for each in step.measurements if each.name == name)
        return next(found, None)
