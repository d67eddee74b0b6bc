"""The maps app: its activities and which screen each shows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from collector.model.app_data.collections import AppData
from collector.virtual.apps.maps import pages, views
from collector.virtual.apps.maps.data import data_of
from collector.virtual.apps.maps.state import MapsState, check_positions, fresh
from collector.virtual.apps.maps.update import PACKAGE, PERMISSIONS, UpdateResult, update
from collector.virtual.ui.app import Activity, App, AppIcon, Context, InnerPage
from collector.virtual.ui.content import AppTexts, texts_of
from collector.virtual.ui.events import Event
from collector.virtual.ui.theme import MAPS
from collector.virtual.ui.widgets import Screen

SCREENS: dict[str, Callable[[MapsState, Context, AppTexts], Screen]] = {
    ".MainActivity": views.main_screen,
    ".SearchActivity": pages.search_screen,
    ".SavedActivity": pages.saved_screen,
}


class MapsApp(App[MapsState]):
    """A map of a town with search, saved places and directions."""

    name = "maps"
    package = PACKAGE
    icon = AppIcon("pin", "#1F6B6A")
    in_dock = False
    theme = MAPS
    activities = tuple(Activity(name, launcher=name == ".MainActivity") for name in SCREENS)
    pages = {  # noqa: RUF012 - never changed
        "place": InnerPage(".MainActivity", {}, {"place": "bistro"}),
        "museum": InnerPage(".MainActivity", {}, {"place": "museum"}),
    }
    state_type = MapsState
    version = "2.1.0"
    version_code = 210
    permissions = PERMISSIONS
    follows_location = True

    def label(self, locale: str) -> str:
        return texts_of(self.name, locale)("app")

    def initial(self, seed: int, locale: str) -> MapsState:
        return fresh(seed, locale)

    def state_from_plain(self, plain: Mapping[str, Any]) -> MapsState:
        state = super().state_from_plain(plain)
        check_positions(state)
        return state

    def view(self, state: MapsState, context: Context) -> Screen:
        return SCREENS[context.activity](state, context, texts_of(self.name, context.locale))

    def data(self, state: MapsState) -> AppData:
        return data_of(state)

    def update(self, state: MapsState, event: Event) -> UpdateResult:
        return update(state, event)
