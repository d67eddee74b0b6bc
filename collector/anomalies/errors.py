"""What can go wrong with an anomaly, told apart so that each has its mend.

AnomalyError
+-- Unsuitable        this phone, version, app or value cannot have it
+-- CompanionMissing  the companion app is not on the phone
+-- DialogInFront     something lies on top already
+-- Untrusted         its commands come from a project nobody trusted yet
+-- Refused           a dangerous command the person did not allow
+-- PhoneTaken        another studio changes this phone
+-- NotMade           the phone took the commands, and nothing changed
"""

# ruff: noqa: N818 - they read as states of an injection, as those of the device layer do of a phone

from __future__ import annotations

from collector.model.errors import UserError


class AnomalyError(UserError):
    """Base of all failures to inject."""


class Unsuitable(AnomalyError):
    """This anomaly cannot be had here: the version, the app or a value does not fit."""


class CompanionMissing(AnomalyError):
    """The app that shows the dialogs is not installed."""


class DialogInFront(AnomalyError):
    """A dialog lies on top, and nothing is injected over one."""


class UntrustedCommand(AnomalyError):
    """A project's own commands, which nobody has looked at and trusted."""


class DangerousCommandDenied(AnomalyError):
    """A person was asked about a dangerous command, and said no."""


class PhoneInUse(AnomalyError):
    """Another studio holds this phone's undo journal."""


class ChangeNotApplied(AnomalyError):
    """The phone took the commands, but what was to change did not."""
