"""The settings app: its activities and which screen each shows."""

from __future__ import annotations

from collector.virtual.apps.settings import views
from collector.virtual.apps.settings.pages import PAGES
from collector.virtual.apps.settings.state import SettingsState
from collector.virtual.apps.settings.update import PACKAGE, UpdateResult, update
from collector.virtual.ui.app import Activity, App, AppIcon, Context
from collector.virtual.ui.content import texts_of
from collector.virtual.ui.events import Event
from collector.virtual.ui.theme import SETTINGS
from collector.virtual.ui.widgets import Screen

_BY_ACTIVITY = {page.activity: page for page in PAGES.values()}


class SettingsApp(App[SettingsState]):
    """Wi-Fi, airplane mode, battery, display, language and more; each setting changes the phone."""

    name = "settings"
    package = PACKAGE
    icon = AppIcon("settings", "#3D5F93")
    theme = SETTINGS
    activities = (
        Activity(".Settings", actions=("android.settings.SETTINGS",), launcher=True),
        Activity(".SearchActivity"),
        *(Activity(page.activity, page.actions) for page in PAGES.values()),
    )
    state_type = SettingsState
    version = "15"
    version_code = 35
    system = True

    def label(self, locale: str) -> str:
        return texts_of(self.name, locale)("app")

    def initial(self, seed: int, locale: str) -> SettingsState:
        return SettingsState(locale=locale)

    def view(self, state: SettingsState, context: Context) -> Screen:
        say = texts_of(self.name, context.locale)
        if context.activity == ".SearchActivity":
            return views.search_screen(state, context, say)
        page = _BY_ACTIVITY.get(context.activity)
        if page is None:
            return views.top_screen(state, context, say)
        return views.page_screen(page, state, context, say)

    def update(self, state: SettingsState, event: Event) -> UpdateResult:
        return update(state, event)
