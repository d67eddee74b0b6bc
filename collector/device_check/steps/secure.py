"""Windows that forbid pictures: whether the phone says which they are."""

from __future__ import annotations

from collector.device.device_info import read_foreground
from collector.device_check.settings_app import open_settings_app
from collector.device_check.step import CheckStep, CheckStepRun
from collector.model.i18n import _


class SecureStep(CheckStep):
    """Asks for the flags of windows, which tell a protected screen from a broken picture."""

    id = "secure"

    @property
    def title(self) -> str:
        return _("Protected windows")

    def run(self, run: CheckStepRun) -> None:
        open_settings_app(run)
        flags = run.device.shell("dumpsys window -a | grep -c -E '[^p]fl='").text.strip()
        front = read_foreground(run.device)
        run.measure("windows", int(flags) if flags.isdecimal() else 0)
        if not flags.isdecimal() or not int(flags) or not front.title:
            run.lacks(
                "secure.known",
                _("The phone does not say which windows forbid pictures: a protected one is taken for black"),
            )
        elif front.secure:
            run.lacks(
                "secure.known", _("The phone calls its own settings protected, and shows no picture of them")
            )
        else:
            run.works("secure.known")
