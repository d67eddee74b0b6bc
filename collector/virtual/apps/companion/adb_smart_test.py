"""D-GARA's own app of the same package, version 1.0: its dialogs, and the log line of a button."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from collector.model.companion.activities import STYLE
from collector.model.companion.contract import ANSWER_TAG, VERSION_CODE
from collector.virtual.apps.companion.app import CompanionApp, activities_of
from collector.virtual.apps.companion.state import CompanionState
from collector.virtual.apps.companion.update import UpdateResult
from collector.virtual.ui.app import Context
from collector.virtual.ui.effects import Change, WriteFile, WriteLog
from collector.virtual.ui.events import Event
from collector.virtual.ui.widgets import Screen


class AdbSmartTestApp(CompanionApp):
    """It reads no parameter of ours, answers by its log line alone, and has no receivers and no provider."""

    activities = activities_of(dgara=True)
    receivers = ()
    authority = ""
    version = "1.0"
    version_code = 1
    sdks = 24, 35
    permissions = ()
    in_recents = True

    def view(self, state: CompanionState, context: Context) -> Screen:
        return super().view(state, replace(context, extras=_known(context.extras)))

    def update(self, state: CompanionState, event: Event) -> UpdateResult:
        if isinstance(event.value, Mapping):
            event = event.with_value(_known(event.value))
        change = super().update(state, event)
        if not isinstance(change, Change):
            return change
        effects = tuple(effect for effect in change.effects if not _is_ours(effect))
        return Change(change.state, effects)


def is_adb_smart_test(version_code: int) -> bool:
    """Whether an APK of the package is D-GARA's, by its version."""
    return 0 < version_code < VERSION_CODE


def _known(extras: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in extras.items() if key not in STYLE}


def _is_ours(effect: object) -> bool:
    is_line = isinstance(effect, WriteLog) and effect.tag == ANSWER_TAG
    return is_line or isinstance(effect, WriteFile)
