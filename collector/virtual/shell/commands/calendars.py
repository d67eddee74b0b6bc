"""toybox's ``cal``: the calendar of a month or a year."""

from __future__ import annotations

import calendar

from collector.virtual.shell.options import read_options
from collector.virtual.shell.process import CommandError, Process
from collector.virtual.shell.registry import command

_WIDE, _WEEKS = 21, 6
_RANGES = {"day": (1, 31), "month": (1, 12), "year": (1, 9999)}


@command("cal")
def cal(process: Process) -> int:
    """``cal [[[DAY] MONTH] YEAR]``; without arguments the present month with the day marked."""
    options = read_options("cal", process.arguments, "h")
    if len(options.operands) > len(_RANGES):
        raise CommandError('cal: Max 3 arguments (see "cal --help")')
    names = list(_RANGES)[len(_RANGES) - len(options.operands) :]
    given = {name: _number(text, *_RANGES[name]) for name, text in zip(names, options.operands, strict=True)}
    now = process.machine.phone.clock.now
    year = given.get("year", now.year)
    if "month" not in given and given:
        for first in range(1, 13, 3):
            months = [_month(year, month) for month in range(first, first + 3)]
            for lines in zip(*months, strict=True):
                process.line("".join(f"{line} " for line in lines))
        return 0
    month = given.get("month", now.month)
    day = given.get("day", 0 if given else now.day)
    marked = day if process.terminal is not None and "h" not in options else 0
    for line in _month(year, month, marked):
        process.line(line)
    return 0


def _number(text: str, least: int, most: int) -> int:
    try:
        number = int(text)
    except ValueError:
        raise CommandError(f"cal: not integer: {text}") from None
    if number < least:
        raise CommandError(f"cal: {number} < {least}")
    if number > most:
        raise CommandError(f"cal: {number} > {most}")
    return number


def _month(year: int, month: int, marked: int = 0) -> list[str]:
    """The title, the days of the week and six weeks, each as wide as the others."""
    title = f"{calendar.month_name[month]} {year}"
    lines = [f"{'':{(20 - len(title)) // 2}}{title}".ljust(_WIDE), "Su Mo Tu We Th Fr Sa "]
    weeks = calendar.Calendar(calendar.SUNDAY).monthdayscalendar(year, month)
    for week in weeks + [[0] * 7] * (_WEEKS - len(weeks)):
        days = [_day(number, marked=bool(number) and number == marked) for number in week]
        lines.append("".join(f"{day} " for day in days))
    return lines


def _day(number: int, *, marked: bool) -> str:
    text = f"{number:2}" if number else "  "
    return f"\x1b[7m{text}\x1b[m" if marked else text
