"""Moments in the time zone of the computer."""

from __future__ import annotations

import datetime as dt


def local_time(moment: dt.datetime) -> dt.datetime:
    """The moment in the time zone of the computer; one without a zone is taken for local.

    A moment that the system knows no zone for stays in UTC: on Windows any before 1970 and after 3000,
    elsewhere some of the year 1, as a damaged file may say.
    """
    try:
        return moment.astimezone()
    except (OSError, OverflowError, ValueError):
        return moment if moment.tzinfo is not None else moment.replace(tzinfo=dt.UTC)
