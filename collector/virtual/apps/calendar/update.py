"""Event handlers of the calendar."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from functools import partial
from typing import Any, cast

from collector.virtual.apps.calendar.state import (
    AGENDA_DAYS,
    CalendarDrag,
    CalendarEvent,
    CalendarState,
    clock,
    event_of_day,
    minutes,
    month_later,
    next_day,
    shifted,
)
from collector.virtual.apps.dates import short_date
from collector.virtual.apps.handlers import Handlers, page_of, words_of
from collector.virtual.ui.app import STARTED
from collector.virtual.ui.content import texts_of
from collector.virtual.ui.effects import (
    ACTION_VIEW,
    Change,
    Effect,
    Finish,
    Focus,
    Intent,
    Later,
    Notify,
    RequestPermission,
    ShowSnackbar,
    StartActivity,
)
from collector.virtual.ui.events import Drag, Event

PACKAGE = "com.waymark.calendar"
READ_CALENDAR, POST_NOTIFICATIONS, READ_CONTACTS = PERMISSIONS = (
    "android.permission.READ_CALENDAR",
    "android.permission.POST_NOTIFICATIONS",
    "android.permission.READ_CONTACTS",
)
"""Requested at start, for the first reminder and before contacts are shown."""
UpdateResult = CalendarState | Change[CalendarState]
_STEP = 15
"""Minutes to which a dragged event snaps."""
_handlers: Handlers[CalendarState] = Handlers()
_on, update = _handlers.on, _handlers.update
_page = partial(page_of, PACKAGE)
_say = partial(words_of, "calendar")


def when(event: CalendarEvent, locale: str) -> str:
    """``Fri 20 Nov, 15:30`` for a message about an event."""
    day = short_date(event.day, locale)
    return texts_of("calendar", locale)("at", day=day, time=event.time) if event.time else day


def _stored(state: CalendarState, event: CalendarEvent) -> CalendarState:
    """The state with an event in the place of the one with its id, or added."""
    others = tuple(other for other in state.events if other.id != event.id)
    return replace(state, events=tuple(sorted((*others, event), key=lambda other: other.id)))


def _undo(state: CalendarState, text: str) -> ShowSnackbar:
    return ShowSnackbar(text, _say(state, "undo"), Event("undo"))


# ---- access ----------------------------------------------------------------------------------


@_on(STARTED)
def _started(state: CalendarState, event: Event) -> UpdateResult:
    if event.key != ".MainActivity":
        return state
    # Until the answer, which comes at once where access was granted, no event shows behind the question.
    return Change(replace(state, allowed=False), (RequestPermission(READ_CALENDAR, Event("allowed")),))


@_on("allow")
def _allow(state: CalendarState, event: Event) -> UpdateResult:
    return Change(state, (RequestPermission(READ_CALENDAR, Event("allowed")),))


@_on("allowed")
def _allowed(state: CalendarState, event: Event) -> UpdateResult:
    return replace(state, allowed=bool(event.value))


@_on("contacts_allowed")
def _contacts_allowed(state: CalendarState, event: Event) -> UpdateResult:
    return replace(state, contacts_allowed=bool(event.value))


# ---- what is shown ---------------------------------------------------------------------------


@_on("span")
def _span(state: CalendarState, event: Event) -> UpdateResult:
    return replace(state, span=str(event.key))


@_on("go")
def _go(state: CalendarState, event: Event) -> UpdateResult:
    """Show the next (1) or previous (-1) period."""
    step = cast(int, event.key)
    day = state.shown_day
    if state.span == "month":
        day = month_later(day, step)
    else:
        day = shifted(day, step * {"week": 7, "agenda": AGENDA_DAYS}.get(state.span, 1))
    return replace(state, day=day.isoformat())


@_on("go_to")
def _go_to(state: CalendarState, event: Event) -> UpdateResult:
    return replace(state, day=str(event.key))


@_on("show_day")
def _show_day(state: CalendarState, event: Event) -> UpdateResult:
    return replace(state, span="day", day=str(event.key))


@_on("search")
def _search(state: CalendarState, event: Event) -> UpdateResult:
    return Change(replace(state, query=""), (_page(".SearchActivity"),))


@_on("query")
def _query(state: CalendarState, event: Event) -> UpdateResult:
    return replace(state, query=str(event.value or ""))


@_on("open")
def _open(state: CalendarState, event: Event) -> UpdateResult:
    """Open the page of an event: ``key`` is its id and the day of it."""
    number, day = cast("tuple[int, str]", event.key)
    return Change(replace(state, opened=number, opened_day=day, sheet=""), (_page(".EventActivity"),))


@_on("open_link")
def _open_link(state: CalendarState, event: Event) -> UpdateResult:
    link = str(event.key)
    address = link if "://" in link else f"https://{link}"
    return Change(state, (StartActivity(Intent(action=ACTION_VIEW, data=address)),))


# ---- the form --------------------------------------------------------------------------------


def _edited(state: CalendarState, draft: CalendarEvent) -> UpdateResult:
    opened = replace(state, draft=draft, original=draft, guest="", sheet="", error="")
    return Change(opened, (_page(".EditActivity"),))


@_on("new")
def _new(state: CalendarState, event: Event) -> UpdateResult:
    """Open the form for a new event: ``key`` is its day and its time."""
    day, time = cast("tuple[str, str]", event.key)
    end = clock(min(minutes(time) + 60, 24 * 60 - 1)) if time else ""
    return _edited(state, CalendarEvent(0, "", day, time, end, reminder=10 if time else -1))


@_on("edit")
def _edit(state: CalendarState, event: Event) -> UpdateResult:
    stored = state.event(state.opened)
    if stored is None:
        return state
    shown = replace(stored, date=state.opened_day) if stored.repeat and state.opened_day else stored
    return _edited(state, shown)


@_on("draft")
def _draft(state: CalendarState, event: Event) -> UpdateResult:
    """Change a field of the draft: ``key`` is the field's name, ``value`` its new value."""
    if state.draft is None:
        return state
    changed: dict[str, Any] = {str(event.key): event.value}
    return replace(state, draft=replace(state.draft, **changed), error="")


