"""The companion app: its exported activities and the dialog that each shows."""

from __future__ import annotations

from collections.abc import Callable

from collector.virtual.apps.companion import dialogs, pages
from collector.virtual.apps.companion.state import PACKAGE, CompanionState
from collector.virtual.apps.companion.update import UpdateResult, update
from collector.virtual.ui.app import Activity, App, AppIcon, Context
from collector.virtual.ui.content import AppTexts, texts_of
from collector.virtual.ui.events import Event
from collector.virtual.ui.theme import SETTINGS
from collector.virtual.ui.widgets import Screen

SCREENS: dict[str, Callable[[CompanionState, Context, AppTexts], Screen]] = {
    ".LocationPermissionActivity": dialogs.two_buttons,
    ".LowBatteryActivity": dialogs.one_button,
    ".CookieConsentActivity": dialogs.three_buttons,
    ".ProgressActivity": dialogs.progress,
    ".LoginActivity": pages.sign_in,
    ".MockAdActivity": pages.advertisement,
    ".RedirectActivity": pages.empty_page,
    ".TargetPageActivity": pages.target,
}


class CompanionApp(App[CompanionState]):
    """Dialogs over other apps; the intent brings their texts and log events."""

    name = "companion"
    package = PACKAGE
    icon = AppIcon("warning", "#3D5F93")
    theme = SETTINGS
    activities = tuple(
        Activity(
            name,
            dialog=name != ".TargetPageActivity",
            exported=name != ".TargetPageActivity",
            takes_new_intents=False,
        )
        for name in SCREENS
    )
    state_type = CompanionState
    version = "1.0"
    version_code = 1

    def label(self, locale: str) -> str:
        return texts_of(self.name, locale)("app")

    def initial(self, seed: int, locale: str) -> CompanionState:
        del seed, locale
        return CompanionState()

    def view(self, state: CompanionState, context: Context) -> Screen:
        return SCREENS[context.activity](state, context, texts_of(self.name, context.locale))

    def update(self, state: CompanionState, event: Event) -> UpdateResult:
        return update(state, event)
