"""Parts that several screens of the calendar share: colours, times, chips and empty states."""

from __future__ import annotations

import datetime as dt

from collector.virtual.apps.calendar.state import CalendarEvent, CalendarState
from collector.virtual.apps.dates import short_date
from collector.virtual.ui import widgets as w
from collector.virtual.ui.app import Context
from collector.virtual.ui.content import AppTexts, load, localized
from collector.virtual.ui.events import Event

_OTHER_COLOR = "#5B6770"
INK = "#FFFFFF"


def color_of(event: CalendarEvent) -> str:
    """The colour of an event's calendar."""
    colors = {row["id"]: row["color"] for row in load("calendar")["calendars"]}
    return str(colors.get(event.calendar, _OTHER_COLOR))


def calendar_name(event: CalendarEvent, locale: str) -> str:
    """The name of an event's calendar; its id when there is no such calendar."""
    names = {row["id"]: row["name"] for row in load("calendar")["calendars"]}
    return localized(names[event.calendar], locale) if event.calendar in names else event.calendar


def title_of(event: CalendarEvent, say: AppTexts) -> str:
    """The title of an event, or that it has none."""
    return event.title or say("no_title")


def time_range(event: CalendarEvent, say: AppTexts) -> str:
    """``15:30 – 16:15``, or that it lasts all day."""
    if not event.time:
        return say("all_day")
    return f"{event.time} – {event.end}" if event.end else event.time


def spoken(event: CalendarEvent, day: dt.date, say: AppTexts) -> str:
    """The description of an event's block: title, day, time and place."""
    parts = (title_of(event, say), short_date(day, say.locale), time_range(event, say), event.place)
    return ", ".join(part for part in parts if part)


def now_text(context: Context) -> str:
    """The present minute as an ISO text, which handlers get in their keys."""
    return context.now.isoformat()


def is_held(state: CalendarState, event: CalendarEvent) -> bool:
    """Whether the event, as it is on one of its days, is under the finger."""
    return state.drag is not None and state.drag.id == event.id and not event.repeat


def change_dialog(kind: str, say: AppTexts, now: str = "") -> w.Dialog:
    """Ask whether one day of a repeating event is meant, or all: ``kind`` is delete, save or move."""
    one, every = (Event(f"{kind}_{which}", now or None) for which in ("day", "all"))
    return w.Dialog(
        title=say("delete_repeated" if kind == "delete" else "change_repeated"),
        buttons=(
            w.Button(label=say("only_this_day"), style="tonal", id=f"{kind}_day", on_tap=one),
            w.Button(label=say("all_days"), style="tonal", id=f"{kind}_all", on_tap=every),
            w.Button(label=say("cancel"), style="text", id="cancel", on_tap=Event("sheet")),
        ),
        stacked=True,
        on_dismiss=Event("sheet"),
        id=f"{kind}_dialog",
    )


def chip(
    state: CalendarState, event: CalendarEvent, day: dt.date, say: AppTexts, drag: Event, size: float = 10.5
) -> w.Widget:
    """A line of a day: a small block with the event's title."""
    held = is_held(state, event)
    return w.Row(
        (w.Text(text=title_of(event, say), size=size, color=INK, max_lines=1, grow=1, class_name="-"),),
        height=size + 6.5,
        padding=(4, 0, 2, 0),
        radius=4,
        background=color_of(event),
        border="text" if held else None,
        elevation=2 if held else 0,
        key=f"event-{event.id}",
        id="event",
        description=spoken(event, day, say),
        on_tap=Event("open", (event.id, day.isoformat())),
        on_drag=drag,
        class_name="android.widget.TextView",
    )


def day_number(
    day: dt.date, context: Context, *, selected: bool = False, faded: bool = False, size: float = 24
) -> w.Widget:
    """The number of a day in a circle, which is filled for today and the selected day."""
    today = day == context.now.date()
    ink = "on_primary" if today else "on_container" if selected else "text_2@0.55" if faded else "text"
    return w.Row(
        (
            w.Text(
                text=str(day.day),
                size=size / 2 / min(context.font_scale, 1.3),
                color=ink,
                bold=today,
                align="center",
                class_name="-",
            ),
        ),
        width=size,
        height=size,
        radius=size / 2,
        arrange="center",
        background="primary" if today else "container" if selected else None,
        class_name="-",
    )
