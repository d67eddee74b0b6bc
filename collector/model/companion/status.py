"""The companion app as a phone has it, and what it can do and cannot, in words."""

from __future__ import annotations

from dataclasses import dataclass

from collector.model.companion import contract
from collector.model.i18n import N_, _

ABILITIES = (
    N_("It shows dialogs, notifications, messages and windows over other apps when an anomaly is injected"),
    N_("It says which button was touched, or how a dialog was closed"),
    N_("It may draw over other apps, and post notifications, only after you allow each"),
)
LIMITS = (
    N_("It has no access to the network"),
    N_("It cannot see what other apps show, nor what is typed there"),
    N_("No other app can start it, and it does nothing while no anomaly is injected"),
)


@dataclass(frozen=True, slots=True)
class CompanionStatus:
    """The app as a phone has it."""

    version: str = ""
    """Its version; empty when the phone has none."""
    contract: int = 0
    """The version of its contract; 0 for D-GARA's app, and for none."""
    allowed: frozenset[str] = frozenset()
    """The permissions it has, of those that need a question."""

    @property
    def is_installed(self) -> bool:
        return bool(self.version)

    @property
    def is_ours(self) -> bool:
        return self.contract > 0

    @property
    def is_current(self) -> bool:
        """Whether it is the version that this program brings."""
        return self.is_ours and self.version == contract.VERSION_NAME

    @property
    def sentence(self) -> str:
        """Which app the phone has, in words."""
        if not self.is_installed:
            return _("The companion app is not on this phone")
        if not self.is_ours:
            return _("D-GARA's companion app is on this phone, version {version}", version=self.version)
        if not self.is_current:
            return _("An older companion app is on this phone, version {version}", version=self.version)
        return _("The companion app is on this phone, version {version}", version=self.version)
