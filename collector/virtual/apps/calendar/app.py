"""The calendar: its activities and which screen each shows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from collector.model.app_data.collections import AppData
from collector.virtual.apps.calendar import event_page, form, views
from collector.virtual.apps.calendar.data import data_of
from collector.virtual.apps.calendar.state import CalendarState, check_times, fresh
from collector.virtual.apps.calendar.update import PACKAGE, PERMISSIONS, UpdateResult, update
from collector.virtual.ui.app import Activity, App, AppIcon, Context, InnerPage
from collector.virtual.ui.content import AppTexts, texts_of
from collector.virtual.ui.events import Event
from collector.virtual.ui.theme import CALENDAR
from collector.virtual.ui.widgets import Screen

SCREENS: dict[str, Callable[[CalendarState, Context, AppTexts], Screen]] = {
    ".MainActivity": views.main_screen,
    ".SearchActivity": views.search_screen,
    ".EventActivity": event_page.event_screen,
    ".EditActivity": form.edit_screen,
}


class CalendarApp(App[CalendarState]):
    """Events by month, week, day and as an agenda."""

    name = "calendar"
    package = PACKAGE
    icon = AppIcon("calendar", "#2B5FA8")
    in_dock = False
    theme = CALENDAR
    activities = tuple(Activity(name, launcher=name == ".MainActivity") for name in SCREENS)
    pages = {  # noqa: RUF012 - never changed
        "event": InnerPage(".EventActivity", {"opened": 3, "opened_day": "2026-11-20"}),
        "agenda": InnerPage(".MainActivity", {"span": "agenda"}),
    }
    state_type = CalendarState
    version = "1.4.0"
    version_code = 140
    permissions = PERMISSIONS

    def label(self, locale: str) -> str:
        return texts_of(self.name, locale)("app")

    def initial(self, seed: int, locale: str) -> CalendarState:
        return fresh(seed, locale)

    def state_from_plain(self, plain: Mapping[str, Any]) -> CalendarState:
        state = super().state_from_plain(plain)
        check_times(state)
        return state

    def view(self, state: CalendarState, context: Context) -> Screen:
        return SCREENS[context.activity](state, context, texts_of(self.name, context.locale))

    def data(self, state: CalendarState) -> AppData:
        return data_of(state)

    def update(self, state: CalendarState, event: Event) -> UpdateResult:
        return update(state, event)
