"""Format dates in the phone's language."""

from __future__ import annotations

import datetime as dt

_DAYS = {
    "en": ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
    "de": ("Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag", "Sonntag"),
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
_GERMAN_MONTHS = (
    "Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober",
    "November", "Dezember",
)  # fmt: skip


def _language(locale: str) -> str:
    language = locale.partition("-")[0]
    return language if language in _DAYS else "en"


def long_date(day: dt.date, locale: str) -> str:
    """``Friday 20 November``."""
    if _language(locale) == "zh":
        return f"{day.month}月{day.day}日 {_DAYS['zh'][day.weekday()]}"
    if _language(locale) == "de":
        return f"{_DAYS['de'][day.weekday()]}, {day.day}. {_GERMAN_MONTHS[day.month - 1]}"
    return f"{_DAYS['en'][day.weekday()]} {day.day} {_MONTHS[day.month - 1]}"


def short_date(day: dt.date, locale: str) -> str:
    """``Fri 20 Nov``."""
    if _language(locale) == "zh":
        return f"{day.month}月{day.day}日"
    if _language(locale) == "de":
        return f"{_DAYS['de'][day.weekday()][:2]}, {day.day}. {_GERMAN_MONTHS[day.month - 1][:3]}"
    return f"{_DAYS['en'][day.weekday()][:3]} {day.day} {_MONTHS[day.month - 1][:3]}"


def short_day(name: str, locale: str) -> str:
    """``Thu`` in the phone's language; a text that is not a weekday is returned unchanged."""
    days = [day[:3] for day in _DAYS["en"]]
    if name not in days or _language(locale) == "en":
        return name
    day = _DAYS[_language(locale)][days.index(name)]
    return day[:2] if _language(locale) == "de" else day.replace("星期", "周")


def next_monday(day: dt.date) -> dt.date:
    """The first Monday after ``day``."""
    return day + dt.timedelta(days=7 - day.weekday())


def month_title(day: dt.date, locale: str) -> str:
    """``November 2026``."""
    if _language(locale) == "zh":
        return f"{day.year}年{day.month}月"
    months = _GERMAN_MONTHS if _language(locale) == "de" else _MONTHS
    return f"{months[day.month - 1]} {day.year}"


def date_with_year(day: dt.date, locale: str) -> str:
    """``Fri 20 Nov 2026``."""
    if _language(locale) == "zh":
        return f"{day.year}年{day.month}月{day.day}日 {weekday_name(day, locale)}"
    return f"{short_date(day, locale)} {day.year}"


def weekday_name(day: dt.date, locale: str) -> str:
    """``Fri``."""
    language = _language(locale)
    name = _DAYS[language][day.weekday()]
    return name.replace("星期", "周") if language == "zh" else name[: 2 if language == "de" else 3]


def weekday_letter(day: dt.date, locale: str) -> str:
    """``F``, for the head of a month."""
    name = _DAYS[_language(locale)][day.weekday()]
    return name[-1] if _language(locale) == "zh" else name[0]


def period(first: dt.date, last: dt.date, locale: str) -> str:
    """``15 – 21 Nov 2026``, as short as it can be said."""
    if _language(locale) == "zh":
        end = (
            f"{last.day}日"
            if (first.year, first.month) == (last.year, last.month)
            else short_date(last, locale)
        )
        return f"{first.year}年{short_date(first, locale)}–{end}"
    is_german = _language(locale) == "de"
    months, dot = (_GERMAN_MONTHS, ".") if is_german else (_MONTHS, "")
    begin = f"{first.day}{dot}"
    if first.month != last.month:
        begin += f" {months[first.month - 1][:3]}"
    if first.year != last.year:
        begin += f" {first.year}"
    return f"{begin} – {last.day}{dot} {months[last.month - 1][:3]} {last.year}"
