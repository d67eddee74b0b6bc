"""Dialogs and sheets of the event's form: date, time, choices and guests."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace

from collector.virtual.apps.calendar.event_chips import change_dialog, now_text
from collector.virtual.apps.calendar.event_page import reminder_text, repeat_text
from collector.virtual.apps.calendar.month import weekdays
from collector.virtual.apps.calendar.state import (
    REMINDERS,
    REPEATS,
    CalendarEvent,
    CalendarState,
    minutes,
    weeks_of_month,
)
from collector.virtual.apps.dates import date_with_year, month_title
from collector.virtual.apps.rows import choice_row, option_row
from collector.virtual.ui import widgets as w
from collector.virtual.ui.app import Context
from collector.virtual.ui.content import AppTexts, load, localized
from collector.virtual.ui.events import Event

_MINUTES = range(0, 60, 5)


def form_dialog(state: CalendarState, context: Context, say: AppTexts) -> w.Dialog | None:
    """The open dialog of the form."""
    kind, _, part = state.sheet.partition("_")
    if kind == "date" and state.picked:
        return _date_dialog(state, context, say)
    if kind in ("start", "end") and state.picked:
        return _time_dialog(state, context, say, part or "hour")
    if kind == "save":
        return change_dialog("save", say, now_text(context))
    if kind == "discard":
        return w.Dialog(
            title=say("discard"),
            message=say("discard_why"),
            buttons=(
                w.Button(label=say("discard_no"), style="text", id="keep_editing", on_tap=Event("sheet")),
                w.Button(label=say("discard_yes"), id="confirm_discard", on_tap=Event("discard")),
            ),
            on_dismiss=Event("sheet"),
            id="discard_dialog",
        )
    return None


def _buttons(say: AppTexts) -> tuple[w.Button, w.Button]:
    return (
        w.Button(label=say("cancel"), style="text", id="cancel", on_tap=Event("sheet")),
        w.Button(label=say("ok"), style="text", id="ok", on_tap=Event("confirm")),
    )


def _date_dialog(state: CalendarState, context: Context, say: AppTexts) -> w.Dialog:
    picked = dt.date.fromisoformat(state.picked)
    title = date_with_year(picked, context.locale)
    name = w.Text(text=month_title(picked, context.locale), size=15, grow=1, id="picker_month")
    chevrons = (
        w.IconButton(
            icon="chevron_left", id="earlier", description=say("earlier"), on_tap=Event("pick_month", -1)
        ),
        w.IconButton(
            icon="chevron_right", id="later", description=say("later"), on_tap=Event("pick_month", 1)
        ),
    )
    size = 29.0 if context.landscape else 38.0
    weeks = tuple(
        w.Row(
            tuple(_picker_day(day, picked, context, size) for day in week),
            key=week[0].isoformat(),
            class_name="-",
        )
        for week in weeks_of_month(picked, context.locale)
    )
    grid = w.Column((weekdays(context), *weeks), grow=1, class_name="-")
    if context.landscape:
        # The title stands beside the days, as there is no room above them.
        words = w.Text(text=title, size=17, id="alertTitle")
        side = w.Column((words, w.Spacer(height=8), name, w.Row(chevrons)), width=104, class_name="-")
        body: w.Widget = w.Row((side, grid), gap=8, align="start", id="date_picker")
    else:
        body = w.Column((w.Row((name, *chevrons), height=44), grid), id="date_picker")
    return w.Dialog(
        title="" if context.landscape else title,
        body=w.Scroll(child=body),
        buttons=_buttons(say),
        on_dismiss=Event("sheet"),
        id="date_dialog",
    )


def _picker_day(day: dt.date, picked: dt.date, context: Context, size: float) -> w.Widget:
    if day.month != picked.month:
        return w.Spacer(grow=1, height=size)
    chosen = day == picked
    number = w.Text(
        text=str(day.day),
        size=14,
        align="center",
        color="on_primary" if chosen else "primary" if day == context.now.date() else "text",
        class_name="-",
    )
    circle = w.Row(
        (number,),
        width=size - 4,
        height=size - 4,
        radius=size / 2,
        arrange="center",
        background="primary" if chosen else None,
        class_name="-",
    )
    return w.Row(
        (circle,),
        grow=1,
        height=size,
        arrange="center",
        key=day.isoformat(),
        id="picker_day",
        selected=chosen,
        description=date_with_year(day, context.locale),
        on_tap=Event("pick_day", day.isoformat()),
    )


def _time_dialog(state: CalendarState, context: Context, say: AppTexts, part: str) -> w.Dialog:
    minute = minutes(state.picked)
    head = w.Row(
        (
            _time_part(f"{minute // 60:02}", "hour", part, context, say),
            w.Text(text=":", size=34, align="center", class_name="-"),
            _time_part(f"{minute % 60:02}", "minute", part, context, say),
        ),
        gap=8,
        arrange="center",
    )
    values = range(24) if part == "hour" else _MINUTES
    now = minute // 60 if part == "hour" else minute % 60
    cells = tuple(_time_cell(value, part, value == now, context, say) for value in values)
    grid = w.Grid(cells, columns=6, gap=2, line_gap=2, id="times")
    if context.landscape:
        body: w.Widget = w.Row((head, replace(grid, grow=1)), gap=16, id="time_picker")
    else:
        body = w.Column((head, grid), gap=16, id="time_picker")
    return w.Dialog(
        title=say("starts" if state.sheet.startswith("start") else "ends"),
        body=w.Scroll(child=body),
        buttons=_buttons(say),
        on_dismiss=Event("sheet"),
        id="time_dialog",
    )


def _time_part(text: str, part: str, chosen: str, context: Context, say: AppTexts) -> w.Widget:
    active = part == chosen
    return w.Row(
        (
            w.Text(
                text=text,
                size=26 if context.landscape else 34,
                align="center",
                color="on_container" if active else "text",
                class_name="-",
            ),
        ),
        width=56 if context.landscape else 84,
        height=48 if context.landscape else 60,
        radius=10,
        arrange="center",
        background="container" if active else "surface_container",
        id=f"picked_{part}",
        selected=active,
        description=say(part, value=text),
        on_tap=Event("part", part),
        class_name="android.widget.TextView",
    )


def _time_cell(value: int, part: str, chosen: bool, context: Context, say: AppTexts) -> w.Widget:
    return w.Row(
        (
            w.Text(
                text=f"{value:02}",
                size=14,
                align="center",
                color="on_primary" if chosen else "text",
                class_name="-",
            ),
        ),
        height=31 if context.landscape else 38,
        radius=19,
        arrange="center",
        background="primary" if chosen else None,
        key=str(value),
        id=part,
        selected=chosen,
        description=say(part, value=value),
        on_tap=Event(part, value),
        class_name="android.widget.TextView",
    )


# ---- sheets ----------------------------------------------------------------------------------


def form_sheet(state: CalendarState, context: Context, say: AppTexts) -> w.Sheet | None:
    """The open sheet of the form."""
    draft, kind = state.draft, state.sheet
    if draft is None or kind not in ("repeat", "reminder", "calendar", "guests"):
        return None
    if kind == "guests":
        body = _guest_rows(state, draft, say)
        return w.Sheet(body, title=say("add_guest"), on_dismiss=Event("sheet"), id="guests_sheet")
    choices: tuple[tuple[object, str], ...]
    if kind == "repeat":
        choices = tuple((value, repeat_text(value, say)) for value in REPEATS)
    elif kind == "reminder":
        choices = tuple((value, reminder_text(value, say)) for value in REMINDERS)
    else:
        rows = load("calendar")["calendars"]
        choices = tuple((row["id"], localized(row["name"], context.locale)) for row in rows)
    now = getattr(draft, kind)
    options = tuple(
        choice_row(Event("choose", (kind, value)), text, chosen=value == now) for value, text in choices
    )
    return w.Sheet(
        w.Column(options, padding=(0, 0, 0, 16)),
        title=say(kind),
        on_dismiss=Event("sheet"),
        id=f"{kind}_sheet",
    )


def _guest_rows(state: CalendarState, draft: CalendarEvent, say: AppTexts) -> w.Widget:
    """A field for a name, and the contacts."""
    field = w.Row(
        (
            w.TextField(
                text=state.guest,
                hint=say("guest_name"),
                style="filled",
                on_change=Event("guest"),
                on_submit=Event("add_guest"),
                id="guest_name_field",
                grow=1,
            ),
            w.Button(
                label=say("add"),
                style="text",
                id="add_guest",
                enabled=bool(state.guest.strip()),
                on_tap=Event("add_guest"),
            ),
        ),
        gap=4,
        padding=(20, 4, 12, 8),
    )
    names = [person["name"] for person in load("messenger")["people"] if person["phone"]]
    if not state.contacts_allowed:
        text = w.Text(text=say("no_contacts"), size=14, color="text_2", padding=(24, 12), id="no_contacts")
        return w.Column((field, text), padding=(0, 0, 0, 16))
    rows = tuple(
        option_row(
            Event("remove_guest" if name in draft.guests else "add_guest", name),
            "check" if name in draft.guests else "person",
            name,
            chosen=name in draft.guests,
        )
        for name in names
        if state.guest.casefold() in name.casefold()
    )
    return w.Column((field, *rows), padding=(0, 0, 0, 16))
