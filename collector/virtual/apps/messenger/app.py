"""The messenger: its activities and which screen each shows."""

from __future__ import annotations

from collector.model.app_data.collections import AppData
from collector.virtual.apps.messenger import views
from collector.virtual.apps.messenger.data import data_of
from collector.virtual.apps.messenger.state import MessengerState, fresh
from collector.virtual.apps.messenger.update import PACKAGE, PERMISSIONS, SMS_SCHEMES, UpdateResult, update
from collector.virtual.ui.app import Activity, App, AppIcon, Context, InnerPage
from collector.virtual.ui.content import texts_of
from collector.virtual.ui.effects import ACTION_SEND, ACTION_SENDTO, ACTION_VIEW
from collector.virtual.ui.events import Event
from collector.virtual.ui.theme import MESSENGER
from collector.virtual.ui.widgets import Screen

_SCREENS = {".ChatActivity": views.chat_screen, ".ShareActivity": views.share_screen}


class MessengerApp(App[MessengerState]):
    """Chats with contacts that answer."""

    name = "messenger"
    package = PACKAGE
    icon = AppIcon("send", "#1F6B3B")
    needs_network = True
    theme = MESSENGER
    activities = (
        Activity(".MainActivity", launcher=True),
        Activity(".ChatActivity", actions=(ACTION_VIEW, ACTION_SENDTO), schemes=SMS_SCHEMES),
        Activity(".ShareActivity", actions=(ACTION_SEND,), types=("text/plain", "image/*")),
    )
    pages = {  # noqa: RUF012 - never changed
        "chat": InnerPage(".ChatActivity", {"open": "ana"}),
        "found": InnerPage(".MainActivity", {"query": "0"}),
    }
    state_type = MessengerState
    version = "5.0.4"
    version_code = 504
    permissions = PERMISSIONS

    def label(self, locale: str) -> str:
        return texts_of(self.name, locale)("app")

    def initial(self, seed: int, locale: str) -> MessengerState:
        return fresh(seed, locale)

    def view(self, state: MessengerState, context: Context) -> Screen:
        show = _SCREENS.get(context.activity, views.main_screen)
        return show(state, context, texts_of(self.name, context.locale))

    def data(self, state: MessengerState) -> AppData:
        return data_of(state)

    def update(self, state: MessengerState, event: Event) -> UpdateResult:
        return update(state, event)
