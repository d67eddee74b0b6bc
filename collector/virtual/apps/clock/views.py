"""Screens of the clock: its four tabs, the editor of an alarm, and an alarm that rings."""

from __future__ import annotations

import datetime as dt

from collector.virtual.apps.clock.state import TABS, ClockAlarm, ClockState
from collector.virtual.apps.clock.timer_views import stopwatch_tab, timers_tab
from collector.virtual.apps.dates import long_date, short_day
from collector.virtual.ui import widgets as w
from collector.virtual.ui.app import Context
from collector.virtual.ui.content import AppTexts, load, localized
from collector.virtual.ui.events import Event

_ICONS = {"alarms": "alarm", "cities": "clock", "timers": "hourglass", "stopwatch": "stopwatch"}
_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")


def main_screen(state: ClockState, context: Context, say: AppTexts) -> w.Screen:
    """The tab that is chosen."""
    tab = state.tab if state.tab in TABS else TABS[0]
    body: w.Widget
    floating = None
    if tab == "alarms":
        body = _alarms(state, context, say)
        time = (context.now + dt.timedelta(hours=1)).replace(minute=0)
        floating = w.FloatingButton(
            id="fab", description=say("add_alarm"), on_tap=Event("new_alarm", f"{time:%H:%M}")
        )
    elif tab == "cities":
        body = _cities(context)
    elif tab == "timers":
        body = timers_tab(state, say)
    else:
        body = stopwatch_tab(state, say)
    tabs = tuple(
        w.Tab(label=say(name), on_tap=Event("tab", name), icon=_ICONS[name], id=f"tab_menu_{name}")
        for name in TABS
    )
    return w.Screen(
        body,
        app_bar=w.AppBar(title=say(tab)),
        bottom_bar=w.BottomBar(tabs=tabs, chosen=TABS.index(tab), id="bottom_view"),
        floating=floating,
    )


def _alarms(state: ClockState, context: Context, say: AppTexts) -> w.Widget:
    rows = tuple(_alarm(alarm, context, say) for alarm in state.alarms)
    if not rows:
        return w.Column(
            (
                w.Icon(name="alarm", size=44, color="text_2", align_self="center"),
                w.Text(
                    text=say("no_alarms"), size=16, color="text_2", align="center", id="alarms_empty_view"
                ),
            ),
            gap=12,
            padding=(32, 120, 32, 0),
            grow=1,
        )
    return w.ScrollList(rows, gap=10, padding=(16, 8, 16, 96), grow=1, id="alarms_recycler_view")


def _alarm(alarm: ClockAlarm, context: Context, say: AppTexts) -> w.Widget:
    shade = "text" if alarm.enabled else "text_2"
    names = [w.Text(text=alarm.label, size=13, color="text_2", id="label")] if alarm.label else []
    words = w.Column(
        (
            *names,
            w.Text(text=alarm.time, size=40, color=shade, id="digital_clock", line_height=1.1),
            w.Text(text=_when(alarm, context, say), size=13, color=shade, id="days_of_week"),
        ),
        grow=1,
        class_name="-",
    )
    switch = w.Switch(
        checked=alarm.enabled, id="onoff", description=alarm.time, on_change=Event("switch", alarm.id)
    )
    return w.Row(
        (words, switch),
        padding=(18, 12),
        radius=20,
        background="surface_container",
        key=str(alarm.id),
        id="alarm",
        on_tap=Event("edit_alarm", alarm.id),
    )


def _when(alarm: ClockAlarm, context: Context, say: AppTexts) -> str:
    """The days on which it repeats, or whether it rings today or tomorrow."""
    if len(alarm.days) == len(_DAYS):
        return say("every_day")
    if alarm.days:
        return ", ".join(short_day(_DAYS[day], context.locale) for day in alarm.days)
    if not alarm.enabled:
        return say("not_scheduled")
    later = (alarm.hour, alarm.minute) > (context.now.hour, context.now.minute)
    return say("today") if later else say("tomorrow")