@_on("all_day")
def _all_day(state: CalendarState, event: Event) -> UpdateResult:
    if state.draft is None:
        return state
    time, end = ("", "") if event.value else ("09:00", "10:00")
    return replace(state, draft=replace(state.draft, time=time, end=end), error="")


@_on("choose")
def _choose(state: CalendarState, event: Event) -> UpdateResult:
    """Choose a value in a sheet: ``key`` is (field, value)."""
    field, value = cast("tuple[str, Any]", event.key)
    return replace(cast(CalendarState, _draft(state, Event("draft", field, value))), sheet="")


@_on("sheet")
def _sheet(state: CalendarState, event: Event) -> UpdateResult:
    sheet, draft = str(event.key or ""), state.draft
    picked = ""
    if draft is not None:
        picked = {"date": draft.date, "start": draft.time, "end": draft.end}.get(sheet.partition("_")[0], "")
    opened = replace(state, sheet=sheet, picked=picked, guest="")
    if sheet == "guests":
        asked = replace(opened, contacts_allowed=False)
        return Change(asked, (RequestPermission(READ_CONTACTS, Event("contacts_allowed")),))
    return opened


@_on("pick_day")
def _pick_day(state: CalendarState, event: Event) -> UpdateResult:
    return replace(state, picked=str(event.key))


@_on("pick_month")
def _pick_month(state: CalendarState, event: Event) -> UpdateResult:
    day = dt.date.fromisoformat(state.picked)
    return replace(state, picked=month_later(day, cast(int, event.key)).isoformat())


@_on("part")
def _part(state: CalendarState, event: Event) -> UpdateResult:
    """Show the hours or the minutes of the time dialog."""
    return replace(state, sheet=f"{state.sheet.partition('_')[0]}_{event.key}")


@_on("hour")
def _hour(state: CalendarState, event: Event) -> UpdateResult:
    picked = clock(cast(int, event.key) * 60 + minutes(state.picked) % 60)
    return replace(state, picked=picked, sheet=f"{state.sheet.partition('_')[0]}_minute")


