"""Broadcasts: which the phone refuses when adb sends them."""

from __future__ import annotations

from collector.device_check.step import CheckStep, CheckStepRun
from collector.model.i18n import _

_OWN = "com.waymark.check.NOTHING"
_CLOSE = "android.intent.action.CLOSE_SYSTEM_DIALOGS"
_PROTECTED = ("android.intent.action.BATTERY_OKAY", "android.intent.action.TIME_SET")
_REFUSALS = ("SecurityException", "Permission Denial", "not allowed")


class BroadcastsStep(CheckStep):
    """Sends one that nobody hears, the one that closes dialogs, and two that Android keeps for itself."""

    id = "broadcasts"

    @property
    def title(self) -> str:
        return _("Broadcasts")

    def run(self, run: CheckStepRun) -> None:
        refused = [action for action in (_OWN, _CLOSE, *_PROTECTED) if _is_refused(run, action)]
        run.measure("refused", ", ".join(action.rpartition(".")[2] for action in refused) or _("none"))
        for action, ability, why in (
            (_OWN, "broadcasts.send", _("The phone lets adb send no broadcast")),
            (_CLOSE, "broadcasts.dialogs", _("The phone does not let adb close dialogs by a broadcast")),
        ):
            if action in refused:
                run.lacks(ability, why)
            else:
                run.works(ability)


def _is_refused(run: CheckStepRun, action: str) -> bool:
    result = run.device.shell(["am", "broadcast", "-a", action])
    said = run.observe(f"broadcast.{action}", result.text + result.error_text)
    return not result.ok or any(word in said for word in _REFUSALS)
