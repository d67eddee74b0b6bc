"""Permissions of apps: whether they can be revoked and granted, and a camera be blocked."""

from __future__ import annotations

from collector.anomalies.journal import UndoCheck
from collector.device.errors import CallCancelled, DeviceError
from collector.device_check.permitted_app import LOCATION, permitted_app
from collector.device_check.settings_app import settings_package
from collector.device_check.step import CheckStep, CheckStepRun
from collector.model.i18n import _

_SDK = 23
_MODES = ("allow", "ignore", "deny", "foreground")


class PermissionsStep(CheckStep):
    """Revokes the location of an app that does not run, and grants it again."""

    id = "permissions"

    @property
    def title(self) -> str:
        return _("Permissions")

    @property
    def question(self) -> str:
        return _("May an app that does not run lose the permission for the location for a second?")

    def run(self, run: CheckStepRun) -> None:
        if run.info.sdk < _SDK:
            run.lacks("permissions.revoke", _("Permissions can be revoked from Android 6 on"))
            return
        package = permitted_app(run)
        if package:
            _revoke(run, package)
        else:
            run.progress(_("No app that does not run has the permission for the location"))
        _block_camera(run, settings_package(run))


def _revoke(run: CheckStepRun, package: str) -> None:
    reads = f"dumpsys package {package} | grep '{LOCATION}: granted'"
    lasts = UndoCheck(reads, "granted=false")
    run.changes.plan(_("the permission of an app"), f"pm grant {package} {LOCATION}", lasts=lasts)
    try:
        result = run.device.shell(["pm", "revoke", package, LOCATION])
        said = run.device.shell(reads).text
    except CallCancelled:
        raise
    except DeviceError as error:
        run.lacks("permissions.revoke", str(error).replace(package, "…"))
        return
    if result.ok and "granted=false" in said:
        run.works("permissions.revoke")
    else:
        run.lacks("permissions.revoke", _("The phone does not let adb revoke a permission"))


def _block_camera(run: CheckStepRun, package: str) -> None:
    before = run.device.shell(["appops", "get", package, "CAMERA"]).text
    mode = next(
        (word for word in ("allow", "ignore", "deny", "foreground") if f"CAMERA: {word}" in before), "default"
    )
    lasts = UndoCheck(f"appops get {package} CAMERA", "CAMERA: ignore")
    undo = f"appops set {package} CAMERA {mode}"
    run.changes.plan(_("the camera of the settings"), undo, lasts=None if mode == "ignore" else lasts)
    result = run.device.shell(["appops", "set", package, "CAMERA", "ignore"])
    if result.ok and "CAMERA: ignore" in run.device.shell(["appops", "get", package, "CAMERA"]).text:
        run.works("permissions.appops")
    else:
        run.lacks("permissions.appops", _("The phone does not let adb block the camera of an app"))
