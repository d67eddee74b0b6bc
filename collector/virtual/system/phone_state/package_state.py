"""Whether an installed app may run and be seen, as ``pm disable-user``, ``hide`` and ``suspend`` set it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Enabled = Literal["default", "enabled", "disabled", "disabled-user", "disabled-until-used"]
ENABLED_NUMBERS: dict[Enabled, int] = {
    "default": 0,
    "enabled": 1,
    "disabled": 2,
    "disabled-user": 3,
    "disabled-until-used": 4,
}
"""The constants of Android's PackageManager."""


@dataclass(frozen=True, slots=True)
class PackageState:
    """The state of one package."""

    enabled: Enabled = "default"
    hidden: bool = False
    """As if it were not installed."""
    suspended: bool = False
    """Installed and shown, but a dialog appears instead of the app."""
    uninstalled: bool = False
    """A package of the system that the person's user does not have any more."""

    @property
    def is_enabled(self) -> bool:
        return self.enabled in ("default", "enabled")

    @property
    def available(self) -> bool:
        """Whether the launcher shows it and its activities can be found."""
        return self.is_enabled and self.installed_for_user

    @property
    def installed_for_user(self) -> bool:
        """Whether the person's user has it."""
        return not (self.hidden or self.uninstalled)
