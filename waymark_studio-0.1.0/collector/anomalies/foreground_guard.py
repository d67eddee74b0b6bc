"""Guard the foreground: nothing is injected over a dialog."""

from __future__ import annotations

from collector.anomalies.errors import DialogInFront
from collector.device.device_info import read_foreground
from collector.device.foreground import Foreground
from collector.device.protocols import Cancel, Device
from collector.model.anomaly_terms import COMPANION_PACKAGE
from collector.model.i18n import N_, _

_PACKAGES = {
    COMPANION_PACKAGE: N_("A dialog of the companion app"),
    "com.android.permissioncontroller": N_("A permission dialog"),
    "com.google.android.permissioncontroller": N_("A permission dialog"),
    "com.android.packageinstaller": N_("A permission dialog"),
    "com.google.android.packageinstaller": N_("A permission dialog"),
    "com.lbe.security.miui": N_("A permission dialog"),
}
_CALL = N_("A call")
_CALLING = ".InCallActivity"
"""The name of the page of a call in every maker's dialer."""
_TITLES = {
    "Application Error": N_("The dialog of an app that crashed"),
    "Application Not Responding": N_("The dialog of an app that does not answer"),
}


def obstacle(front: Foreground) -> str:
    """The dialog in front, in words; empty for an app."""
    for title, words in _TITLES.items():
        if front.title.startswith(title):
            return _(words)
    if front.activity.endswith(_CALLING):
        return _(_CALL)
    return _(_PACKAGES[front.package]) if front.package in _PACKAGES else ""


def require_clear(device: Device, cancel: Cancel | None = None) -> Foreground:
    """Read what is in front. Raises DialogInFront when it is a dialog."""
    front = read_foreground(device, cancel)
    what = obstacle(front)
    if what:
        raise DialogInFront(
            _("Nothing was injected"),
            _("{what} lies on top", what=what),
            _("Answer or close it first"),
        )
    return front
