"""The companion app: its activities and receivers, and the dialog that each shows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from collector.model.companion.activities import ACTIVITIES
from collector.model.companion.contract import (
    AUTHORITY,
    GUARD,
    MINIMUM_SDK,
    PERMISSIONS,
    TARGET_SDK,
    TEST_ACTIVITY,
    VERSION_CODE,
    VERSION_NAME,
)
from collector.virtual.apps.companion import provider
from collector.virtual.apps.companion.state import PACKAGE, CompanionState
from collector.virtual.apps.companion.update import UpdateResult, update
from collector.virtual.apps.companion.views import buttons, pages, system_dialogs
from collector.virtual.apps.companion.views.advertisement import advertisement
from collector.virtual.apps.companion.views.frame import Frame, frame_of
from collector.virtual.apps.companion.views.progress import progress
from collector.virtual.apps.companion.views.rating import rating
from collector.virtual.apps.companion.views.sign_in import sign_in
from collector.virtual.ui.app import Activity, App, AppIcon, ComponentCall, Context
from collector.virtual.ui.content import texts_of
from collector.virtual.ui.events import Event
from collector.virtual.ui.theme import SETTINGS
from collector.virtual.ui.widgets import Screen

_VIEWS: dict[str, Callable[[Frame], Screen]] = {
    "LocationPermissionActivity": buttons.two_buttons,
    "LowBatteryActivity": buttons.one_button,
    "CookieConsentActivity": buttons.three_buttons,
    "ProgressActivity": progress,
    "LoginActivity": sign_in,
    "MockAdActivity": advertisement,
    "UpdateActivity": buttons.update,
    "RatingActivity": rating,
    "PermissionActivity": system_dialogs.permission,
    "CrashActivity": system_dialogs.error,
    "NotRespondingActivity": system_dialogs.error,
    "BatteryWarningActivity": system_dialogs.warning,
    "StorageWarningActivity": system_dialogs.warning,
    "OverlayReceiver": buttons.two_buttons,
}
_TARGET, _EMPTY, _TEST = ".TargetPageActivity", ".RedirectActivity", f".{TEST_ACTIVITY}"


def activities_of(*, dgara: bool) -> tuple[Activity, ...]:
    """The activities of the contract, or of D-GARA's app, which needs no permission to start them."""
    named = [
        name for name, known in ACTIVITIES.items() if not known.is_receiver and (known.dgara or not dgara)
    ]
    shown = (
        Activity(
            f".{name}",
            dialog=True,
            single_top=ACTIVITIES[name].dgara,
            takes_new_intents=False,
            again_with="" if dgara else "param_dialog",
            permission="" if dgara else GUARD,
        )
        for name in named
    )
    target = Activity(_TARGET, takes_new_intents=False, exported=False)
    test = () if dgara else (Activity(_TEST, takes_new_intents=False, permission=GUARD),)
    return (*shown, target, *test)


class CompanionApp(App[CompanionState]):
    """Dialogs over other apps; the intent brings their texts and log events."""

    name = "companion"
    package = PACKAGE
    icon = AppIcon("warning", "#3D5F93")
    theme = SETTINGS
    activities = activities_of(dgara=False)
    receivers = tuple(f".{name}" for name, known in ACTIVITIES.items() if known.is_receiver)
    authority = AUTHORITY
    state_type = CompanionState
    version = VERSION_NAME
    version_code = VERSION_CODE
    permissions = tuple(PERMISSIONS)
    sdks = MINIMUM_SDK, TARGET_SDK
    in_recents = False
    reads_clock = True

    def label(self, locale: str) -> str:
        return texts_of(self.name, locale)("app")

    def initial(self, seed: int, locale: str) -> CompanionState:
        del seed
        return CompanionState(locale=locale)

    def view(self, state: CompanionState, context: Context) -> Screen:
        if context.activity == _EMPTY:
            return pages.empty_page()
        if context.activity == _TARGET:
            return pages.target(state, context)
        if context.activity == _TEST:
            return pages.test_screen(state, context)
        return _VIEWS[context.activity.removeprefix(".")](frame_of(state, context))

    def update(self, state: CompanionState, event: Event) -> UpdateResult:
        return update(state, event)

    def ended(self, state: CompanionState, stopped: bool) -> CompanionState:
        kept = (
            ()
            if stopped
            else tuple(
                opened for opened in state.open if opened.shown_at and not _is_overlay(opened.activity)
            )
        )
        return replace(state, open=kept, run=state.run + 1) if kept != state.open else state

    def query(
        self, state: CompanionState, path: str, call: ComponentCall
    ) -> list[dict[str, str | None]] | None:
        return provider.rows(state, path, call)


def _is_overlay(activity: str) -> bool:
    return activity == "OverlayReceiver"
