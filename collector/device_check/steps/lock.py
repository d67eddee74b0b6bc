"""The screen switched off and on, where no lock keeps it that only a person can open."""

from __future__ import annotations

import time

from collector.device.errors import CommandFailed
from collector.device_check.step import CheckStep, CheckStepRun, StepSkipped
from collector.model.i18n import _

_SWITCHES_S = 6.0
_SLEEP, _WAKE = "input keyevent 223", "input keyevent 224"
_DISMISS = "wm dismiss-keyguard"
_SECURE = "dumpsys window policy | grep -m 1 -E ' secure=| mIsSecure='; locksettings verify"
_SHOWING = "dumpsys window policy | grep -m 1 -E ' showing='"


class LockStep(CheckStep):
    """Sends the phone to sleep and wakes it."""

    id = "lock"
    limit_s = 30.0

    @property
    def title(self) -> str:
        return _("Screen off, lock and screen on")

    @property
    def question(self) -> str:
        return _("May the screen go off and on again? It is left out where a lock would stay closed")

    def run(self, run: CheckStepRun) -> None:
        said = run.observe("lock", run.device.shell(_SECURE).text)
        if "secure=true" in said.lower() or ("secure=false" not in said.lower() and "success" not in said):
            raise StepSkipped(_("The phone has a lock that only a person can open"))
        if not run.device.shell(_WAKE).ok:
            raise StepSkipped(_("The phone refuses keys, and could not be woken"))
        run.changes.plan(_("the screen"), _WAKE, _DISMISS)
        run.measure("screen_off", _until(run, _SLEEP, awake=False), "ms")
        run.measure("screen_on", _until(run, _WAKE, awake=True), "ms")
        if "showing=true" in run.device.shell(_SHOWING).text:
            run.device.shell(_DISMISS)
        if run.wait_until(lambda: "showing=true" not in run.device.shell(_SHOWING).text, _SWITCHES_S):
            run.works("lock.screen")
        else:
            run.lacks("lock.screen", _("The lock screen stays until a person swipes it away"))


def _until(run: CheckStepRun, command: str, *, awake: bool) -> float:
    """Milliseconds until the screen is off or on. Raises CommandFailed when it stays."""

    def is_so() -> bool:
        return ("mWakefulness=Awake" in run.device.shell("dumpsys power | grep mWakefulness=").text) == awake

    began = time.monotonic()
    run.device.shell(command)
    if not run.wait_until(is_so, _SWITCHES_S):
        raise CommandFailed(_("The screen does not go on") if awake else _("The screen does not go off"), "")
    return (time.monotonic() - began) * 1000
