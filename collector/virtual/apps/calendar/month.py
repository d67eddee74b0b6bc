"""The month: a grid of days with their events."""

from __future__ import annotations

import datetime as dt

from collector.virtual.apps.calendar.event_chips import chip, day_number, now_text
from collector.virtual.apps.calendar.state import CalendarState, week_of, weeks_of_month
from collector.virtual.apps.dates import short_date, weekday_letter, weekday_name
from collector.virtual.ui import widgets as w
from collector.virtual.ui.app import Context
from collector.virtual.ui.content import AppTexts
from collector.virtual.ui.events import Event

_HEAD = 24.0
_NUMBER = 28.0
_CHIP = 18.0
_GESTURES = 24.0


def month(state: CalendarState, context: Context, say: AppTexts, height: float) -> w.Widget:
    """The weeks of the shown month in ``height`` dp."""
    weeks = tuple(weeks_of_month(state.shown_day, context.locale))
    tall = (height - _HEAD - _GESTURES) / len(weeks)
    free = tall - (4 if context.landscape else _NUMBER)
    room = max(0, int(free / (_CHIP * context.font_scale)))
    cells = _Cells(state, context, say, room, context.width / 7, tall)
    rows = tuple(
        w.Row(
            tuple(cells.cell(day) for day in week),
            grow=1,
            align="stretch",
            key=week[0].isoformat(),
            id="week",
        )
        for week in weeks
    )
    return w.Column(
        (weekdays(context), *rows), grow=1, id="month", padding=(0, 0, 0, _GESTURES), class_name="-"
    )


def weekdays(context: Context) -> w.Widget:
    """The head of a month: the days of the week."""
    return w.Row(
        tuple(
            w.Text(
                text=weekday_letter(day, context.locale),
                size=12,
                color="text_2",
                align="center",
                grow=1,
                description=weekday_name(day, context.locale),
                key=str(day.weekday()),
                id="weekday",
            )
            for day in week_of(context.now.date(), context.locale)
        ),
        height=_HEAD,
        id="weekdays",
    )


class _Cells:
    """The cells of a month."""

    def __init__(
        self, state: CalendarState, context: Context, say: AppTexts, room: int, wide: float, tall: float
    ) -> None:
        self._state, self._context, self._say = state, context, say
        self._room = room
        """Number of events a cell has room for."""
        self._day_width, self._week_height = wide, tall

    def cell(self, day: dt.date) -> w.Widget:
        state, say = self._state, self._say
        events = state.on(day)
        shown, hidden = events[: self._room], len(events) - self._room
        number = day_number(
            day, self._context, selected=day == state.shown_day, faded=day.month != state.shown_day.month
        )
        more: tuple[w.Widget, ...] = ()
        if hidden > 0:
            about = say("more_events_on", count=hidden, day=short_date(day, say.locale))
            text = say("more_events", count=hidden)
            more = (w.Text(text=text, size=10, color="text_2", max_lines=1, id="more", description=about),)
        chips = tuple(chip(state, event, day, say, self._drag(event.id, day)) for event in shown)
        if self._context.landscape:
            # Wide and low: the events stand beside the number.
            side = w.Column((number, *more), width=26, align="center", class_name="-")
            inside: w.Widget = w.Row(
                (side, w.Column(chips, gap=1, grow=1, padding=(0, 4, 0, 0), class_name="-")),
                gap=2,
                align="start",
                class_name="-",
            )
        else:
            head = w.Row((number, *more), gap=2, height=_NUMBER - 2, class_name="-")
            inside = w.Column((head, *chips), gap=1, class_name="-")
        return w.Column(
            (inside,),
            grow=1,
            padding=(1.5, 0),
            border="outline@0.35",
            border_width=0.5,
            key=day.isoformat(),
            id="day",
            description=say("day_events", day=short_date(day, say.locale), count=len(events)),
            on_tap=Event("show_day", day.isoformat()),
            class_name="android.view.ViewGroup",
        )

    def _drag(self, number: int, day: dt.date) -> Event:
        size = self._day_width, self._week_height, 0.0
        return Event("drag", (number, day.isoformat(), *size, now_text(self._context)))
