"""How many reviews a person has submitted lately, and how long one takes: own numbers alone."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import median

from collector.review.review_clock import parse_stamp
from collector.store.catalogue.catalogue import Catalogue
from collector.store.files.errors import StoreError
from collector.store.project.project import Project
from collector.store.trajectory.reviews.review_records import ReviewWork, read_work


@dataclass(frozen=True, slots=True)
class Throughput:
    """The pace of one reviewer."""

    total: int
    """Reviews that are submitted."""
    today: int
    """Of these, those submitted since midnight of the person's clock."""
    last_hour: int
    """Those submitted in the last 60 minutes."""
    median_seconds: float | None
    """Seconds of work of the one in the middle; None while no work was measured."""


def throughput(project: Project, who: str, now: dt.datetime) -> Throughput:
    """The pace of ``who`` in a project at ``now``, whose zone says when today began. Raises StoreError."""
    with Catalogue(project) as catalogue:
        catalogue.refresh()
        folders = [row.folder for row in catalogue.review_rows("review:any") if row.state.status_of(who)]
    works = []
    for folder in folders:
        try:
            works.append(read_work(project.folder / folder, who))
        except StoreError:
            continue  # a damaged file is a finding of the check
    return throughput_of(works, now)


def throughput_of(works: Iterable[ReviewWork], now: dt.datetime) -> Throughput:
    """The pace that a person's files tell; those that are not submitted do not count."""
    submitted = [(parse_stamp(work.labels.submitted), work.record.seconds) for work in works]
    done = [(time, seconds) for time, seconds in submitted if time is not None and time <= now]
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    hour_ago = now - dt.timedelta(hours=1)
    measured = [seconds for _time, seconds in done if seconds > 0]
    return Throughput(
        len(done),
        sum(time >= midnight for time, _seconds in done),
        sum(time > hour_ago for time, _seconds in done),
        median(measured) if measured else None,
    )
