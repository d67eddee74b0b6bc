"""The calendar's whole state, as YAML shows it."""

from __future__ import annotations

import calendar
import datetime as dt
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import Any, NamedTuple

from collector.virtual.ui.content import load, localized

FIRST_DAY = dt.date(2026, 11, 20)
"""The initial date of a new phone; days in the content file are relative to it."""
SPANS = ("month", "week", "day", "agenda")
REPEATS = ("", "daily", "weekly", "monthly", "yearly")
REMINDERS = (-1, 0, 10, 30, 60, 1440)
"""Minutes before the start; -1 for no reminder."""
AGENDA_DAYS = 30
_LAST_MINUTE = 24 * 60 - 1
_STEP = 15


@dataclass(frozen=True, slots=True)
class CalendarEvent:
    """One event. ``date`` is an ISO date; ``time`` and ``end`` are ``HH:MM``, or empty for all day."""

    id: int
    title: str
    date: str
    time: str = ""
    end: str = ""
    place: str = ""
    notes: str = ""
    link: str = ""
    guests: tuple[str, ...] = ()
    repeat: str = ""
    """daily, weekly, monthly, yearly or empty."""
    reminder: int = -1
    """Minutes before the start; -1 for none."""
    calendar: str = "home"
    skipped: tuple[str, ...] = ()
    """ISO dates on which a repeating event does not take place."""
    content_id: str = ""
    """Id of the entry of the content file that it was at first; empty for what the person added."""

    @property
    def day(self) -> dt.date:
        return dt.date.fromisoformat(self.date)

    @property
    def start_minute(self) -> int:
        """Minutes after midnight; -1 for an event of all day, which comes first."""
        return minutes(self.time) if self.time else -1

    @property
    def length(self) -> int:
        """Length in minutes, at least a quarter of an hour."""
        return max(_STEP, minutes(self.end) - minutes(self.time)) if self.time and self.end else 60

    def on(self, day: dt.date) -> bool:
        """Whether it takes place on this day."""
        first = self.day
        if day < first or day.isoformat() in self.skipped:
            return False
        match self.repeat:
            case "daily":
                return True
            case "weekly":
                return (day - first).days % 7 == 0
            case "monthly":
                return day.day == min(first.day, calendar.monthrange(day.year, day.month)[1])
            case "yearly":
                # On 29 February only in leap years, as calendars do.
                return (day.month, day.day) == (first.month, first.day)
        return day == first

    def alone(self, day: str) -> CalendarEvent:
        """The event as it is on one of its days, an ISO date, by itself."""
        return replace(self, date=day, repeat="", skipped=()) if self.repeat else self

    def with_day_as(self, day: str, changed: CalendarEvent) -> CalendarEvent:
        """All days of a repeating event, changed as its day ``day`` is: each moves by as many days.

        An event that no longer repeats takes place on the changed day.
        """
        if not changed.repeat:
            return replace(changed, skipped=())
        days = (changed.day - dt.date.fromisoformat(day)).days
        skipped = tuple(shifted(dt.date.fromisoformat(date), days).isoformat() for date in self.skipped)
        return replace(changed, date=shifted(self.day, days).isoformat(), skipped=skipped)

    def moved(self, days: int, by_minutes: int) -> CalendarEvent:
        """The event at another day and time; it stays within its day and keeps its length."""
        date = shifted(self.day, days).isoformat()
        if not self.time:
            return replace(self, date=date)
        start = min(max(0, minutes(self.time) + by_minutes), 24 * 60 - _STEP)
        end = min(start + self.length, _LAST_MINUTE)
        return replace(self, date=date, time=clock(start), end=clock(end))

    def matches(self, words: list[str]) -> bool:
        """Whether all words occur in its texts."""
        text = " ".join((self.title, self.place, self.notes, self.link, *self.guests)).casefold()
        return all(word in text for word in words)


class Occurrence(NamedTuple):
    """An event on one of its days."""

    day: dt.date
    event: CalendarEvent


