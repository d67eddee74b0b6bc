"""The clock: its activities and which screen each shows."""

from __future__ import annotations

from collector.virtual.apps.clock import views
from collector.virtual.apps.clock.state import ClockState, fresh
from collector.virtual.apps.clock.update import (
    EDIT,
    INTENTS,
    MAIN,
    PACKAGE,
    RING,
    TIMERS,
    UpdateResult,
    update,
)
from collector.virtual.apps.system_app import SystemApp
from collector.virtual.ui.app import Activity, AppIcon, Context, InnerPage
from collector.virtual.ui.content import texts_of
from collector.virtual.ui.events import Event
from collector.virtual.ui.theme import CALENDAR
from collector.virtual.ui.widgets import Screen

_ACTION = "android.intent.action."


class ClockApp(SystemApp[ClockState]):
    """Alarms, cities, timers and a stopwatch."""

    name = "clock"
    package = PACKAGE
    icon = AppIcon("clock", "#2B5FA8")
    theme = CALENDAR
    activities = (
        Activity(MAIN, launcher=True, actions=(f"{_ACTION}SHOW_ALARMS",)),
        Activity(TIMERS, actions=(f"{_ACTION}SHOW_TIMERS",)),
        Activity(INTENTS, actions=(f"{_ACTION}SET_ALARM", f"{_ACTION}SET_TIMER")),
        Activity(EDIT, exported=False),
        Activity(RING, exported=False),
    )
    pages = {  # noqa: RUF012 - never changed
        "cities": InnerPage(MAIN, {"tab": "cities"}),
        "timers": InnerPage(MAIN, {"tab": "timers"}),
        "stopwatch": InnerPage(MAIN, {"tab": "stopwatch"}),
    }
    state_type = ClockState
    permissions = ("android.permission.POST_NOTIFICATIONS", "android.permission.SET_ALARM")

    def initial(self, seed: int, locale: str) -> ClockState:
        return fresh(locale)

    def view(self, state: ClockState, context: Context) -> Screen:
        say = texts_of(self.name, context.locale)
        if context.activity == EDIT:
            return views.edit_screen(state, context, say)
        if context.activity == RING:
            return views.ring_screen(state, context, say)
        return views.main_screen(state, context, say)

    def update(self, state: ClockState, event: Event) -> UpdateResult:
        return update(state, event)
