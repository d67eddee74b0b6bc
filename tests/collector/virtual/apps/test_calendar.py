"""What a person can do in the calendar, as events on its state and by touch on a phone."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from typing import Any

import pytest

from collector.virtual.apps.calendar.app import CalendarApp
from collector.virtual.apps.calendar.state import (
    CalendarEvent,
    CalendarState,
    month_later,
    week_of,
    weeks_of_month,
)
from collector.virtual.apps.calendar.timeline import lanes
from collector.virtual.apps.calendar.views import period_title
from collector.virtual.ui.app import Context
from collector.virtual.ui.effects import Change, Later, Notify, RequestPermission, ShowSnackbar, StartActivity
from collector.virtual.ui.events import Drag, Event
from tests.helpers.phone_driver import bounds, find, has, tap
from tests.helpers.shell_device import ShellDevice, shell_device

APP = CalendarApp()
TODAY = dt.date(2026, 11, 20)
NOON = "2026-11-20T12:00:00"


def play(*events: Event, state: CalendarState | None = None) -> tuple[CalendarState, tuple[Any, ...]]:
    now = APP.initial(1, "en-US") if state is None else state
    effects: tuple[Any, ...] = ()
    for event in events:
        result = APP.update(now, event)
        now, effects = (result.state, result.effects) if isinstance(result, Change) else (result, ())
    return now, effects


def numbered(state: CalendarState, title: str) -> CalendarEvent:
    return next(event for event in state.events if event.title == title)


def test_a_new_event_is_stored_with_all_that_was_entered() -> None:
    state, effects = play(
        Event("new", ("2026-11-24", "16:00")),
        Event("draft", "title", "  Tea  "),
        Event("draft", "place", "Garden"),
        Event("draft", "link", "example.org/tea"),
        Event("draft", "notes", "Bring cake"),
        Event("guest", value="kim@example.org"),
        Event("add_guest"),
        Event("add_guest", "Ana Duarte"),
        Event("choose", ("repeat", "weekly")),
        Event("choose", ("reminder", 30)),
        Event("sheet", "end"),
        Event("hour", 18),
        Event("minute", 15),
        Event("confirm"),
        Event("save", NOON),
    )
    tea = state.events[-1]
    assert (tea.title, tea.date, tea.time, tea.end) == ("Tea", "2026-11-24", "16:00", "18:15")
    assert (tea.place, tea.link, tea.notes) == ("Garden", "example.org/tea", "Bring cake")
    assert (tea.guests, tea.repeat, tea.reminder) == (("kim@example.org", "Ana Duarte"), "weekly", 30)
    assert state.draft is None
    assert any(isinstance(effect, RequestPermission) for effect in effects), "a reminder asks to notify"


def test_an_event_needs_a_title_and_an_end_after_its_start() -> None:
    state, _ = play(Event("new", ("2026-11-24", "16:00")), Event("save", NOON))
    assert (state.error, len(state.events)) == ("needs_title", len(APP.initial(1, "en-US").events))
    state, _ = play(
        Event("draft", "title", "Tea"),
        Event("sheet", "end"),
        Event("hour", 9),
        Event("confirm"),
        Event("save", NOON),
        state=state,
    )
    assert state.error == "ends_early"
    state, _ = play(Event("all_day", value=True), Event("save", NOON), state=state)
    assert (state.error, state.events[-1].time) == ("", "")


def test_a_new_start_keeps_the_length_of_an_event() -> None:
    dentist = numbered(APP.initial(1, "en-US"), "Dentist")
    state, _ = play(
        Event("open", (dentist.id, dentist.date)),
        Event("edit"),
        Event("sheet", "start"),
        Event("hour", 8),
        Event("confirm"),
    )
    assert state.draft is not None
    assert (state.draft.time, state.draft.end) == ("08:30", "09:15")


def test_a_form_with_changes_asks_before_it_closes() -> None:
    opened, _ = play(Event("new", ("2026-11-24", "")))
    assert play(Event("leave"), state=opened)[0].draft is None
    state, _ = play(Event("draft", "title", "Tea"), Event("leave"), state=opened)
    assert state.sheet == "discard"
    assert play(Event("discard"), state=state)[0].draft is None


def test_a_reminder_comes_at_its_time_unless_the_event_changed() -> None:
    new = (Event("new", ("2026-11-20", "16:00")), Event("draft", "title", "Tea"), Event("save", NOON))
    state, effects = play(*new)
    (timer,) = (effect for effect in effects if isinstance(effect, Later))
    assert timer.seconds == 4 * 3600 - 10 * 60
    _, effects = play(timer.event, state=state)
    assert [(effect.title, effect.text) for effect in effects if isinstance(effect, Notify)] == [
        ("Tea", "Fri 20 Nov, 16:00")
    ]
    moved, _ = play(
        Event("drag", (state.events[-1].id, "2026-11-20", 0, 0, 56, NOON), Drag((0, 56), True)), state=state
    )
    assert play(timer.event, state=moved)[1] == ()


def test_a_deleted_event_can_be_brought_back() -> None:
    before = APP.initial(1, "en-US")
    dentist = numbered(before, "Dentist")
    state, effects = play(Event("open", (dentist.id, dentist.date)), Event("delete"))
    assert dentist not in state.events
    (note,) = (effect for effect in effects if isinstance(effect, ShowSnackbar))
    assert note.on_action is not None
    assert play(note.on_action, state=state)[0].events == before.events


def test_one_day_of_a_repeating_event_can_be_deleted() -> None:
    meeting = numbered(APP.initial(1, "en-US"), "Team meeting")
    state, _ = play(Event("open", (meeting.id, "2026-11-24")), Event("delete"))
    assert state.sheet == "delete"
    one, _ = play(Event("delete_day"), state=state)
    kept = numbered(one, "Team meeting")
    days = [dt.date(2026, 11, day) for day in (17, 24)] + [dt.date(2026, 12, 1)]
    assert [kept.on(day) for day in days] == [True, False, True]
    assert play(Event("undo"), state=one)[0].events == state.events
    assert meeting not in play(Event("delete_all"), state=state)[0].events


MEETING_DAYS = [dt.date(2026, 11, day) for day in (17, 24)] + [dt.date(2026, 12, 1)]


def edited_meeting(*events: Event) -> tuple[CalendarState, CalendarEvent]:
    """The calendar as the form of one day of a weekly meeting is saved after some changes; the meeting."""
    meeting = numbered(APP.initial(1, "en-US"), "Team meeting")
    opened, _ = play(Event("open", (meeting.id, "2026-11-24")), Event("edit"))
    assert opened.draft is not None
    assert opened.draft.date == "2026-11-24"
    return play(*events, Event("save", NOON), state=opened)[0], meeting


def test_one_day_of_a_repeating_event_can_be_changed() -> None:
    asked, meeting = edited_meeting(Event("draft", "time", "09:00"), Event("draft", "title", "Review"))
    assert asked.sheet == "save"
    state, _ = play(Event("save_day", NOON), state=asked)
    rest, alone = numbered(state, "Team meeting"), numbered(state, "Review")
    assert rest == replace(meeting, skipped=("2026-11-24",))
    assert (alone.date, alone.time, alone.repeat, alone.content_id) == ("2026-11-24", "09:00", "", "")
    assert (state.opened, state.opened_day, state.draft, state.sheet) == (alone.id, "2026-11-24", None, "")
    assert play(Event("sheet"), state=asked)[0].draft == asked.draft


def test_all_days_of_a_repeating_event_can_be_changed() -> None:
    asked, meeting = edited_meeting(Event("draft", "date", "2026-11-25"), Event("draft", "place", "Room 9"))
    state, _ = play(Event("save_all", NOON), state=asked)
    changed = numbered(state, "Team meeting")
    assert changed == replace(meeting, date="2026-11-18", place="Room 9")
    assert (state.opened, state.opened_day) == (meeting.id, "2026-11-25")
    shifted_too = replace(meeting, skipped=("2026-12-01",)).with_day_as("2026-11-24", asked.draft)
    assert shifted_too.skipped == ("2026-12-02",)


def test_how_often_an_event_repeats_is_changed_for_all_days_without_a_question() -> None:
    state, meeting = edited_meeting(Event("choose", ("repeat", "daily")))
    assert numbered(state, "Team meeting") == replace(meeting, repeat="daily")
    state, _ = edited_meeting(Event("choose", ("repeat", "")))
    assert numbered(state, "Team meeting") == replace(meeting, repeat="", date="2026-11-24")
    unchanged, meeting = edited_meeting()
    assert (numbered(unchanged, "Team meeting"), unchanged.sheet) == (meeting, "")


def test_the_finger_moves_one_day_of_a_repeating_event_or_all() -> None:
    before = APP.initial(1, "en-US")
    meeting = numbered(before, "Team meeting")
    key = (meeting.id, "2026-11-24", 45.0, 0.0, 56.0, NOON)
    held, _ = play(Event("drag", key, Drag((47, 56))))
    days = [*MEETING_DAYS, dt.date(2026, 11, 25)]
    assert [meeting.id in [event.id for event in held.on(day)] for day in days] == [True, False, True, True]
    late = (meeting.id, "2026-11-25", 45.0, 0.0, 56.0, NOON)  # the part that is now under the finger
    asked, effects = play(Event("drag", late, Drag((47, 56), dropped=True)), state=held)
    assert (asked.sheet, asked.events, effects) == ("move", before.events, ())
    one, effects = play(Event("move_day", NOON), state=asked)
    assert numbered(one, "Team meeting").skipped == ("2026-11-24",)
    alone = one.events[-1]
    assert (alone.title, alone.date, alone.time, alone.repeat) == ("Team meeting", "2026-11-25", "11:00", "")
    assert play(Event("undo"), state=one)[0].events == before.events
    whole, _ = play(Event("move_all", NOON), state=asked)
    moved = numbered(whole, "Team meeting")
    assert moved == replace(meeting, date="2026-11-18", time="11:00", end="12:00")
    assert play(Event("undo"), state=whole)[0].events == before.events
    put_back, _ = play(Event("sheet"), state=asked)
    assert (put_back.sheet, put_back.events) == ("", before.events)


@pytest.mark.parametrize(
    ("repeat", "first", "yes", "no"),
    [
        ("daily", "2026-11-20", "2026-11-23", "2026-11-19"),
        ("weekly", "2026-11-20", "2026-12-04", "2026-12-05"),
        ("monthly", "2026-10-31", "2026-11-30", "2026-12-30"),
        ("yearly", "2024-02-29", "2028-02-29", "2027-02-28"),
    ],
)
def test_an_event_repeats(repeat: str, first: str, yes: str, no: str) -> None:
    event = CalendarEvent(1, "x", first, repeat=repeat)
    assert event.on(dt.date.fromisoformat(yes))
    assert not event.on(dt.date.fromisoformat(no))


def test_a_dragged_event_snaps_and_can_be_put_back() -> None:
    before = APP.initial(1, "en-US")
    dentist = numbered(before, "Dentist")
    key = (dentist.id, dentist.date, 45.0, 0.0, 56.0, NOON)
    held, _ = play(Event("drag", key, Drag((47, 60))))
    assert held.events == before.events
    assert dentist.id in [event.id for event in held.on(TODAY + dt.timedelta(days=1))]
    state, effects = play(Event("drag", key, Drag((47, 60), dropped=True)), state=held)
    moved = numbered(state, "Dentist")
    assert (moved.date, moved.time, moved.end) == ("2026-11-21", "16:30", "17:15")
    note = next(effect for effect in effects if isinstance(effect, ShowSnackbar))
    assert note.text == "Moved to Sat 21 Nov, 16:30"
    assert play(Event("undo"), state=state)[0].events == before.events
    cancelled, effects = play(Event("drag", key, Drag(dropped=True)), state=held)
    assert (cancelled.events, cancelled.drag, effects) == (before.events, None, ())


def test_an_event_stays_within_its_day() -> None:
    late = CalendarEvent(1, "x", "2026-11-20", "22:00", "23:30")
    assert (late.moved(0, 600).time, late.moved(0, 600).end) == ("23:45", "23:59")
    assert late.moved(0, -2000).time == "00:00"


def test_search_looks_at_every_text_and_shows_what_comes_next_first() -> None:
    state, _ = play(Event("query", value="room"))
    assert [(hit.day.isoformat(), hit.event.title) for hit in state.found(TODAY)] == [
        ("2026-11-24", "Team meeting")
    ]
    state, _ = play(Event("query", value="work shop"))
    assert [hit.event.title for hit in state.found(TODAY)] == ["Design workshop"]


def test_events_that_overlap_stand_beside_each_other() -> None:
    times = [("09:00", "11:00"), ("10:00", "10:30"), ("10:30", "12:00"), ("12:00", "13:00")]
    events = [CalendarEvent(i, "", "2026-11-20", start, end) for i, (start, end) in enumerate(times)]
    assert [(lane.number, lane.lanes) for lane in lanes(events)] == [(0, 2), (1, 2), (1, 2), (0, 1)]


def test_a_week_begins_on_sunday_in_the_united_states_only() -> None:
    assert week_of(TODAY, "en-US")[0].isoformat() == "2026-11-15"
    assert week_of(TODAY, "zh-CN")[0].isoformat() == "2026-11-16"
    assert [week[0].day for week in weeks_of_month(dt.date(2026, 8, 9), "zh-CN")] == [27, 3, 10, 17, 24, 31]
    assert month_later(dt.date(2026, 1, 31), 1).isoformat() == "2026-02-28"


@pytest.mark.parametrize(
    ("span", "english", "chinese"),
    [
        ("month", "November 2026", "2026年11月"),
        ("week", "15 – 21 Nov 2026", "2026年11月16日–22日"),
        ("day", "Fri 20 Nov 2026", "2026年11月20日 周五"),
        ("agenda", "20 Nov – 19 Dec 2026", "2026年11月20日–12月19日"),
    ],
)
def test_the_shown_period_is_named(span: str, english: str, chinese: str) -> None:
    state = CalendarState(span=span)
    assert period_title(state, Context("", locale="en-US")) == english
    assert period_title(state, Context("", locale="zh-CN")) == chinese


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ({"date": "tomorrow"}, r"state.events\[0\].date is 'tomorrow'; expected a date like"),
        ({"time": "9:5"}, r"state.events\[0\].time is '9:5'; expected a time like"),
    ],
)
def test_a_state_with_a_date_that_is_none_is_refused(changed: dict[str, str], problem: str) -> None:
    plain = APP.state_to_plain(APP.initial(1, "en-US"))
    plain["events"][0] |= changed
    with pytest.raises(ValueError, match=problem):
        APP.state_from_plain(plain)


def test_a_link_opens_in_the_browser() -> None:
    _, effects = play(Event("open_link", "example.org/tea"))
    assert [effect.intent.data for effect in effects if isinstance(effect, StartActivity)] == [
        "https://example.org/tea"
    ]


def test_without_permission_the_app_says_so_and_asks_again() -> None:
    state, _ = play(Event("allowed", value=False))
    with shell_device("calendar") as device:
        device.shell("monkey -p com.waymark.calendar -c android.intent.category.LAUNCHER 1")
        device.phone.set_app_state("calendar", APP.state_to_plain(state))
        assert not has(device.phone, resource_id="weekdays")
        tap(device.phone, resource_id="allow")
        assert has(device.phone, resource_id="weekdays"), "granted access is given at once"


def drag(device: ShellDevice, title: str, by: tuple[int, int]) -> None:
    start = bounds(find(device.phone, text=title)).center
    device.shell(f"input draganddrop {start.x} {start.y} {start.x + by[0]} {start.y + by[1]} 200")


def test_on_a_phone_events_are_made_moved_and_deleted_by_touch() -> None:
    with shell_device("calendar") as device:
        phone = device.phone
        device.shell("monkey -p com.waymark.calendar -c android.intent.category.LAUNCHER 1")
        tap(phone, resource_id="span_day")
        drag(device, "Call with Ana", (0, 2 * 112))  # two hours of 56 dp on a phone of 2 px per dp
        assert [event["time"] for event in phone.app_state("calendar")["events"] if event["id"] == 5] == [
            "11:30"
        ]
        tap(phone, resource_id="snackbar_action")
        assert not has(phone, resource_id="snackbar_action"), "an action that was taken goes away"
        assert [event["time"] for event in phone.app_state("calendar")["events"] if event["id"] == 5] == [
            "09:30"
        ]
        tap(phone, content_desc="Fri 20 Nov, 08:00")
        device.shell("input text Breakfast")
        tap(phone, resource_id="save")
        tap(phone, text="Breakfast 08:00 – 09:00")
        assert find(phone, resource_id="event_time").get("text") == "Fri 20 Nov 2026 · 08:00 – 09:00"
        tap(phone, resource_id="delete")
        assert not has(phone, text="Breakfast 08:00 – 09:00")
        device.shell("pm revoke com.waymark.calendar android.permission.READ_CALENDAR")
        device.shell("am start -n com.waymark.calendar/.MainActivity")
        assert str(find(phone, resource_id="permission_message").get("text")).count("Calendar")