@dataclass(frozen=True, slots=True)
class CalendarDrag:
    """An event under a finger: how far it is moved in whole days and minutes."""

    id: int
    days: int = 0
    minutes: int = 0
    day: str = ""
    """The ISO date at which it was taken; of an event that repeats, that day alone is moved."""


@dataclass(frozen=True, slots=True)
class CalendarState:
    """Events, the period that is shown, and the event being read or edited."""

    locale: str = "en-US"
    events: tuple[CalendarEvent, ...] = ()
    span: str = "month"
    """month, week, day or agenda."""
    day: str = FIRST_DAY.isoformat()
    """A day of the shown period."""
    query: str = ""
    opened: int = 0
    """The event whose page is open, and the day of it."""
    opened_day: str = ""
    draft: CalendarEvent | None = None
    original: CalendarEvent | None = None
    """The draft as the form opened."""
    guest: str = ""
    """The name typed for a new guest."""
    sheet: str = ""
    """The open sheet or dialog: date, start, end, repeat, reminder, calendar, guests, discard, delete, save,
    move or none."""
    picked: str = ""
    """The date or time chosen in the open dialog."""
    error: str = ""
    """What is wrong with the draft: a word of the app's texts, or empty."""
    before: CalendarEvent | None = None
    """The event as it was before it was last deleted or moved, for undo."""
    added: int = 0
    """Id of the event that undo removes: a day that was moved by itself; 0 for none."""
    drag: CalendarDrag | None = None
    dropped: CalendarEvent | None = None
    """A day of a repeating event where the finger left it, until it is said whether the others move, too."""
    allowed: bool = True
    """Whether the app may read the calendar, and the contacts."""
    contacts_allowed: bool = True

    @property
    def next_id(self) -> int:
        return max((event.id for event in self.events), default=0) + 1

    @property
    def shown_day(self) -> dt.date:
        return dt.date.fromisoformat(self.day)

    def event(self, number: int) -> CalendarEvent | None:
        return next((event for event in self.events if event.id == number), None)

    def on(self, day: dt.date) -> tuple[CalendarEvent, ...]:
        """The events of a day, all-day ones first; one under the finger is where it would drop."""
        shown = (event for event in self._with_held() if event.on(day))
        return tuple(sorted(shown, key=lambda event: (event.start_minute, event.id)))

    def _with_held(self) -> Iterator[CalendarEvent]:
        held = self.drag
        for event in self.events:
            if held is None or event.id != held.id:
                yield event
                continue
            placed = event.alone(held.day).moved(held.days, held.minutes)
            yield placed
            if event.repeat:
                yield replace(event, skipped=(*event.skipped, held.day, placed.date))

    def found(self, today: dt.date) -> tuple[Occurrence, ...]:
        """The events that contain the search text: each on its next day from ``today``, else its first."""
        words = self.query.casefold().split()
        if not words:
            return ()
        hits = [Occurrence(next_day(event, today), event) for event in self.events if event.matches(words)]
        return tuple(sorted(hits, key=lambda hit: (hit.day < today, hit.day, hit.event.start_minute)))


def minutes(time: str) -> int:
    """Minutes after midnight of ``HH:MM``; 0 for any other text."""
    hours, _, rest = time.partition(":")
    return int(hours) * 60 + int(rest) if hours.isdecimal() and rest.isdecimal() else 0


def clock(minute: int) -> str:
    """``HH:MM`` of a minute of the day."""
    return f"{minute // 60:02}:{minute % 60:02}"


def shifted(day: dt.date, days: int) -> dt.date:
    """The day ``days`` later; the first or last day of the calendar at its ends."""
    number = min(max(day.toordinal() + days, dt.date.min.toordinal()), dt.date.max.toordinal())
    return dt.date.fromordinal(number)


