"""Reset of an app, as before a recording."""

from __future__ import annotations

from collector.device_check.companion_app import require_companion
from collector.device_check.step import CheckStep, CheckStepRun
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.task import RESET_APP
from collector.reset.phone_reset import reset_phone
from collector.reset.reset_record import ResetPlan


class ResetStep(CheckStep):
    """Deletes the data of the companion app, which keeps nothing for the person."""

    id = "reset"

    @property
    def title(self) -> str:
        return _("Reset of an app")

    @property
    def question(self) -> str:
        return _("May the data of the companion app be deleted, if it is installed?")

    def run(self, run: CheckStepRun) -> None:
        package = require_companion(run)
        try:
            reset_phone(run.device, ResetPlan(RESET_APP, package=package), run.cancel)
        except UserError as error:
            run.lacks("reset.app", str(error))
        else:
            run.works("reset.app")
