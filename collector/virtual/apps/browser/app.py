"""The browser: its activities and its one screen."""

from __future__ import annotations

from collector.virtual.apps.browser import views
from collector.virtual.apps.browser.state import BrowserState
from collector.virtual.apps.browser.update import UpdateResult, update
from collector.virtual.apps.system_app import SystemApp
from collector.virtual.ui.app import Activity, AppIcon, Context, InnerPage
from collector.virtual.ui.content import texts_of
from collector.virtual.ui.effects import ACTION_VIEW
from collector.virtual.ui.events import Event
from collector.virtual.ui.theme import BROWSER
from collector.virtual.ui.widgets import Screen


class BrowserApp(SystemApp[BrowserState]):
    """Show a page for every web address, without a network."""

    name = "browser"
    package = "com.waymark.browser"
    icon = AppIcon("globe", "#2F5DA8")
    theme = BROWSER
    activities = (
        Activity(".MainActivity", actions=(ACTION_VIEW,), schemes=("http", "https"), launcher=True),
        Activity(".SearchActivity", actions=("android.intent.action.WEB_SEARCH",)),
    )
    pages = {  # noqa: RUF012 - never changed
        "page": InnerPage(".MainActivity", {"pages": ["https://news.example/"], "place": 0}),
    }
    state_type = BrowserState
    version = "2.1.0"
    version_code = 210
    permissions = ("android.permission.INTERNET",)

    def initial(self, seed: int, locale: str) -> BrowserState:
        del seed
        return BrowserState(locale)

    def view(self, state: BrowserState, context: Context) -> Screen:
        return views.screen(state, context, texts_of(self.name, context.locale))

    def update(self, state: BrowserState, event: Event) -> UpdateResult:
        return update(state, event)