def month_later(day: dt.date, months: int) -> dt.date:
    """Move a day by months, at most to the last day of that month."""
    number = min(max(day.year * 12 + day.month - 1 + months, 12), 9999 * 12 + 11)
    year, month = divmod(number, 12)
    return dt.date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))


def next_day(event: CalendarEvent, today: dt.date) -> dt.date:
    """The first day of an event from ``today`` on, within a year; its first day when there is none."""
    days = (shifted(today, number) for number in range(367))
    return next((day for day in days if event.on(day)), event.day)


def first_weekday(locale: str) -> int:
    """The day a week begins with, 0 for Monday: Sunday in the United States."""
    return 6 if locale.endswith("-US") else 0


def week_of(day: dt.date, locale: str) -> tuple[dt.date, ...]:
    """The seven days of the week around ``day``."""
    start = shifted(day, -((day.weekday() - first_weekday(locale)) % 7))
    return tuple(shifted(start, number) for number in range(7))


def weeks_of_month(day: dt.date, locale: str) -> Iterator[tuple[dt.date, ...]]:
    """The weeks that a month touches."""
    week = week_of(day.replace(day=1), locale)
    for _number in range(6):
        yield week
        week = week_of(shifted(week[6], 1), locale)
        if week[0].month != day.month or week[0].year != day.year:
            return


def check_times(state: CalendarState) -> None:
    """Raise ValueError, naming the place, for a date or time of a state that is none."""
    dates = {"day": state.day, "opened_day": state.opened_day or state.day}
    times: dict[str, str] = {}
    named = [(f"events[{i}]", event) for i, event in enumerate(state.events)]
    named += [("draft", state.draft)] if state.draft is not None else []
    named += [("before", state.before)] if state.before is not None else []
    named += [("dropped", state.dropped)] if state.dropped is not None else []
    for name, event in named:
        dates[f"{name}.date"] = event.date
        times |= {f"{name}.time": event.time, f"{name}.end": event.end}
    for place, text in dates.items():
        if not _is_date(text):
            raise ValueError(f"state.{place} is {text!r}; expected a date like 2026-11-20")
    for place, text in times.items():
        if text and not re.fullmatch(r"([01]\d|2[0-3]):[0-5]\d", text):
            raise ValueError(f"state.{place} is {text!r}; expected a time like 15:30, or nothing for all day")


def _is_date(text: str) -> bool:
    try:
        return dt.date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def fresh(seed: int, locale: str) -> CalendarState:
    """The state of a newly installed app; the seed changes the times of single events."""
    rows = load("calendar")["events"]
    events = tuple(_event(number, row, seed, locale) for number, row in enumerate(rows, start=1))
    return CalendarState(locale=locale, events=events)


def _first_day(row: dict[str, Any]) -> str:
    """The first day of an event: a date of its own, or so many days after the first day of the phone."""
    try:
        return dt.date.fromisoformat(str(row["date"])).isoformat()
    except (KeyError, ValueError):  # without a date, and with one that is none
        return shifted(FIRST_DAY, int(row.get("day", 0))).isoformat()


def _event(number: int, row: dict[str, Any], seed: int, locale: str) -> CalendarEvent:
    event = CalendarEvent(
        number,
        localized(row["title"], locale),
        _first_day(row),
        row.get("time", ""),
        row.get("end", ""),
        link=row.get("link", ""),
        guests=tuple(row.get("guests", ())),
        repeat=row.get("repeat", ""),
        reminder=row.get("reminder", -1),
        calendar=row["calendar"],
        content_id=row.get("id", ""),
        place=localized(row["place"], locale) if "place" in row else "",
        notes=localized(row["notes"], locale) if "notes" in row else "",
    )
    if seed == 1:
        return event
    return event.moved(0, Random(f"{seed} {number}").randrange(-4, 5) * _STEP)


def event_of_day(state: CalendarState, day: CalendarEvent) -> CalendarEvent:
    """A day of a repeating event as a new event."""
    return replace(day, id=state.next_id, repeat="", skipped=(), content_id="")
