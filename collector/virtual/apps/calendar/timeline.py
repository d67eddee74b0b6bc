"""The week and the day: hours from top to bottom, with events as blocks."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from collector.virtual.apps.calendar.event_chips import (
    INK,
    chip,
    color_of,
    day_number,
    is_held,
    now_text,
    spoken,
    time_range,
    title_of,
)
from collector.virtual.apps.calendar.state import CalendarEvent, CalendarState
from collector.virtual.apps.dates import short_date, weekday_name
from collector.virtual.ui import widgets as w
from collector.virtual.ui.app import Context
from collector.virtual.ui.content import AppTexts
from collector.virtual.ui.events import Event

HOUR = 56.0
_GUTTER = 46.0
_TOP = 8.0
"""Space above midnight, for its label."""
_FIRST_HOUR = 7
_BOTTOM = 96.0
"""Space below the last hour, so that the round button covers nothing."""


class Lane(NamedTuple):
    """The place of an event beside those that overlap with it."""

    event: CalendarEvent
    number: int
    lanes: int


def lanes(events: Sequence[CalendarEvent]) -> Iterator[Lane]:
    """Put timed events that overlap beside each other; ``events`` are in the order of their start."""
    group: list[tuple[CalendarEvent, int]] = []
    ends: list[int] = []
    for event in events:
        if ends and event.start_minute >= max(ends):
            yield from (Lane(other, number, len(ends)) for other, number in group)
            group, ends = [], []
        free = next((i for i, end in enumerate(ends) if end <= event.start_minute), len(ends))
        ends[free : free + 1] = [event.start_minute + event.length]
        group.append((event, free))
    yield from (Lane(other, number, len(ends)) for other, number in group)


def timeline(state: CalendarState, context: Context, say: AppTexts, days: tuple[dt.date, ...]) -> w.Widget:
    """The hours of one day or of the seven of a week."""
    wide = (context.width - _GUTTER) / len(days)
    grid = _Grid(state, context, say, days, wide)
    return w.Column((grid.head(), w.Divider(), grid.hours()), grow=1, id="timeline", class_name="-")


class _Grid:
    """The parts of a timeline."""

    def __init__(
        self,
        state: CalendarState,
        context: Context,
        say: AppTexts,
        days: tuple[dt.date, ...],
        day_width: float,
    ) -> None:
        self._state, self._context, self._say = state, context, say
        self._days, self._day_width = days, day_width
        self._week = len(days) > 1

    def head(self) -> w.Widget:
        """The days with what lasts all day."""
        columns = tuple(self._day_head(day) for day in self._days)
        return w.Row((w.Spacer(width=_GUTTER), *columns), align="start", padding=(0, 4, 0, 4), id="head")

    def _day_head(self, day: dt.date) -> w.Widget:
        state, say = self._state, self._say
        name = w.Text(
            text=weekday_name(day, say.locale),
            size=11.0 if self._week else 13.0,
            color="text_2",
            class_name="-",
        )
        number = day_number(
            day, self._context, selected=self._week and day == state.shown_day, size=26 if self._week else 30
        )
        if self._week:
            mark: w.Widget = w.Column((name, number), align="center", class_name="-")
        else:
            mark = w.Row((number, name), gap=8, class_name="-")
        whole = tuple(event for event in state.on(day) if not event.time)
        size = 9.5 if self._week else 13.0
        chips = tuple(chip(state, event, day, say, self._drag(event, day, False), size) for event in whole)
        return w.Column(
            (mark, *chips),
            gap=2,
            width=self._day_width,
            padding=(1, 0),
            key=day.isoformat(),
            id="day_head",
            description=short_date(day, say.locale),
            on_tap=Event("show_day", day.isoformat()) if self._week else None,
        )

    def hours(self) -> w.Widget:
        """The hours with their blocks, scrolled to the morning."""
        parts: list[w.Widget] = [*self._lines()]
        for column, day in enumerate(self._days):
            parts.extend(self._slots(column, day))
            timed = [event for event in self._state.on(day) if event.time]
            parts.extend(self._block(column, day, lane) for lane in lanes(timed))
        now = self._context.now
        if now.date() in self._days:
            parts.append(self._now_line(self._days.index(now.date()), now))
        tall = _TOP + 24 * HOUR + _BOTTOM
        return w.Scroll(
            child=w.Stack(tuple(parts), height=tall, width=w.FILL, class_name="android.widget.FrameLayout"),
            start=_FIRST_HOUR * HOUR / tall,
            grow=1,
            id="hours",
        )

    def _lines(self) -> Iterator[w.Widget]:
        for hour in range(25):
            y = _TOP + hour * HOUR
            yield w.Spacer(
                height=1,
                width=w.FILL,
                margin=(_GUTTER - 6, y, 0, 0),
                background="outline@0.5",
                key=f"line{hour}",
            )
            if 0 < hour < 24:
                yield w.Text(
                    text=f"{hour:02}:00",
                    size=11 / min(self._context.font_scale, 1.3),
                    color="text_2",
                    align="end",
                    width=_GUTTER - 12,
                    margin=(0, y - 8, 0, 0),
                    id="hour",
                    key=f"hour{hour}",
                )

    def _slots(self, column: int, day: dt.date) -> Iterator[w.Widget]:
        """What a tap on free time does: a new event in the day, the day itself in the week."""
        left, say = _GUTTER + column * self._day_width, self._say
        if self._week:
            yield w.Row(
                width=self._day_width,
                height=24 * HOUR,
                margin=(left, _TOP, 0, 0),
                border="outline@0.35",
                border_width=0.5,
                key=f"column-{day}",
                id="day_column",
                description=short_date(day, say.locale),
                on_tap=Event("show_day", day.isoformat()),
                class_name="android.view.View",
            )
            return
        for hour in range(24):
            time = f"{hour:02}:00"
            yield w.Row(
                width=self._day_width,
                height=HOUR,
                margin=(left, _TOP + hour * HOUR, 0, 0),
                key=f"slot-{hour}",
                id="slot",
                description=say("at", day=short_date(day, say.locale), time=time),
                on_tap=Event("new", (day.isoformat(), time)),
                class_name="android.view.View",
            )

    def _block(self, column: int, day: dt.date, lane: Lane) -> w.Widget:
        event, say = lane.event, self._say
        wide = (self._day_width - 2) / lane.lanes
        tall = max(18.0, event.length / 60 * HOUR - 2)
        held = is_held(self._state, event)
        texts: list[w.Widget] = [
            w.Text(
                text=title_of(event, say),
                size=9.5 if self._week else 13,
                color=INK,
                line_height=1.2,
                max_lines=max(1, int(tall // (12 * self._context.font_scale))) if self._week else 1,
                class_name="-",
            )
        ]
        if not self._week and tall >= 38 * self._context.font_scale:
            detail = " · ".join(part for part in (time_range(event, say), event.place) if part)
            texts.append(w.Text(text=detail, size=11.5, color=INK, max_lines=1, class_name="-"))
        return w.Column(
            tuple(texts),
            width=wide - 1,
            height=tall,
            margin=(
                _GUTTER + column * self._day_width + 1 + lane.number * wide,
                _TOP + event.start_minute / 60 * HOUR + 1,
                0,
                0,
            ),
            padding=(2, 2, 0, 0) if self._week else (8, 2, 4, 0) if tall < 30 else (8, 4, 4, 0),
            radius=5,
            background=color_of(event),
            border="text" if held else None,
            elevation=3 if held else 0,
            key=f"event-{event.id}",
            id="event",
            description=spoken(event, day, say),
            on_tap=Event("open", (event.id, day.isoformat())),
            on_drag=self._drag(event, day, True),
            class_name="android.widget.TextView",
        )

    def _drag(self, event: CalendarEvent, day: dt.date, timed: bool) -> Event:
        size = self._day_width if self._week else 0.0, 0.0, HOUR if timed else 0.0
        return Event("drag", (event.id, day.isoformat(), *size, now_text(self._context)))

    def _now_line(self, column: int, now: dt.datetime) -> w.Widget:
        y = _TOP + (now.hour + now.minute / 60) * HOUR
        left = _GUTTER + column * self._day_width
        dot = w.Spacer(width=10, height=10, radius=5, background="error")
        line = w.Spacer(height=2, grow=1, background="error")
        return w.Row(
            (dot, line),
            width=self._day_width + 5,
            height=10,
            margin=(left - 5, y - 5, 0, 0),
            key="now",
            id="now_line",
            description=self._say("now"),
        )
