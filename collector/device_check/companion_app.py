"""The app that a check may treat as it likes: the companion app, where it is installed."""

from __future__ import annotations

from collector.device.apps.companion_app import CompanionApp
from collector.device_check.step import CheckStepRun, StepSkipped
from collector.model.anomaly_terms import COMPANION_PACKAGE
from collector.model.i18n import _


def require_companion(run: CheckStepRun) -> str:
    """Its package. Raises StepSkipped where it is not installed: no other app's data may be touched."""
    if not CompanionApp(run.device).status(run.cancel).is_installed:
        raise StepSkipped(_("It needs the companion app: no other app may lose its data"))
    return COMPANION_PACKAGE
