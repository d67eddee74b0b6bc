"""Set a phone up as it was when a recording began."""

from __future__ import annotations

from collections.abc import Sequence

from collector.device.apps.app_control import clear_app, is_home_app, show_beginning, start_app, stop_app
from collector.device.errors import CommandFailed
from collector.device.protocols import Cancel, Device
from collector.model.action import OpenApp
from collector.model.i18n import _
from collector.model.phone.android_names import is_package
from collector.model.trajectory import Step
from collector.replay.action_executor import ActionRefused


def app_of_recording(steps: Sequence[Step], declared: str = "") -> str:
    """The package of a recording: the task's, or the first app opened, or the app of most steps."""
    if declared:
        return declared
    opened = (
        step.action.package for step in steps if isinstance(step.action, OpenApp) and step.action.package
    )
    inside = [step.state.package for step in steps if step.state.package]
    return next(opened, "") or max(inside, key=inside.count, default="")


def prepare_phone(
    device: Device, app: str, steps: Sequence[Step], *, fresh: bool = False, cancel: Cancel | None = None
) -> None:
    """End the app, then start it when the recording began in it, or show the home screen.

    A phone that plays recordings shows their first screen instead. ``fresh`` deletes the app's data before.
    Raises DeviceError; ActionRefused for an app the phone has not.
    """
    if app and not is_package(app):
        raise ActionRefused(_("{name} is no package", name=app))
    if show_beginning(device, cancel) or not app:
        return
    stop_app(device, app, cancel)
    if fresh and not clear_app(device, app, cancel):
        raise CommandFailed(_("The data of {name} could not be deleted", name=app))
    if steps and steps[0].state.package == app and not start_app(device, app, cancel):
        if not is_home_app(device, app, cancel):
            raise ActionRefused(_("The phone has no app {name}", name=app))
        show_beginning(device, cancel)
