"""The calendar's main screen, its agenda and its search."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace

from collector.virtual.apps.calendar.event_chips import (
    INK,
    change_dialog,
    color_of,
    day_number,
    now_text,
    spoken,
    time_range,
    title_of,
)
from collector.virtual.apps.calendar.month import month
from collector.virtual.apps.calendar.state import (
    AGENDA_DAYS,
    SPANS,
    CalendarEvent,
    CalendarState,
    Occurrence,
    clock,
    shifted,
    week_of,
)
from collector.virtual.apps.calendar.timeline import timeline
from collector.virtual.apps.dates import date_with_year, month_title, period, weekday_name
from collector.virtual.apps.empty import empty
from collector.virtual.ui import widgets as w
from collector.virtual.ui.app import Context
from collector.virtual.ui.content import AppTexts
from collector.virtual.ui.events import Event

_STATUS_BAR = 28.0
_APP_BAR = 56.0
_TABS = 49.0
_PERIOD = 44.0


def main_screen(state: CalendarState, context: Context, say: AppTexts) -> w.Screen:
    """The shown month, week, day or agenda."""
    if not state.allowed:
        return _refused(say)
    bar = _wide_bar(state, context, say) if context.landscape else _bar(context, say)
    parts: list[w.Widget] = []
    height = context.height - _STATUS_BAR - _APP_BAR
    if not context.landscape:
        parts += [_spans(state, say), _period_row(state, context, say)]
        height -= _TABS + _PERIOD
    parts.append(_span(state, context, say, height))
    time = _next_hour(context) if state.shown_day == context.now.date() else "09:00"
    return w.Screen(
        w.Column(tuple(parts), grow=1),
        app_bar=bar,
        floating=w.FloatingButton(
            id="add", description=say("new_event"), on_tap=Event("new", (state.day, time))
        ),
        dialog=change_dialog("move", say, now_text(context)) if state.sheet == "move" else None,
    )


def _next_hour(context: Context) -> str:
    return clock(min(context.now.hour + 1, 23) * 60)


def _span(state: CalendarState, context: Context, say: AppTexts, height: float) -> w.Widget:
    match state.span:
        case "week":
            return timeline(state, context, say, week_of(state.shown_day, context.locale))
        case "day":
            return timeline(state, context, say, (state.shown_day,))
        case "agenda":
            return _agenda(state, context, say)
    return month(state, context, say, height)


def _refused(say: AppTexts) -> w.Screen:
    """What is shown while the app may not read the calendar."""
    why = replace(empty("lock", say("not_allowed"), say("not_allowed_2")), grow=0.0)
    button = w.Button(label=say("allow"), id="allow", on_tap=Event("allow"))
    content = w.Column((why, w.Row((button,), arrange="center", padding=(0, 24))), grow=1)
    return w.Screen(content, app_bar=w.AppBar(title=say("app")))


# ---- bars ------------------------------------------------------------------------------------


def _actions(context: Context, say: AppTexts) -> tuple[w.Widget, ...]:
    today = context.now.date().isoformat()
    return (
        w.IconButton(icon="calendar", id="today", description=say("today"), on_tap=Event("go_to", today)),
        w.IconButton(icon="search", id="search", description=say("search"), on_tap=Event("search")),
    )


def _bar(context: Context, say: AppTexts) -> w.AppBar:
    return w.AppBar(title=say("app"), actions=_actions(context, say))


def _spans(state: CalendarState, say: AppTexts) -> w.Widget:
    tabs = tuple(w.Tab(say(span), Event("span", span), id=f"span_{span}") for span in SPANS)
    chosen = SPANS.index(state.span) if state.span in SPANS else 0
    return w.Tabs(tabs=tabs, chosen=chosen, id="spans")


def _chevrons(say: AppTexts) -> tuple[w.Widget, w.Widget]:
    return (
        w.IconButton(
            icon="chevron_left", id="earlier", description=say("earlier"), on_tap=Event("go", -1), height=44
        ),
        w.IconButton(
            icon="chevron_right", id="later", description=say("later"), on_tap=Event("go", 1), height=44
        ),
    )


def _period_row(state: CalendarState, context: Context, say: AppTexts) -> w.Widget:
    earlier, later = _chevrons(say)
    title = w.Text(
        text=period_title(state, context), size=16, align="center", max_lines=1, grow=1, id="period"
    )
    return w.Row((earlier, title, later), height=_PERIOD, padding=(4, 0))


def _wide_bar(state: CalendarState, context: Context, say: AppTexts) -> w.AppBar:
    """The bar of a screen that is wider than tall: periods and spans beside each other."""
    earlier, later = _chevrons(say)
    title = w.Text(
        text=period_title(state, context), size=16, max_lines=1, align="center", grow=1, id="period"
    )
    chips = tuple(
        w.Chip(label=say(span), selected=state.span == span, id=f"span_{span}", on_tap=Event("span", span))
        for span in SPANS
    )
    middle = w.Row((earlier, title, later, w.Spacer(width=12), *chips), gap=6, grow=1, class_name="-")
    return w.AppBar(middle=middle, actions=_actions(context, say))


def period_title(state: CalendarState, context: Context) -> str:
    """What is shown: ``November 2026``, ``15 – 21 Nov 2026`` or ``Fri 20 Nov 2026``."""
    day, locale = state.shown_day, context.locale
    match state.span:
        case "week":
            week = week_of(day, locale)
            return period(week[0], week[6], locale)
        case "day":
            return date_with_year(day, locale)
        case "agenda":
            return period(day, shifted(day, AGENDA_DAYS - 1), locale)
    return month_title(day, locale)


# ---- agenda and search -----------------------------------------------------------------------


def _agenda(state: CalendarState, context: Context, say: AppTexts) -> w.Widget:
    """The events of the next days, day by day."""
    days = [shifted(state.shown_day, number) for number in range(AGENDA_DAYS)]
    rows: list[w.Widget] = []
    for day in days:
        events = state.on(day)
        if events:
            rows.append(_agenda_day(day, events, context, say))
    if not rows:
        return empty("calendar", say("nothing"), say("nothing_2"), top=24 if context.landscape else 110)
    return w.ScrollList(tuple(rows), gap=10, padding=(0, 8, 14, 96), grow=1, id="agenda")


def _agenda_day(day: dt.date, events: tuple[CalendarEvent, ...], context: Context, say: AppTexts) -> w.Widget:
    head = w.Column(
        (
            w.Text(
                text=weekday_name(day, context.locale),
                size=11.5,
                color="text_2",
                align="center",
                class_name="-",
            ),
            day_number(day, context, size=32),
        ),
        width=58,
        align="center",
        id="agenda_date",
        description=date_with_year(day, context.locale),
    )
    cards = tuple(_card(Occurrence(day, event), say) for event in events)
    return w.Row(
        (head, w.Column(cards, gap=6, grow=1, class_name="-")),
        align="start",
        key=day.isoformat(),
        id="agenda_day",
    )


def _card(hit: Occurrence, say: AppTexts, *, dated: bool = False) -> w.Widget:
    """An event as a coloured card; ``dated`` with its date."""
    event = hit.event
    when = time_range(event, say)
    if dated:
        when = f"{date_with_year(hit.day, say.locale)} · {when}"
    parts = [w.Text(text=title_of(event, say), size=14.5, color=INK, max_lines=2, id="event_title")]
    parts.append(w.Text(text=when, size=12.5, color=INK, max_lines=1, id="event_time"))
    if event.place:
        parts.append(w.Text(text=event.place, size=12.5, color=INK, max_lines=1, id="event_place"))
    return w.Column(
        tuple(parts),
        padding=(12, 8),
        radius=10,
        background=color_of(event),
        key=f"event-{event.id}",
        id="event",
        description=spoken(event, hit.day, say),
        on_tap=Event("open", (event.id, hit.day.isoformat())),
    )


def search_screen(state: CalendarState, context: Context, say: AppTexts) -> w.Screen:
    """The events that contain the search text, the next ones first."""
    field = w.TextField(
        text=state.query,
        hint=say("search_events"),
        style="filled",
        action="search",
        on_change=Event("query"),
        id="query",
        focused=True,
    )
    found = state.found(context.now.date())
    rows = tuple(_card(hit, say, dated=True) for hit in found)
    body: w.Widget = w.ScrollList(rows, gap=8, padding=(14, 12, 14, 24), grow=1, id="found")
    if not rows and state.query.strip():
        body = empty("search", say("no_results"), say("try_other"), top=24)
    elif not rows:
        body = w.Text(
            text=say("type_to_search"), size=14, color="text_2", align="center", padding=(32, 40), id="hint"
        )
    clear = w.IconButton(icon="close", id="clear", description=say("clear"), on_tap=Event("query"))
    return w.Screen(
        w.Column((body,), grow=1),
        app_bar=w.AppBar(navigation="back", middle=field, actions=(clear,) if state.query else ()),
    )
