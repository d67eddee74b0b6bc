"""The messenger: its activities and which screen each shows."""

from __future__ import annotations

from collector.virtual.apps.content import texts_of
from collector.virtual.apps.messenger import views
from collector.virtual.apps.messenger.state import MessengerState, fresh
from collector.virtual.apps.messenger.update import PACKAGE, PERMISSIONS, UpdateResult, update
from collector.virtual.ui.app import Activity, App, AppIcon, Context
from collector.virtual.ui.events import Event
from collector.virtual.ui.theme import MESSENGER
from collector.virtual.ui.widgets import Screen


class MessengerApp(App[MessengerState]):
    """Chats with contacts that answer."""

    name = "messenger"
    package = PACKAGE
    icon = AppIcon("send", "#1F6B3B")
    needs_network = True
    theme = MESSENGER
    activities = (Activity(".MainActivity", launcher=True), Activity(".ChatActivity"))
    state_type = MessengerState
    version = "5.0.4"
    version_code = 504
    permissions = PERMISSIONS

    def label(self, locale: str) -> str:
        return texts_of(self.name, locale)("app")

    def initial(self, seed: int, locale: str) -> MessengerState:
        return fresh(seed, locale)

    def view(self, state: MessengerState, context: Context) -> Screen:
        show = views.chat_screen if context.activity == ".ChatActivity" else views.main_screen
        return show(state, context, texts_of(self.name, context.locale))

    def update(self, state: MessengerState, event: Event) -> UpdateResult:
        return update(state, event)
