"""The page of one event."""

from __future__ import annotations

import datetime as dt

from collector.virtual.apps.calendar.event_chips import (
    calendar_name,
    change_dialog,
    color_of,
    time_range,
    title_of,
)
from collector.virtual.apps.calendar.state import REMINDERS, CalendarEvent, CalendarState
from collector.virtual.apps.dates import date_with_year
from collector.virtual.apps.empty import empty
from collector.virtual.ui import widgets as w
from collector.virtual.ui.app import Context
from collector.virtual.ui.content import AppTexts
from collector.virtual.ui.events import Event


def reminder_text(minutes: int, say: AppTexts) -> str:
    """``10 minutes before``."""
    if minutes < 0:
        return say("reminder_none")
    return say(f"reminder_{minutes}") if minutes in REMINDERS else say("reminder_other", count=minutes)


def repeat_text(repeat: str, say: AppTexts) -> str:
    """``Every week``."""
    return say(f"repeat_{repeat or 'never'}")


def event_screen(state: CalendarState, context: Context, say: AppTexts) -> w.Screen:
    """Everything known of the open event."""
    event = state.event(state.opened)
    if event is None:
        return w.Screen(empty("calendar", say("gone"), ""), app_bar=w.AppBar(navigation="close"))
    actions = (
        w.IconButton(icon="edit", id="edit", description=say("edit"), on_tap=Event("edit")),
        w.IconButton(icon="delete", id="delete", description=say("delete"), on_tap=Event("delete")),
    )
    rows = w.Column(_rows(event, state.opened_day, context, say), padding=(0, 4, 0, 32))
    return w.Screen(
        w.Scroll(child=rows, grow=1, id="details"),
        app_bar=w.AppBar(navigation="close", actions=actions),
        dialog=change_dialog("delete", say) if state.sheet == "delete" else None,
    )


def _rows(event: CalendarEvent, opened: str, context: Context, say: AppTexts) -> tuple[w.Widget, ...]:
    day = dt.date.fromisoformat(opened) if opened else event.day
    mark = w.Row(
        (w.Spacer(width=16, height=16, radius=4, background=color_of(event)),),
        width=24,
        arrange="center",
        margin=(0, 8, 0, 0),
    )
    head = w.Column(
        (
            w.Text(text=title_of(event, say), size=22, id="event_title"),
            w.Text(
                text=f"{date_with_year(day, context.locale)} · {time_range(event, say)}",
                size=14,
                color="text_2",
                id="event_time",
            ),
        ),
        gap=4,
        grow=1,
        class_name="-",
    )
    rows: list[w.Widget] = [
        w.Row((mark, head), gap=18, align="start", padding=(24, 8, 24, 14), id="event_head")
    ]
    if event.repeat:
        rows.append(_row("refresh", repeat_text(event.repeat, say), "event_repeat"))
    if event.place:
        rows.append(_row("pin", event.place, "event_place"))
    if event.link:
        rows.append(
            _row("globe", event.link, "event_link", color="primary", on_tap=Event("open_link", event.link))
        )
    if event.reminder >= 0:
        rows.append(_row("bell", reminder_text(event.reminder, say), "event_reminder"))
    if event.guests:
        rows.append(_guests(event, say))
    if event.notes:
        rows.append(_row("note", event.notes, "event_notes"))
    rows.append(_row("calendar", calendar_name(event, context.locale), "event_calendar"))
    return tuple(rows)


def _row(icon: str, text: str, name: str, *, color: str = "text", on_tap: Event | None = None) -> w.Widget:
    return w.Row(
        (
            w.Icon(name=icon, size=22, color="text_2", class_name="-"),
            w.Text(text=text, size=15, color=color, grow=1, id=name),
        ),
        gap=20,
        align="start",
        padding=(25, 13, 24, 13),
        key=name,
        id=f"{name}_row",
        on_tap=on_tap,
    )


def _guests(event: CalendarEvent, say: AppTexts) -> w.Widget:
    names = tuple(
        w.Row(
            (
                w.Avatar(initial=name[0].upper(), size=28, color="text_2"),
                w.Text(text=name, size=15, grow=1, id="guest_name"),
            ),
            gap=12,
            key=name,
            id="guest",
        )
        for name in event.guests
    )
    head = w.Text(text=f"{say('guests')} ({len(names)})", size=13, color="text_2", id="guest_count")
    return w.Row(
        (
            w.Icon(name="people", size=22, color="text_2", class_name="-"),
            w.Column((head, *names), gap=10, grow=1, class_name="-"),
        ),
        gap=20,
        align="start",
        padding=(25, 13, 24, 13),
        id="event_guests",
    )
