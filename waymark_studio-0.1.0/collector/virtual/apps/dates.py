"""Format dates in the phone's language."""

from __future__ import annotations

import datetime as dt

_DAYS = {
    "en": ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
    "zh": ("星期一", "星期二", "星期三", "星期四", "星期五", "星期六", "星期日"),
}
_MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)


def _language(locale: str) -> str:
    return "zh" if locale.startswith("zh") else "en"


def long_date(day: dt.date, locale: str) -> str:
    """``Friday 20 November``."""
    if _language(locale) == "zh":
        return f"{day.month}月{day.day}日 {_DAYS['zh'][day.weekday()]}"
    return f"{_DAYS['en'][day.weekday()]} {day.day} {_MONTHS[day.month - 1]}"


def short_date(day: dt.date, locale: str) -> str:
    """``Fri 20 Nov``."""
    if _language(locale) == "zh":
        return f"{day.month}月{day.day}日"
    return f"{_DAYS['en'][day.weekday()][:3]} {day.day} {_MONTHS[day.month - 1][:3]}"


def short_day(name: str, locale: str) -> str:
    """``Thu`` in the phone's language; a text that is not a weekday is returned unchanged."""
    days = [day[:3] for day in _DAYS["en"]]
    if _language(locale) == "zh" and name in days:
        return _DAYS["zh"][days.index(name)].replace("星期", "周")
    return name


def next_monday(day: dt.date) -> dt.date:
    """The first Monday after ``day``."""
    return day + dt.timedelta(days=7 - day.weekday())
