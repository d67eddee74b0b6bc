"""The times of a review: when it was opened, and how many seconds of work it took."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import replace

from collector.model.verdicts.review import ReviewHold, ReviewRecord

LONGEST_PAUSE_S = 300
"""A longer time without an act is no work on the review: the person was elsewhere."""
HOLD_MINUTES = 30
"""So long a trajectory stays with the person who took it from a queue, after each act anew."""
Clock = Callable[[], dt.datetime]
"""The time now, with its zone."""


def utc_now() -> dt.datetime:
    """The time now in UTC."""
    return dt.datetime.now(dt.UTC)


def stamp(time: dt.datetime) -> str:
    """A time as files say it: ISO 8601, UTC, milliseconds."""
    return time.astimezone(dt.UTC).isoformat(timespec="milliseconds")


def now_stamp() -> str:
    """The time now, as files say it."""
    return stamp(utc_now())


def parse_stamp(text: str) -> dt.datetime | None:
    """A time of a file in UTC; None when it is none."""
    try:
        time = dt.datetime.fromisoformat(text)
    except ValueError:
        return None
    return time.astimezone(dt.UTC) if time.tzinfo is not None else time.replace(tzinfo=dt.UTC)


def opened(record: ReviewRecord, now: dt.datetime) -> ReviewRecord:
    """The record of a review that the person looks at from ``now`` on: the time before counts as no work."""
    return replace(record, opened=record.opened or stamp(now), active=stamp(now))


def worked(record: ReviewRecord, now: dt.datetime) -> ReviewRecord:
    """The record after an act at ``now``, with the work since the act before; a live hold is prolonged."""
    last = parse_stamp(record.active)
    pause = (now - last).total_seconds() if last is not None else 0
    seconds = record.seconds + (pause if 0 < pause <= LONGEST_PAUSE_S else 0)
    hold = record.hold
    if hold is not None and hold.is_live(stamp(now)):
        hold = held(hold.queue, now, hold.since)
    return replace(opened(record, now), seconds=seconds, hold=hold)


def held(queue: str, now: dt.datetime, since: str = "") -> ReviewHold:
    """A hold for a queue from ``now`` on."""
    until = now + dt.timedelta(minutes=HOLD_MINUTES)
    return ReviewHold(queue, since or stamp(now), stamp(until))
