"""Windows that forbid pictures: whether the phone says which they are."""

from __future__ import annotations

from collector.device.device_info import read_foreground
from collector.device_check.settings_app import open_settings_app
from collector.device_check.step import CheckStep, CheckStepRun
from collector.device_check.test_screen import shown_test_screen
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
            self._try_protected(run)

    def _try_protected(self, run: CheckStepRun) -> None:
        """Look at a screen that is protected, where the companion app can show one."""
        with shown_test_screen(run, secure=True) as screen:
            if screen is not None and not screen.secure:
                run.lacks("secure.known", _("The phone does not say that a protected screen is protected"))
            else:
                run.works("secure.known")
