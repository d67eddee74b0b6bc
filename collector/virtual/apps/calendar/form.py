"""The form for a new event and for changes of one."""

from __future__ import annotations

from collector.virtual.apps.calendar.event_chips import calendar_name, color_of, now_text
from collector.virtual.apps.calendar.event_page import reminder_text, repeat_text
from collector.virtual.apps.calendar.pickers import form_dialog, form_sheet
from collector.virtual.apps.calendar.state import CalendarEvent, CalendarState
from collector.virtual.apps.dates import date_with_year
from collector.virtual.ui import widgets as w
from collector.virtual.ui.app import Context
from collector.virtual.ui.content import AppTexts
from collector.virtual.ui.events import Event


def edit_screen(state: CalendarState, context: Context, say: AppTexts) -> w.Screen:
    """Title, date, times, repetition, reminder, place, guests, link and notes of an event."""
    draft = state.draft or CalendarEvent(0, "", state.day)
    save = w.Button(label=say("save"), id="save", height=40, on_tap=Event("save", now_text(context)))
    parts = (
        _title(state, draft, say),
        *_times(state, draft, context, say),
        w.Divider(),
        _choice("refresh", "repeat", repeat_text(draft.repeat, say), say),
        _choice("bell", "reminder", reminder_text(draft.reminder, say), say),
        _choice("calendar", "calendar", calendar_name(draft, context.locale), say, color=color_of(draft)),
        w.Divider(),
        _field("pin", "place", draft.place, say),
        _guests(draft, say),
        _field("globe", "link", draft.link, say),
        _field("note", "notes", draft.notes, say),
    )
    return w.Screen(
        w.Scroll(child=w.Column(parts, padding=(0, 8, 0, 40)), grow=1, id="form"),
        app_bar=w.AppBar(
            title=say("edit_event" if draft.id else "new_event"),
            navigation="close",
            on_navigation=Event("leave"),
            actions=(save, w.Spacer(width=12)),
        ),
        sheet=form_sheet(state, context, say),
        dialog=form_dialog(state, context, say),
        on_back=Event("leave"),
    )


def _title(state: CalendarState, draft: CalendarEvent, say: AppTexts) -> w.Widget:
    field = w.TextField(
        text=draft.title,
        hint=say("title"),
        style="plain",
        size=21,
        on_change=Event("draft", "title"),
        id="title",
        focused=not draft.id,
        action="done",
    )
    parts: list[w.Widget] = [w.Column((field,), padding=(66, 0, 24, 0), class_name="-")]
    if state.error == "needs_title":
        parts.append(_error(say("needs_title")))
    return w.Column((*parts, w.Divider()), gap=6, class_name="-")


def _error(text: str) -> w.Widget:
    return w.Text(text=text, size=13, color="error", padding=(66, 2, 24, 4), id="error")


def _times(
    state: CalendarState, draft: CalendarEvent, context: Context, say: AppTexts
) -> tuple[w.Widget, ...]:
    whole = w.Row(
        (
            w.Icon(name="clock", size=22, color="text_2", class_name="-"),
            w.Text(text=say("all_day"), size=15, grow=1, class_name="-"),
            w.Switch(
                checked=not draft.time, on_change=Event("all_day"), id="all_day", description=say("all_day")
            ),
        ),
        gap=20,
        height=56,
        padding=(24, 0),
        key="all_day_row",
    )
    rows: list[w.Widget] = [
        whole,
        _time_row("date", say("date"), date_with_year(draft.day, context.locale)),
    ]
    if draft.time:
        rows.append(_time_row("start", say("starts"), draft.time))
        rows.append(_time_row("end", say("ends"), draft.end, wrong=state.error == "ends_early"))
    if state.error == "ends_early":
        rows.append(_error(say("ends_early")))
    return tuple(rows)


def _time_row(sheet: str, label: str, value: str, *, wrong: bool = False) -> w.Widget:
    return w.Row(
        (
            w.Text(text=label, size=15, grow=1, class_name="-"),
            w.Text(text=value, size=15, color="error" if wrong else "primary", id=f"{sheet}_value"),
        ),
        height=48,
        padding=(66, 0, 24, 0),
        key=sheet,
        id=sheet,
        description=f"{label}, {value}",
        on_tap=Event("sheet", sheet),
    )


def _choice(icon: str, sheet: str, value: str, say: AppTexts, *, color: str = "") -> w.Widget:
    mark: w.Widget = w.Icon(name=icon, size=22, color="text_2", class_name="-")
    if color:
        mark = w.Row(
            (w.Spacer(width=16, height=16, radius=8, background=color),),
            width=22,
            arrange="center",
            class_name="-",
        )
    return w.Row(
        (
            mark,
            w.Text(text=value, size=15, grow=1, id=f"{sheet}_value"),
            w.Icon(name="chevron_right", size=18, color="text_2", class_name="-"),
        ),
        gap=20,
        height=52,
        padding=(24, 0),
        key=sheet,
        id=sheet,
        description=f"{say(sheet)}, {value}",
        on_tap=Event("sheet", sheet),
    )


def _field(icon: str, name: str, text: str, say: AppTexts) -> w.Widget:
    field = w.TextField(
        text=text,
        hint=say(name),
        style="plain",
        kind="multiline" if name == "notes" else "text",
        on_change=Event("draft", name),
        id=name,
        grow=1,
    )
    mark = w.Icon(name=icon, size=22, color="text_2", class_name="-", margin=(0, 10, 0, 0))
    return w.Row((mark, field), gap=20, align="start", padding=(24, 4), key=name, id=f"{name}_row")


def _guests(draft: CalendarEvent, say: AppTexts) -> w.Widget:
    chips = tuple(
        w.Row(
            (
                w.Text(text=name, size=13, max_lines=1, class_name="-"),
                w.Icon(name="close", size=15, class_name="-"),
            ),
            gap=6,
            height=34,
            padding=(12, 0, 8, 0),
            radius=17,
            background="surface_container",
            key=name,
            id="guest",
            description=say("remove_guest", name=name),
            on_tap=Event("remove_guest", name),
            class_name="android.widget.TextView",
        )
        for name in draft.guests
    )
    add = w.Row(
        (w.Text(text=say("add_guest"), size=15, color="text_2", grow=1, class_name="-"),),
        height=40,
        id="guests",
        description=say("add_guest"),
        on_tap=Event("sheet", "guests"),
        class_name="android.widget.TextView",
    )
    column = w.Column(
        (add, w.Flow(chips, gap=8, line_gap=8)) if chips else (add,), gap=4, grow=1, class_name="-"
    )
    mark = w.Icon(name="people", size=22, color="text_2", class_name="-", margin=(0, 10, 0, 0))
    return w.Row((mark, column), gap=20, align="start", padding=(24, 4), id="guests_row")
