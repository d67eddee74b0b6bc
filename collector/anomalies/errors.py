"""The ways an injection fails, one class for each remedy.

AnomalyError
+-- Unsuitable        this phone, version, app or value cannot have it
+-- CompanionMissing  the companion app is not on the phone
+-- PermissionMissing the companion app may not show it
+-- DialogInFront     something lies on top already
+-- Untrusted         its commands come from a project nobody trusted yet
+-- Refused           a dangerous command the person did not allow
+-- PhoneTaken        another studio changes this phone
+-- NotMade           the phone took the commands, and nothing changed
"""

# ruff: noqa: N818 - named as states of an injection, as the errors of the device layer are

from __future__ import annotations

from collector.model.errors import UserError


class AnomalyError(UserError):
    """Base of all failures to inject."""


class Unsuitable(AnomalyError):
    """This anomaly cannot be injected here: the version, the app or a value does not fit."""


class CompanionMissing(AnomalyError):
    """The app that shows the dialogs is not installed."""


class PermissionMissing(AnomalyError):
    """The companion app lacks a permission that the person or adb gives it."""

    def __init__(self, what: str, why: str = "", to_do: str = "", *, permission: str) -> None:
        super().__init__(what, why, to_do)
        self.permission = permission
        """Its full name, ``android.permission.SYSTEM_ALERT_WINDOW``."""


class DialogInFront(AnomalyError):
    """A dialog is in front, and nothing is injected over a dialog."""


class UntrustedCommand(AnomalyError):
    """A command of a project that nobody has looked at and trusted."""


class DangerousCommandDenied(AnomalyError):
    """A person was asked about a dangerous command, and said no."""


class PhoneInUse(AnomalyError):
    """Another studio holds this phone's undo journal."""


class ChangeNotApplied(AnomalyError):
    """The phone took the commands, but the change did not happen."""
