"""The settings app, which every phone has: the screen on which a check tries what it tries."""

from __future__ import annotations

import re

from collector.device.device_info import read_foreground
from collector.device_check.step import CheckStepRun
from collector.model.errors import UserError
from collector.model.i18n import _

_ACTION = "android.settings.SETTINGS"
_USUAL = "com.android.settings"
_OPENS_S = 6.0
_CLEAR_TOP = "0x14000000"
"""So that its first page is shown, and not the one that was left."""
_COMPONENT = re.compile(r"^([\w.]+)/[\w.$]+$", re.MULTILINE)
HOME = "am start -a android.intent.action.MAIN -c android.intent.category.HOME"
"""Not the key: some makers refuse keys."""
ROW = (0.4, 0.5)
"""Where a row of it lies, by the shares of the screen."""


def open_settings_app(run: CheckStepRun) -> str:
    """Show its first page and return its package; the home screen follows when the step is undone.

    Raises UserError when the phone does not show it, DeviceError when it is silent.
    """
    package = settings_package(run)
    if not run.device.shell(["pidof", package]).text.strip():
        run.changes.plan(_("the settings app"), f"am force-stop {package}")
    run.changes.plan(_("the app in front"), HOME)
    show_settings(run)
    if not run.wait_until(lambda: read_foreground(run.device).package == package, _OPENS_S):
        raise UserError(_("The phone does not show its settings"), "", _("Wake and unlock it, and try again"))
    return package


def show_settings(run: CheckStepRun) -> None:
    """Bring its first page to the front."""
    run.device.shell(["am", "start", "-W", "-a", _ACTION, "-f", _CLEAR_TOP])


def settings_package(run: CheckStepRun) -> str:
    """The package of the settings app; the usual one where the phone does not tell it."""
    said = run.device.shell(["cmd", "package", "resolve-activity", "--brief", "-a", _ACTION]).text
    found = _COMPONENT.search(said)
    return found[1] if found else _USUAL
