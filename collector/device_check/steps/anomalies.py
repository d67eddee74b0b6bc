"""Native anomalies of the built-in library: each is injected, and undone at once."""

from __future__ import annotations

from collector.anomalies.builtin_library import builtin_library
from collector.anomalies.injector import InjectionRequest, Injector
from collector.anomalies.model import NATIVE, Anomaly
from collector.anomalies.native import version_of
from collector.anomalies.trust.command_trust import CommandTrust
from collector.device.apps.companion_app import CompanionApp
from collector.device.errors import GONE, CallCancelled
from collector.device_check.permitted_app import permitted_app
from collector.device_check.settings_app import open_settings_app, show_settings
from collector.device_check.step import CheckStep, CheckStepRun
from collector.model.anomaly_terms import COMPANION_PACKAGE
from collector.model.errors import UserError
from collector.model.i18n import _

_CUTS_LINK = ("airplane_mode", "wifi_off")
"""Anomalies that cut a phone off which adb reaches by Wi-Fi."""
_FREEZE = "app_freeze"
"""It needs an app that can be debugged, which the companion is."""
_REVOKE = "permission_revoked"
_DIALOG = f"am start -W -n {COMPANION_PACKAGE}/.LowBatteryActivity"
_LOOPBACK = ("127.0.0.1:", "localhost:", "[::1]:", "emulator-")


class AnomaliesStep(CheckStep):
    """Injects with the studio's own injector and journal; a change is gone before the next is made."""

    id = "anomalies"
    limit_s = 90.0

    @property
    def title(self) -> str:
        return _("Anomalies of the system")

    @property
    def question(self) -> str:
        return _(
            "May every anomaly of the system be injected and undone? For seconds the phone loses its network "
            "and gets a notification, and its settings crash; an emulator gets a call"
        )

    def run(self, run: CheckStepRun) -> None:
        front = open_settings_app(run)
        injector = Injector(run.device, journal=lambda _device: run.changes.journal)
        injector.gate = CommandTrust().gate(lambda _effects: True)
        natives = [anomaly for anomaly in builtin_library().anomalies if anomaly.kind == NATIVE]
        done = 0
        version = version_of(run.info.sdk, run.info.android)
        fitting = [
            anomaly for anomaly in natives if version in anomaly.versions and anomaly.commands_for(version)
        ]
        if others := [anomaly.id for anomaly in natives if anomaly not in fitting]:
            run.measure("not_for_version", ", ".join(others))
        for anomaly in fitting:
            run.progress(anomaly.description or anomaly.id)
            package = _package_for(run, anomaly, front)
            if not package:
                continue  # there is no app to try it on
            why = _obstacle(run, anomaly) or _injected(run, injector, anomaly, package)
            done += not why
            ability = f"anomalies.{anomaly.id}"
            if why:
                run.lacks(ability, _("Injecting {id} does not work: {why}", id=anomaly.id, why=why))
            else:
                run.works(ability)
        run.measure("injected", f"{done} / {len(fitting)}")


def _package_for(run: CheckStepRun, anomaly: Anomaly, front: str) -> str:
    """The app it is to meet: the settings, or another that fits; empty when there is none."""
    if anomaly.id == _REVOKE:
        return permitted_app(run)
    if anomaly.id != _FREEZE:
        return front
    if not CompanionApp(run.device).status(run.cancel).is_installed:
        return ""
    # A dialog starts its process, which stays behind the settings.
    run.changes.plan(_("the companion app"), f"am force-stop {COMPANION_PACKAGE}")
    run.device.shell(_DIALOG)
    show_settings(run)
    return COMPANION_PACKAGE


def _obstacle(run: CheckStepRun, anomaly: Anomaly) -> str:
    """Why it is not tried; empty when it is."""
    is_remote = ":" in run.device.serial and not run.device.serial.startswith(_LOOPBACK)
    if anomaly.id in _CUTS_LINK and is_remote:
        return _("it needs a cable, because adb reaches this phone by Wi-Fi")
    return ""


def _injected(run: CheckStepRun, injector: Injector, anomaly: Anomaly, package: str) -> str:
    """Why an anomaly cannot be injected and undone; empty when it can."""
    try:
        injection = injector.fire(InjectionRequest(anomaly, package), run.cancel)
        result = None if injection.was_so else injector.undo(injection.id, run.cancel)
        return result.problem if result is not None else ""
    except CallCancelled:
        raise
    except GONE:
        raise
    except UserError as error:
        return str(error).replace(package, _("the app"))
