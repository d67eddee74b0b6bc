"""What the calendar keeps for the person, as records."""

from __future__ import annotations

from collector.model.app_data.collections import AppData
from collector.virtual.apps.calendar.state import CalendarEvent, CalendarState


def data_of(state: CalendarState) -> AppData:
    """The events of all calendars."""
    return {"calendar.events": [_record(event) for event in state.events]}


def _record(event: CalendarEvent) -> dict[str, object]:
    return {
        "title": event.title, "date": event.date, "time": event.time, "end": event.end,
        "place": event.place, "notes": event.notes, "link": event.link, "guests": list(event.guests),
        "repeat": event.repeat, "reminder": event.reminder, "calendar": event.calendar,
        "skipped": list(event.skipped), "content_id": event.content_id,
    }  # fmt: skip