@_on("minute")
def _minute(state: CalendarState, event: Event) -> UpdateResult:
    return replace(state, picked=clock(minutes(state.picked) // 60 * 60 + cast(int, event.key)))


@_on("confirm")
def _confirm(state: CalendarState, event: Event) -> UpdateResult:
    """Take the date or time that is chosen in the dialog; a new start keeps the event's length."""
    draft, kind = state.draft, state.sheet.partition("_")[0]
    if draft is None or kind not in ("date", "start", "end"):
        return replace(state, sheet="")
    if kind == "date":
        draft = replace(draft, date=state.picked)
    elif kind == "start":
        length = draft.length
        draft = replace(draft, time=state.picked)
        draft = replace(draft, end=clock(min(minutes(draft.time) + length, 24 * 60 - 1)))
    else:
        draft = replace(draft, end=state.picked)
    return replace(state, draft=draft, sheet="", error="")


@_on("guest")
def _guest(state: CalendarState, event: Event) -> UpdateResult:
    return replace(state, guest=str(event.value or ""))


@_on("add_guest")
def _add_guest(state: CalendarState, event: Event) -> UpdateResult:
    """Invite the named guest, or the one whose name was typed."""
    name = str(event.key or state.guest).strip()
    if state.draft is None or not name:
        return state
    guests = tuple(dict.fromkeys((*state.draft.guests, name)))
    return replace(state, draft=replace(state.draft, guests=guests), guest="")


@_on("remove_guest")
def _remove_guest(state: CalendarState, event: Event) -> UpdateResult:
    if state.draft is None:
        return state
    guests = tuple(name for name in state.draft.guests if name != event.key)
    return replace(state, draft=replace(state.draft, guests=guests))


@_on("leave")
def _leave(state: CalendarState, event: Event) -> UpdateResult:
    """Close the form, after a question when something was entered."""
    if state.draft is not None and state.draft != state.original:
        return replace(state, sheet="discard")
    return _discard(state, event)


@_on("discard")
def _discard(state: CalendarState, event: Event) -> UpdateResult:
    closed = replace(state, draft=None, original=None, sheet="", error="", guest="")
    return Change(closed, (Focus(), Finish()))


@_on("save")
def _save(state: CalendarState, event: Event) -> UpdateResult:
    """Store the draft: ``key`` is the present time, from which its reminder is set.

    A change of an event that repeats is asked about: is it of that day, or of all? How often it repeats can
    only be changed for all.
    """
    draft = state.draft
    if draft is None:
        return state
    if not draft.title.strip():
        return Change(replace(state, error="needs_title"), (Focus("title"),))
    if draft.time and minutes(draft.end) <= minutes(draft.time):
        return replace(state, error="ends_early")
    whole = state.event(draft.id)
    if whole is None or not whole.repeat:
        return _saved(state, replace(draft, id=draft.id or state.next_id), draft, event)
    if draft != state.original and draft.repeat == whole.repeat:
        return replace(state, sheet="save")
    return _save_all(state, event)


@_on("save_all")
def _save_all(state: CalendarState, event: Event) -> UpdateResult:
    """Store the draft as all days of its event."""
    draft = state.draft
    whole = state.event(draft.id) if draft is not None else None
    if draft is None or whole is None:
        return replace(state, sheet="")
    return _saved(state, whole.with_day_as(state.opened_day or whole.date, draft), draft, event)


@_on("save_day")
def _save_day(state: CalendarState, event: Event) -> UpdateResult:
    """Store the draft as an event of its own, in place of the day that was opened."""
    draft = state.draft
    whole = state.event(draft.id) if draft is not None else None
    if draft is None or whole is None:
        return replace(state, sheet="")
    alone = event_of_day(state, draft)
    return _saved(_without_day(state, whole), alone, alone, event)


def _saved(state: CalendarState, stored: CalendarEvent, shown: CalendarEvent, event: Event) -> UpdateResult:
    """The change that stores an event and closes the form; ``shown`` is it on the day that is open."""
    stored = replace(stored, title=stored.title.strip())
    was_there = bool(state.draft is not None and state.draft.id)
    day = shown.date
    if was_there and stored.on(dt.date.fromisoformat(state.opened_day or day)):
        day = state.opened_day or day
    saved = replace(
        _stored(state, stored),
        draft=None,
        original=None,
        error="",
        sheet="",
        day=state.day if was_there else stored.date,
        opened=stored.id if was_there else state.opened,
        opened_day=day if was_there else state.opened_day,
    )
    note = ShowSnackbar(_say(state, "saved"))
    return Change(saved, (Focus(), Finish(), note, *_reminder(stored, str(event.key or ""))))


def _without_day(state: CalendarState, whole: CalendarEvent) -> CalendarState:
    """The state in which a repeating event does not take place on the day that is open."""
    skipped = tuple(sorted({*whole.skipped, state.opened_day}))
    return _stored(state, replace(whole, skipped=skipped))


def _reminder(event: CalendarEvent, now: str) -> tuple[Effect, ...]:
    """The effects that make an event remind: the question for permission and the timer."""
    if event.reminder < 0 or not now:
        return ()
    present = dt.datetime.fromisoformat(now)
    day = next_day(event, present.date())
    at = dt.datetime.combine(day, dt.time()) + dt.timedelta(minutes=max(0, event.start_minute))
    seconds = (at - present).total_seconds() - event.reminder * 60
    ask = RequestPermission(POST_NOTIFICATIONS)
    if seconds < 0:
        return (ask,)
    return (ask, Later(seconds, Event("remind", (event.id, event.date, event.time, event.reminder))))


@_on("remind")
def _remind(state: CalendarState, event: Event) -> UpdateResult:
    """Notify of an event, unless it was deleted or changed since the reminder was set."""
    number, *key = cast("tuple[Any, ...]", event.key)
    stored = state.event(number)
    if stored is None or [stored.date, stored.time, stored.reminder] != key:
        return state
    text = ", ".join(part for part in (when(stored, state.locale), stored.place) if part)
    return Change(state, (Notify(stored.title, text),))


# ---- deleting and moving -----------------------------------------------------------------------


@_on("delete")
def _delete(state: CalendarState, event: Event) -> UpdateResult:
    """Delete the open event; one that repeats asks which days."""
    stored = state.event(state.opened)
    if stored is not None and stored.repeat:
        return replace(state, sheet="delete")
    return _delete_all(state, event)


@_on("delete_all")
def _delete_all(state: CalendarState, event: Event) -> UpdateResult:
    stored = state.event(state.opened)
    if stored is None:
        return replace(state, sheet="")
    rest = tuple(other for other in state.events if other.id != stored.id)
    left = replace(state, events=rest, before=stored, added=0, sheet="")
    return Change(left, (Finish(), _undo(state, _say(state, "deleted"))))


@_on("delete_day")
def _delete_day(state: CalendarState, event: Event) -> UpdateResult:
    stored = state.event(state.opened)
    if stored is None:
        return replace(state, sheet="")
    left = replace(_without_day(state, stored), before=stored, added=0, sheet="")
    return Change(left, (Finish(), _undo(state, _say(state, "deleted_day"))))


@_on("undo")
def _undo_last(state: CalendarState, event: Event) -> UpdateResult:
    if state.before is None:
        return state
    rest = tuple(other for other in state.events if other.id != state.added)
    return replace(_stored(replace(state, events=rest), state.before), before=None, added=0)


@_on("drag")
def _drag(state: CalendarState, event: Event) -> UpdateResult:
    """Move an event with the finger: ``key`` is its id and the day of it, the width of a day, the height of a
    week and of an hour in dp (0 where it does not apply), and the present time.

    Of an event that repeats the finger moves one day, and the person says whether all move.
    """
    number, day, day_width, week_height, hour_height, now = cast(
        "tuple[int, str, float, float, float, str]", event.key
    )
    stored, step = state.event(number), event.value
    if stored is None or not isinstance(step, Drag):
        return replace(state, drag=None)
    across, down = step.moved
    days = (round(across / day_width) if day_width else 0) + (
        7 * round(down / week_height) if week_height else 0
    )
    quarters = round(down * 60 / hour_height / _STEP) if hour_height and stored.time else 0
    if state.drag is not None:
        day = state.drag.day  # the parts of the screen under the finger may be of another day by now
    if not step.dropped:
        return replace(state, drag=CalendarDrag(number, days, quarters * _STEP, day))
    taken = stored.alone(day)
    moved = taken.moved(days, quarters * _STEP)
    left = replace(state, drag=None)
    if moved == taken:
        return left
    if stored.repeat:
        return replace(left, opened=number, opened_day=day, dropped=moved, sheet="move")
    return _dropped(left, stored, moved, now)


@_on("move_all")
def _move_all(state: CalendarState, event: Event) -> UpdateResult:
    """Move all days as the finger moved one: ``key`` is the present time."""
    stored, dropped = state.event(state.opened), state.dropped
    if stored is None or dropped is None:
        return replace(state, sheet="", dropped=None)
    repeated = replace(dropped, repeat=stored.repeat)
    return _dropped(state, stored, stored.with_day_as(state.opened_day, repeated), str(event.key or ""))


@_on("move_day")
def _move_day(state: CalendarState, event: Event) -> UpdateResult:
    """Move only the day that the finger moved: ``key`` is the present time."""
    stored, dropped = state.event(state.opened), state.dropped
    if stored is None or dropped is None:
        return replace(state, sheet="", dropped=None)
    alone = event_of_day(state, dropped)
    moved = _dropped(_without_day(state, stored), stored, alone, str(event.key or ""))
    return Change(replace(moved.state, added=alone.id), moved.effects)


def _dropped(
    state: CalendarState, before: CalendarEvent, moved: CalendarEvent, now: str
) -> Change[CalendarState]:
    """The change that stores an event where it was moved to, which undo takes back."""
    word = "moved_all" if moved.repeat else "moved"
    note = _undo(state, _say(state, word, when=when(moved, state.locale)))
    stored = replace(_stored(state, moved), before=before, added=0, dropped=None, sheet="")
    return Change(stored, (note, *_reminder(moved, now)))