def _cities(context: Context) -> w.Widget:
    head = w.Column(
        (
            w.Text(text=f"{context.now:%H:%M}", size=64, align="center", id="digital_clock"),
            w.Text(
                text=long_date(context.now.date(), context.locale), size=14, color="text_2", align="center",
                id="date",
            ),
        ),
        padding=(16, 24),
        key="here",
    )  # fmt: skip
    rows = tuple(
        w.Row(
            (
                w.Text(text=localized(city["name"], context.locale), size=17, grow=1, id="city_name"),
                w.Text(
                    text=_time_in(city["hours"], context),
                    size=28,
                    id="digital_clock",
                ),
            ),
            padding=(20, 14),
            key=city["id"],
            id="city",
        )
        for city in load("clock")["cities"]
    )
    return w.ScrollList((head, *rows), grow=1, id="cities")


def _time_in(hours: float, context: Context) -> str:
    """The time in a city that is so many hours ahead of the phone."""
    return f"{context.now + dt.timedelta(hours=hours):%H:%M}"


def edit_screen(state: ClockState, context: Context, say: AppTexts) -> w.Screen:
    """The editor: hour and minute turn by arrows, then days and a label."""
    draft = state.draft or ClockAlarm(0, 8, 0)
    dial = w.Row(
        (
            _wheel("hour", f"{draft.hour:02}", 1, say),
            w.Text(text=":", size=56, class_name="-"),
            _wheel("minute", f"{draft.minute:02}", 5, say),
        ),
        arrange="center",
        gap=16,
        padding=(16, 16),
    )
    days = w.Flow(
        tuple(
            w.Chip(
                label=short_day(name, context.locale), selected=number in draft.days,
                id=f"day_button_{number}", on_tap=Event("day", number),
            )
            for number, name in enumerate(_DAYS)
        ),
        padding=(16, 8),
    )  # fmt: skip
    label = w.TextField(
        text=draft.label, label=say("label"), id="edit_label", margin=(16, 12), on_change=Event("label"),
        on_submit=Event("save_alarm"),
    )  # fmt: skip
    erase = (
        (w.IconButton(icon="delete", id="delete", description=say("delete"), on_tap=Event("delete_alarm")),)
        if draft.id
        else ()
    )
    save = w.Button(label=say("save"), id="save", margin=(16, 12), on_tap=Event("save_alarm"))
    return w.Screen(
        w.ScrollList((dial, days, label, save), grow=1, id="editor"),
        app_bar=w.AppBar(
            title=say("edit_alarm" if draft.id else "add_alarm"), navigation="back", actions=erase
        ),
    )


def _wheel(field: str, value: str, step: int, say: AppTexts) -> w.Widget:
    return w.Column(
        (
            w.IconButton(
                icon="chevron_up", id=f"{field}_up", description=say(f"{field}_up"),
                on_tap=Event("turn", (field, step)),
            ),
            w.Text(text=value, size=56, align="center", id=field),
            w.IconButton(
                icon="chevron_down", id=f"{field}_down", description=say(f"{field}_down"),
                on_tap=Event("turn", (field, -step)),
            ),
        ),
        align="center",
        key=field,
    )  # fmt: skip


def ring_screen(state: ClockState, context: Context, say: AppTexts) -> w.Screen:
    """An alarm that rings."""
    alarm = state.alarm(state.ringing)
    time = alarm.time if alarm is not None else f"{context.now:%H:%M}"
    title = alarm.label if alarm is not None and alarm.label else say("alarm")
    buttons = w.Row(
        (
            w.Button(label=say("snooze"), style="tonal", id="snooze", grow=1, on_tap=Event("snooze")),
            w.Button(label=say("stop"), id="dismiss", grow=1, on_tap=Event("stop")),
        ),
        gap=16,
        padding=(24, 0, 24, 48),
    )
    return w.Screen(
        w.Column(
            (
                w.Spacer(grow=1),
                w.Icon(name="alarm", size=56, color="primary", align_self="center"),
                w.Text(text=title, size=20, align="center", id="title"),
                w.Text(text=time, size=72, align="center", id="digital_clock"),
                w.Spacer(grow=1),
                buttons,
            ),
            gap=12,
            grow=1,
        ),
        on_back=Event("stop"),
    )
